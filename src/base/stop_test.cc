#include "base/stop.h"

#include <atomic>

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "dtf/error.h"

namespace dtf {
namespace {

TEST(Stop, ScopesNestAndEnd) {
  std::stop_source outer;
  std::stop_source inner;
  outer.request_stop();
  EXPECT_NO_THROW(ThrowIfStopped());
  {
    const StopScope first(outer.get_token());
    {
      const StopScope second(inner.get_token());
      EXPECT_NO_THROW(ThrowIfStopped());
    }
    EXPECT_THROW(ThrowIfStopped(), Error);
  }
  EXPECT_NO_THROW(ThrowIfStopped());
}

// On whatever thread a task runs: those that follow a stop do not begin.
TEST(Stop, EndsSharedWork) {
  for (const int threads : {1, 4}) {
    std::stop_source source;
    const StopScope scope(source.get_token());
    std::atomic<int> begun = 0;
    const auto task = [&](std::size_t) {
      ++begun;
      source.request_stop();
      ThrowIfStopped();
    };
    EXPECT_THROW(ParallelFor(threads, 1000, task), Error);
    EXPECT_LE(begun, threads);
  }
}

}  // namespace
}  // namespace dtf
