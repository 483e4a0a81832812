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

// `nohup dtf …` has SIGHUP ignored, a script's `dtf … &` SIGINT.
bool IsIgnored(int signal) {
  struct sigaction action = {};
  sigaction(signal, nullptr, &action);
  return action.sa_handler == SIG_IGN;
}

void StopAt(int signal) {
  if (IsIgnored(signal)) return;
  struct sigaction action = {};
  action.sa_handler = Stop;
  sigfillset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

void InstallSignalHandlers() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) StopAt(signal);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace dtf::cli
