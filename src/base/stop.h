// Giving up in the middle of a long computation, because the caller no longer wants its result.
#pragma once

#include <stop_token>

namespace dtf {

// While it lives, ThrowIfStopped on this thread, and in tasks that it shares out by ParallelFor, asks this token.
class StopScope {
 public:
  explicit StopScope(std::stop_token token);
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

  // That of the innermost scope on this thread; without one a token that never asks to stop.
  static const std::stop_token& Current();

 private:
  std::stop_token outer_;
};

// Throws Error(kInterrupted) once a stop was asked for. Costs a load: to be called every few milliseconds of work.
void ThrowIfStopped();

}  // namespace dtf
