#include "perm/permutation.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "base/random.h"

namespace dtf {
namespace {

CodeSet RandomSet(RandomStream& random) {
  const auto size = static_cast<Code>(1 + random.Below(40));
  if (random.Below(2) == 0) return CodeSet::All(size);
  std::set<Code> codes;
  while (codes.size() < size) codes.insert(static_cast<Code>(random.Below(1000)));
  return CodeSet::Listed({codes.begin(), codes.end()});
}

std::vector<Code> Codes(const CodeSet& set) {
  std::vector<Code> codes;
  for (Code i = 0; i < set.size(); ++i) codes.push_back(set.At(i));
  return codes;
}

TEST(Permutation, MapsEachSourceToItsRankAndBack) {
  RandomStream random(1, RandomPurpose::kShuffle, 0);
  for (int round = 0; round < 2000; ++round) {
    const CodeSet set = RandomSet(random);
    std::vector<Code> sources = Codes(set);
    for (int swaps = static_cast<int>(random.Below(sources.size() + 1)); swaps > 0; --swaps) {
      std::swap(sources[random.Below(sources.size())], sources[random.Below(sources.size())]);
    }
    const Permutation permutation = Permutation::FromOrder(set, sources);
    for (Code rank = 0; rank < set.size(); ++rank) {
      EXPECT_EQ(permutation.Apply(set, sources[rank]), set.At(rank));
      EXPECT_EQ(permutation.Invert(set, set.At(rank)), sources[rank]);
    }
    EXPECT_EQ(permutation.Sources(set), sources);
    EXPECT_EQ(permutation.is_identity(), std::is_sorted(sources.begin(), sources.end()));
  }
}

TEST(Permutation, SortsByCountAndKeepsTheOrderOfEqualCounts) {
  const CodeSet set = CodeSet::Listed({2, 3, 5, 7, 9});
  const std::vector<std::uint64_t> counts = {4, 0, 4, 1, 0};
  const Permutation permutation = Permutation::Sorting(set, counts);
  const std::vector<Code> sources = {3, 9, 7, 2, 5};  // least first, equals in code order
  for (Code rank = 0; rank < 5; ++rank) EXPECT_EQ(permutation.Apply(set, sources[rank]), set.At(rank));
}

TEST(Permutation, OfManyCodesIsAsSmallAsThoseSeen) {
  std::vector<std::uint64_t> counts(100000, 0);
  counts[17] = 3;
  counts[5] = 1;
  EXPECT_EQ(Permutation::Sorting(CodeSet::All(100000), counts).top().size(), 2u);
}

TEST(CodeSet, SplitsIntoASubsetAndTheRest) {
  const CodeSet set = CodeSet::Listed({1, 4, 6, 8});
  const auto [in, out] = set.Split(std::vector<Code>{4, 5, 8});
  EXPECT_EQ(Codes(in), (std::vector<Code>{4, 8}));
  EXPECT_EQ(Codes(out), (std::vector<Code>{1, 6}));
  EXPECT_EQ(set.IndexOf(6), 2u);
  EXPECT_FALSE(set.Contains(5));
}

TEST(CodeSet, WithGapsIsTheListOfWhatIsLeft) {
  RandomStream random(2, RandomPurpose::kShuffle, 0);
  for (int round = 0; round < 300; ++round) {
    CodeSet set = CodeSet::All(static_cast<Code>(2 + random.Below(50)));
    std::vector<Code> codes = Codes(set);
    while (codes.size() > 1 && random.Below(4) > 0) {
      std::vector<Code> subset;
      std::copy_if(codes.begin(), codes.end(), std::back_inserter(subset), [&](Code) { return random.Below(4) == 0; });
      std::vector<Code> rest;
      std::set_difference(codes.begin(), codes.end(), subset.begin(), subset.end(), std::back_inserter(rest));
      const auto [in, out] = set.Split(subset);
      EXPECT_EQ(Codes(in), subset);
      EXPECT_EQ(in.Codes(), subset);
      EXPECT_EQ(Codes(out), rest);
      EXPECT_EQ(out.Codes(), rest);
      for (Code code = 0; code < 60; ++code) {
        const auto at = std::find(rest.begin(), rest.end(), code);
        EXPECT_EQ(out.IndexOf(code), static_cast<Code>(at - rest.begin()));
      }
      set = out;
      codes = rest;
    }
  }
}

TEST(Domain, NarrowsOnlyTheSplitFeature) {
  const std::vector<Code> sizes = {3, 2};
  const Domain root(sizes);
  const auto [left, right] = root.Split(0, std::vector<Code>{1});
  EXPECT_EQ(Codes(left.Of(0)), (std::vector<Code>{1}));
  EXPECT_EQ(Codes(right.Of(0)), (std::vector<Code>{0, 2}));
  EXPECT_EQ(right.Of(1).size(), 2u);
  EXPECT_EQ(right.narrowed().size(), 1u);
}

}  // namespace
}  // namespace dtf
