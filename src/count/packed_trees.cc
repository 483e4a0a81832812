#include "count/packed_trees.h"

#include <algorithm>

#include "count/compress_panels.h"
#include "count/pack_pieces.h"
#include "count/plane_rows.h"

namespace dtf {
namespace {

// Moving a word of a test's plane takes as long as summing a word of rows for so many entries of TreePieces::tests.
constexpr std::size_t kCompressCost = 6;
// Where tests are more, finding those that are used could take longer than packing.
constexpr std::size_t kMostTestsPerUse = 16;

}  // namespace

PackedTrees::PackedTrees(std::span<const LogitTerm> terms, std::span<const LogitTree> trees)
    : pieces_(PackPieces(terms, trees)) {
  FindRuns();
}

void PackedTrees::FindRuns() {
  std::uint32_t last = 0;
  for (const std::uint32_t test : pieces_.tests) last = std::max(last, test);
  if (last >= kMostTestsPerUse * pieces_.tests.size()) return;
  std::vector<std::uint8_t> is_used(std::size_t{last} + 1);
  for (const std::uint32_t test : pieces_.tests) is_used[test] = 1;
  for (std::uint32_t test = 0; test <= last; ++test) {
    if (is_used[test] == 0) continue;
    if (runs_.empty() || runs_.back().first + runs_.back().size != test) runs_.push_back({test, 0});
    ++runs_.back().size;
    ++used_tests_;
  }
}

void PackedTrees::Sum(Logit bias, PlaneMatrix tests, std::span<const std::uint64_t> mask, Scratch& scratch,
                      std::span<Logit> logits) const {
  const std::size_t rows = CountBoth(mask.data(), mask);
  if (rows == 0) return;
  const std::size_t saved = mask.size() - PackedPlaneWords(rows);
  if (!runs_.empty() && kCompressCost * mask.size() * used_tests_ < saved * pieces_.tests.size()) {
    SumCompressed(bias, tests, mask, rows, scratch, logits);
  } else {
    SumWhereTheyAre(bias, tests, mask, scratch, logits.data());
  }
}

void PackedTrees::SumWhereTheyAre(Logit bias, PlaneMatrix tests, std::span<const std::uint64_t> mask, Scratch& scratch,
                                  Logit* logits) const {
  std::uint64_t* roots = scratch.roots.Resize(kPackedWords * pieces_.most_pieces);
  SumPieces(pieces_, bias, tests, mask.data(), mask.size(), roots, logits);
}

void PackedTrees::SumCompressed(Logit bias, PlaneMatrix tests, std::span<const std::uint64_t> mask, std::size_t rows,
                                Scratch& scratch, std::span<Logit> logits) const {
  const std::size_t words = PlaneWords(rows);
  std::uint64_t* planes = scratch.planes.Resize(tests.planes * words + kPackedWords);
  for (const auto [first, size] : runs_) {
    CompressPlanes({tests[first], size, tests.words}, mask, planes + first * words);
  }
  scratch.mask.assign(PackedPlaneWords(rows), 0);
  std::fill_n(scratch.mask.begin(), words, ~std::uint64_t{0});
  scratch.logits.resize(64 * scratch.mask.size());
  SumWhereTheyAre(bias, {planes, tests.planes, words}, scratch.mask, scratch, scratch.logits.data());
  const Logit* next = scratch.logits.data();
  for (const std::size_t row : PlaneRows(mask)) logits[row] = *next++;
}

}  // namespace dtf
