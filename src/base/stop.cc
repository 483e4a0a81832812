#include "base/stop.h"

#include <utility>

#include "dtf/error.h"

namespace dtf {
namespace {

thread_local std::stop_token current;

}  // namespace

StopScope::StopScope(std::stop_token token) : outer_(std::exchange(current, std::move(token))) {}
StopScope::~StopScope() { current = std::move(outer_); }
const std::stop_token& StopScope::Current() { return current; }

void ThrowIfStopped() {
  if (current.stop_requested()) throw Error(ErrorKind::kInterrupted, "interrupted");
}

}  // namespace dtf
