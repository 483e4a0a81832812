#include "output.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <utility>

#include "dtf/error.h"

namespace dtf::cli {

void Print(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(STDOUT_FILENO, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      EndByBrokenPipe();
    } else if (errno == EAGAIN) {
      pollfd waiting{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
      poll(&waiting, 1, -1);
    } else if (errno != EINTR) {
      throw Error(ErrorKind::kOther, std::string("cannot write to standard output: ") + std::strerror(errno));
    }
  }
}

void PrintJson(const Json& json) { Print(json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"); }

std::string OnOneLine(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; }, ' ');
  return text;
}

void PrintMessage(std::string_view message) {
  constexpr std::size_t kMostBytes = 2000;
  std::string line = "dtf: " + std::string(message.substr(0, kMostBytes)) + (message.size() > kMostBytes ? " …" : "");
  std::fputs((OnOneLine(std::move(line)) + "\n").c_str(), stderr);
}

void EndByBrokenPipe() {
  std::signal(SIGPIPE, SIG_DFL);
  std::raise(SIGPIPE);
  _exit(128 + SIGPIPE);  // where the signal is blocked
}

std::string Fixed(double value, int decimals) {
  char buffer[512];
  std::snprintf(buffer, sizeof buffer, "%.*f", decimals, value);
  return buffer;
}

std::string Significant(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.4g", value);
  return buffer;
}

Json ToJson(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

}  // namespace dtf::cli
