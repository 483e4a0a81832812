#include "base/parallel.h"

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace dtf {
namespace {

TEST(ParallelFor, RunsEachTaskOnce) {
  for (int threads : {1, 2, 3, 8}) {
    std::vector<std::atomic<int>> runs(1000);
    ParallelFor(threads, runs.size(), [&](std::size_t i) { ++runs[i]; });
    for (const auto& count : runs) EXPECT_EQ(count, 1);
  }
}

TEST(ParallelFor, NoTasksIsNoWork) {
  ParallelFor(4, 0, [](std::size_t) { FAIL(); });
}

TEST(ParallelFor, PassesAnExceptionOn) {
  EXPECT_THROW(ParallelFor(3, 10,
                           [](std::size_t i) {
                             if (i == 4) throw std::runtime_error("4");
                           }),
               std::runtime_error);
}

TEST(ThreadCount, ZeroStandsForAllCores) {
  EXPECT_GE(ThreadCount(0), 1);
  EXPECT_EQ(ThreadCount(3), 3);
}

}  // namespace
}  // namespace dtf
