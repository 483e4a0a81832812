// Reads and writes that return only with a result, whatever signals come and whether or not the descriptor blocks.
#pragma once

#include <poll.h>
#include <sys/types.h>

#include <cerrno>

namespace dtf {

// Returns what `call` returns, which reads from the descriptor (`events`: POLLIN) or writes to it (POLLOUT). It is
// called again when a signal has interrupted it, and, for a non-blocking descriptor, as soon as that is ready.
template <typename Call>
ssize_t UntilReady(int descriptor, short events, const Call& call) {
  while (true) {
    const ssize_t count = call();
    if (count >= 0 || (errno != EINTR && errno != EAGAIN)) return count;
    if (errno == EINTR) continue;
    pollfd waiting{.fd = descriptor, .events = events, .revents = 0};
    poll(&waiting, 1, -1);
  }
}

}  // namespace dtf
