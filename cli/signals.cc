#include "signals.h"

#include <unistd.h>

#include <csignal>

#include "dtf/io.h"

namespace dtf::cli {
namespace {

void Stop(int signal) {
  RemoveUnfinishedOutputs();
  _exit(128 + signal);
}

void Install(int signal) {
  struct sigaction action = {};
  action.sa_handler = Stop;
  sigfillset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

// `nohup dtf …` has it ignored.
bool IsIgnored(int signal) {
  struct sigaction action = {};
  sigaction(signal, nullptr, &action);
  return action.sa_handler == SIG_IGN;
}

}  // namespace

void InstallSignalHandlers() {
  Install(SIGINT);
  Install(SIGTERM);
  if (!IsIgnored(SIGHUP)) Install(SIGHUP);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace dtf::cli
