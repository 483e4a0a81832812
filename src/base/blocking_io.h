// Reads and writes that end only when there is something to tell.
#pragma once

#include <poll.h>
#include <sys/types.h>

#include <cerrno>

namespace dtf {

// What `call` returns, a read (`events`: POLLIN) or write (POLLOUT) of the descriptor: it is called again after a
// signal, and where the descriptor does not block, once that is ready.
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
