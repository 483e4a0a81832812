#include "base/parallel.h"

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
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

TEST(ThreadTeam, RunsEachTaskOnceCallAfterCall) {
  const ThreadTeam team;
  for (int round = 0; round < 500; ++round) {
    std::vector<std::atomic<int>> runs(round % 7);
    ParallelFor(1 + round % 5, runs.size(), [&](std::size_t i) { ++runs[i]; });
    for (const auto& count : runs) ASSERT_EQ(count, 1);
  }
}

TEST(ThreadTeam, IsNoMoreThanTheThreadsAskedFor) {
  const ThreadTeam team;
  ParallelFor(8, 8, [](std::size_t) {});
  std::atomic<int> running = 0;
  std::atomic<int> most = 0;
  ParallelFor(2, 500, [&](std::size_t) {
    const int now = ++running;
    int before = most;
    while (before < now && !most.compare_exchange_weak(before, now)) {
    }
    std::this_thread::yield();
    --running;
  });
  EXPECT_LE(most, 2);
}

TEST(ThreadTeam, IsUsableAfterAnException) {
  const ThreadTeam team;
  for (int round = 0; round < 20; ++round) {
    EXPECT_THROW(ParallelFor(3, 9, [](std::size_t i) { throw std::runtime_error(std::to_string(i)); }),
                 std::runtime_error);
    std::atomic<int> runs = 0;
    ParallelFor(3, 9, [&](std::size_t) { ++runs; });
    EXPECT_EQ(runs, 9);
  }
}

TEST(ThreadTeam, SharesOutWithinATaskAndATeam) {
  const ThreadTeam team;
  std::atomic<int> runs = 0;
  ParallelFor(3, 5, [&](std::size_t) {
    const ThreadTeam inner;
    for (int round = 0; round < 3; ++round) ParallelFor(2, 7, [&](std::size_t) { ++runs; });
  });
  ParallelFor(3, 5, [&](std::size_t) { ParallelFor(2, 7, [&](std::size_t) { ++runs; }); });
  EXPECT_EQ(runs, 5 * 3 * 7 + 5 * 7);
}

TEST(ThreadCount, ZeroStandsForAllCores) {
  EXPECT_GE(ThreadCount(0), 1);
  EXPECT_EQ(ThreadCount(3), 3);
}

}  // namespace
}  // namespace dtf
