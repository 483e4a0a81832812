// Ending a long computation before it is done, when the caller no longer wants its result.
#pragma once

#include <stop_token>

namespace dtf {

// While it lives, this token is the one that ThrowIfStopped asks, on this thread and in the tasks of its ParallelFor.
class StopScope {
 public:
  explicit StopScope(std::stop_token token);
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

  // The token of the innermost scope on this thread; without a scope, one that never asks to stop.
  static const std::stop_token& Current();

 private:
  std::stop_token outer_;
};

// Throws Error(kInterrupted) once a stop has been asked for. To be called every few milliseconds of work; costs a load.
void ThrowIfStopped();

}  // namespace dtf
