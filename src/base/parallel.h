// Work shared among threads that live only as long as a call: none outlives it, so a process may fork between calls.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace dtf {

// The number of threads that `requested` stands for: itself, or all cores when it is 0.
int ThreadCount(int requested);

// Calls task(0) … task(tasks - 1), each once, on at most `threads` threads (the caller's is one of them), and returns
// when all are done. If tasks throw, also because of a stop (stop.h), tasks not yet begun are left out, and the
// exception of the lowest task is thrown. Results must not depend on which thread runs a task. Starting a thread costs
// some 40 µs, waking one of a ThreadTeam some 5 µs: not worth it for less work.
void ParallelFor(int threads, std::size_t tasks, const std::function<void(std::size_t)>& task);

class Helpers;

// For work that is shared out again and again. While a team lives, calls of ParallelFor by the thread that made it keep
// the threads that they start, and later calls wake these. A call waits only for threads that have begun to work: so
// sharing out costs next to nothing on a busy machine, where a thread may wait for a core longer than the work takes.
// Calls from within a task start threads of their own.
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
