#include "flow/score_table.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "flow/mixture_flow.h"

namespace dtf {
namespace {

double Summand(std::size_t column, Code code) { return -static_cast<double>((column + 1) * code); }

// Scores a row by its codes, whatever block it is in; wants blocks of a given size.
class PlainFlow : public Flow {
 public:
  PlainFlow(std::vector<Code> sizes, std::size_t block_rows) : Flow(std::move(sizes)), block_rows_(block_rows) {}

  CodeBlock Encode(CodeBlock block) const override { return block; }
  CodeBlock Decode(CodeBlock latent) const override { return latent; }
  void LogProb(CodeBlock block, std::span<double> out) const override {
    for (std::size_t i = 0; i < block.rows(); ++i) {
      out[i] = 0;
      for (std::size_t j = 0; j < block.columns(); ++j) out[i] += Summand(j, block[j][i]);
    }
  }
  bool HasColumnScores() const override { return true; }
  void LogProbPerColumn(CodeBlock block, std::span<const std::span<double>> out) const override {
    for (std::size_t j = 0; j < block.columns(); ++j) {
      for (std::size_t i = 0; i < block.rows(); ++i) out[j][i] = Summand(j, block[j][i]);
    }
  }
  void SampleRows(std::uint64_t, std::span<const std::uint64_t>, CodeBlock&) const override {}
  std::size_t BlockRows() const override { return block_rows_; }
  UnseenMass Unseen() const override { return {}; }
  std::uint64_t NodeCount() const override { return 0; }
  std::uint64_t ParameterCount() const override { return 0; }

 private:
  std::size_t block_rows_;
};

CodeTable RandomTable(std::size_t rows, const std::vector<Code>& sizes, std::mt19937_64& random) {
  CodeTable table = CodeTable::WithSizes(rows, sizes);
  for (std::size_t j = 0; j < sizes.size(); ++j) {
    for (std::size_t i = 0; i < rows; ++i) table.columns[j].Set(i, static_cast<Code>(random() % sizes[j]));
  }
  return table;
}

// Each row is in one block, no block is larger than the flow wants, and there is one for each thread as long as each
// has 64 rows or more.
TEST(ScoreTable, BlocksSuitTheFlowAndTheThreads) {
  std::mt19937_64 random(1);
  const std::vector<Code> sizes = {3, 4};
  for (const std::size_t rows : {0u, 1u, 63u, 64u, 65u, 640u, 1000u, 5000u}) {
    const CodeTable table = RandomTable(rows, sizes, random);
    for (const std::size_t wanted : {64u, 512u, 8192u}) {
      const PlainFlow flow(sizes, wanted);
      for (const int threads : {1, 2, 7}) {
        std::vector<std::atomic<int>> seen(rows);
        std::atomic<std::size_t> blocks = 0;
        std::atomic<bool> fits = true;
        ForEachBlock(flow, table, threads, [&](std::size_t first, CodeBlock block) {
          ++blocks;
          if (block.rows() > wanted || first % 64 != 0) fits = false;
          for (std::size_t i = 0; i < block.rows(); ++i) {
            ++seen[first + i];
            if (block[1][i] != table.columns[1].At(first + i)) fits = false;
          }
        });
        EXPECT_TRUE(fits);
        for (const auto& times : seen) EXPECT_EQ(times, 1);
        const std::size_t words = (rows + 63) / 64;
        if (words % threads == 0) {
          EXPECT_GE(blocks, std::min<std::size_t>(words, threads));
        }
        EXPECT_LE(blocks, words);
      }
    }
  }
}

TEST(ScoreTable, AsRowByRow) {
  std::mt19937_64 random(2);
  const std::vector<Code> sizes = {3, 4, 2};
  const CodeTable table = RandomTable(1000, sizes, random);
  const PlainFlow flow(sizes, 128);
  for (const int threads : {1, 3}) {
    const std::vector<double> scores = ScoreTable(flow, table, threads);
    const auto columns = ScoreTablePerColumn(flow, table, threads);
    ASSERT_EQ(scores.size(), table.rows);
    ASSERT_EQ(columns.size(), sizes.size());
    for (std::size_t i = 0; i < table.rows; ++i) {
      double expected = 0;
      for (std::size_t j = 0; j < sizes.size(); ++j) {
        EXPECT_EQ(columns[j][i], Summand(j, table.columns[j].At(i)));
        expected += columns[j][i];
      }
      EXPECT_EQ(scores[i], expected);
    }
  }
}

// A mixture's blocks are whole blocks of the member with the largest, several where the table is not too wide; smaller
// ones only of so many members that their scores would take too much memory.
TEST(MixtureFlow, BlocksAreNoSmallerThanItsMembersAndBounded) {
  for (const std::size_t columns : {1u, 100u, 1000u, 100'000u}) {
    const std::vector<Code> sizes(columns, 2);
    const auto small = std::make_shared<PlainFlow>(sizes, 64);
    const auto large = std::make_shared<PlainFlow>(sizes, 512);
    const std::size_t rows = MixtureFlow({small, large}, {0.25, 0.75}).BlockRows();
    EXPECT_EQ(rows % 64, 0);
    EXPECT_GE(rows, 512);
    EXPECT_TRUE(rows == 512 || rows * columns <= std::size_t{1} << 24);
    if (columns <= 1000) {
      EXPECT_EQ(rows, 16 * 512);
    }
  }
  constexpr std::size_t kMembers = 100'000;
  const std::vector<std::shared_ptr<const Flow>> many(kMembers, std::make_shared<PlainFlow>(std::vector<Code>{2}, 512));
  const std::size_t rows = MixtureFlow(many, std::vector<double>(kMembers, 1e-5)).BlockRows();
  EXPECT_EQ(rows % 64, 0);
  EXPECT_LE(rows * kMembers, std::size_t{1} << 24);
}

}  // namespace
}  // namespace dtf
