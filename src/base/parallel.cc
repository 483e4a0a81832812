#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace dtf {

int ThreadCount(int requested) {
  if (requested > 0) return requested;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void ParallelFor(int threads, std::size_t tasks, const std::function<void(std::size_t)>& task) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  std::size_t failed_task = tasks;

  const auto work = [&] {
    for (std::size_t i = next++; i < tasks; i = next++) {
      try {
        task(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (i < failed_task) {
          failed_task = i;
          failure = std::current_exception();
        }
        next = tasks;
      }
    }
  };

  std::vector<std::jthread> helpers;
  const std::size_t wanted = std::min<std::size_t>(threads, tasks);
  try {
    while (helpers.size() + 1 < wanted) helpers.emplace_back(work);
  } catch (const std::system_error&) {
    // The system gives no more threads: those that started, and this one, do the work.
  }
  work();
  helpers.clear();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace dtf
