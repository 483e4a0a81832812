// Work shared among threads that live only as long as a call: none outlives it, so a process may fork between calls.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace dtf {

// The number of threads that `requested` stands for: itself, or all cores when it is 0.
int ThreadCount(int requested);

// Calls task(0) … task(tasks - 1), each once, on at most `threads` threads (the caller's is one of them). Returns when
// all are done; of several exceptions, of which a stop (stop.h) is one, that of the lowest task is thrown. Results must
// not depend on which thread runs a task. Starting a thread costs some 40 µs, waking one of a ThreadTeam some 5 µs: not
// worth it for less work.
void ParallelFor(int threads, std::size_t tasks, const std::function<void(std::size_t)>& task);

class Helpers;

// While it lives, ParallelFor, called by the thread that made it, keeps the threads it starts and wakes them again for
// the next call. It waits for those only that have taken up work: on a busy machine, where a thread may be kept waiting
// for a core for longer than the work takes, sharing out costs next to nothing. For work that is shared out again and
// again. Calls from within a task start threads of their own.
class ThreadTeam {
 public:
  ThreadTeam();
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

 private:
  std::unique_ptr<Helpers> helpers_;
  Helpers* outer_;  // those of the team around this one
};

}  // namespace dtf
