#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/stop.h"

namespace dtf {

// Threads that wait for work.
class Helpers {
 public:
  Helpers() = default;
  Helpers(const Helpers&) = delete;
  Helpers& operator=(const Helpers&) = delete;
  ~Helpers() {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    wake_.notify_all();
  }

  // Calls work() on this thread and on at most `count` others. Returns when this thread's call and those that began
  // meanwhile have returned. work() must not throw.
  void Run(std::size_t count, const std::function<void()>& work) {
    Start(count);
    {
      const std::lock_guard lock(mutex_);
      work_ = &work;
      wanted_ = count;
    }
    wake_.notify_all();
    work();
    std::unique_lock lock(mutex_);
    wanted_ = 0;
    done_.wait(lock, [&] { return working_ == 0; });
  }

 private:
  void Start(std::size_t count) {
    try {
      while (threads_.size() < count) threads_.emplace_back([this] { Wait(); });
    } catch (const std::system_error&) {
      // The system gives no more threads: those that started, and the caller's, do the work.
    }
  }

  void Wait() {
    std::unique_lock lock(mutex_);
    while (true) {
      wake_.wait(lock, [&] { return is_over_ || wanted_ > 0; });
      if (is_over_) return;
      --wanted_;
      ++working_;
      const std::function<void()>& work = *work_;
      lock.unlock();
      work();
      lock.lock();
      if (--working_ == 0) done_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  const std::function<void()>* work_ = nullptr;
  std::size_t wanted_ = 0;   // helpers that may still begin
  std::size_t working_ = 0;  // that have begun and not returned
  bool is_over_ = false;
  std::vector<std::jthread> threads_;  // the last member: they have ended before the others go
};

namespace {

// This thread's team; null without one, and while it is at work.
thread_local Helpers* team = nullptr;

void RunOnSome(std::size_t helpers, const std::function<void()>& work) {
  if (helpers == 0) return work();
  if (Helpers* const own = std::exchange(team, nullptr)) {
    own->Run(helpers, work);
    team = own;
  } else {
    Helpers().Run(helpers, work);
  }
}

}  // namespace

int ThreadCount(int requested) {
  if (requested > 0) return requested;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void ParallelFor(int threads, std::size_t tasks, const std::function<void(std::size_t)>& task) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  std::size_t failed_task = tasks;

  const std::stop_token stop = StopScope::Current();
  const auto work = [&] {
    const StopScope scope(stop);  // also on the threads that help
    for (std::size_t i = next++; i < tasks; i = next++) {
      try {
        ThrowIfStopped();
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

  const std::size_t wanted = std::min<std::size_t>(threads, tasks);
  RunOnSome(wanted > 1 ? wanted - 1 : 0, work);
  if (failure) std::rethrow_exception(failure);
}

ThreadTeam::ThreadTeam() : helpers_(std::make_unique<Helpers>()), outer_(std::exchange(team, helpers_.get())) {}

ThreadTeam::~ThreadTeam() { team = outer_; }

}  // namespace dtf
