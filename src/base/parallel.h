// Work shared among threads that live only as long as the call: no global state, so forked processes are safe.
#pragma once

#include <cstddef>
#include <functional>

namespace dtf {

// The number of threads that `requested` stands for: itself, or all cores when it is 0.
int ThreadCount(int requested);

// Calls task(0) … task(tasks - 1), each once, on at most `threads` threads (the caller's is one of them). Returns when
// all are done; of several exceptions the one of the lowest task is thrown. Results must not depend on which thread
// runs a task. Starting a thread costs some 20 µs: not worth it for less work than that.
void ParallelFor(int threads, std::size_t tasks, const std::function<void(std::size_t)>& task);

}  // namespace dtf
