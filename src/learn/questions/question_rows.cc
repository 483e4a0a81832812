#include "learn/questions/question_rows.h"

#include <algorithm>
#include <bit>

#include "count/compress_panels.h"
#include "count/logistic.h"

namespace dtf {

CoarseWeights QuestionWeights(const WeightedRows& rows) { return Coarsen(rows, std::uint64_t{1} << 30, 1); }

namespace {

// Rows first … rows − 1.
std::vector<std::uint64_t> BitsFrom(std::size_t first, std::size_t rows) {
  std::vector<std::uint64_t> bits(PlaneWords(rows));
  for (std::size_t i = first; i < rows; i = (i / 64 + 1) * 64) {
    bits[i / 64] = ~std::uint64_t{0} << (i % 64);
  }
  if (first < rows && rows % 64 != 0) bits.back() &= (std::uint64_t{1} << (rows % 64)) - 1;
  return bits;
}

template <typename F>
void ForEachBit(std::span<const std::uint64_t> plane, const F& f) {
  for (std::size_t w = 0; w < plane.size(); ++w) {
    for (std::uint64_t word = plane[w]; word != 0; word &= word - 1) {
      f(w * 64 + static_cast<std::size_t>(std::countr_zero(word)));
    }
  }
}

}  // namespace

QuestionRows::QuestionRows(const CodeColumn& column, const CoarseWeights& weights, const ContextPlanes& contexts,
                           std::size_t tests, const QuestionRanges& ranges, std::size_t question,
                           std::size_t first_half)
    : unit_(weights.unit) {
  const std::uint32_t first = ranges.first[question];
  const std::uint32_t size = ranges.last[question] - first;
  const std::uint32_t yes_size = ranges.middle[question] - first;
  std::vector<std::uint64_t> reach(contexts.words());
  std::vector<std::uint64_t> yes(contexts.words());
  std::size_t all_rows = 0;
  column.Visit([&](auto cells) {
    all_rows = cells.size();
    for (std::size_t begin = 0; begin < cells.size(); begin += 64) {
      const std::size_t end = std::min(begin + 64, cells.size());
      std::uint64_t reach_word = 0;
      std::uint64_t yes_word = 0;
      for (std::size_t i = begin; i < end; ++i) {
        // Beyond the categories is the unseen slot, which no question asks about.
        const std::uint32_t position = cells[i] < ranges.position.size() ? ranges.position[cells[i]] - first : size;
        reach_word |= std::uint64_t{position < size} << (i - begin);
        yes_word |= std::uint64_t{position < yes_size} << (i - begin);
      }
      reach[begin / 64] = reach_word;
      yes[begin / 64] = yes_word;
    }
  });
  for (const std::uint64_t word : reach) rows_ += static_cast<std::size_t>(std::popcount(word));
  std::vector<std::uint64_t> second_half = BitsFrom(first_half, all_rows);
  if (rows_ == all_rows) {
    tests_ = contexts.First(tests);
    yes_ = std::move(yes);
    second_half_ = std::move(second_half);
    weights_ = weights.weights;
  } else {
    own_planes_.resize(tests * words());
    yes_.resize(words());
    second_half_.resize(words());
    CompressPlanes(contexts.First(tests), reach, own_planes_.data());
    CompressPlane(yes.data(), reach, yes_.data());
    CompressPlane(second_half.data(), reach, second_half_.data());
    tests_ = {own_planes_.data(), tests, words()};
    if (!weights.weights.empty()) ForEachBit(reach, [&](std::size_t i) { weights_.push_back(weights.weights[i]); });
  }
  all_ = BitsFrom(0, rows_);
  std::uint64_t total = 0;
  std::uint64_t total_yes = 0;
  for (std::size_t i = 0; i < rows_; ++i) {
    const std::uint32_t weight = weights_.empty() ? 1 : weights_[i];
    most_weight_ = std::max(most_weight_, weight);
    total += weight;
    total_yes += (yes_[i / 64] >> (i % 64) & 1) * weight;
  }
  total_ = unit_ * static_cast<double>(total);
  total_yes_ = unit_ * static_cast<double>(total_yes);
}

std::vector<std::uint64_t> QuestionRows::WeightPlanes() const { return weights_.empty() ? all_ : BitPlanes(weights_); }

std::vector<float> QuestionRows::WeightShares() const {
  std::vector<float> shares(weights_.empty() ? 0 : 64 * words());
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    shares[i] = static_cast<float>(weights_[i]) / static_cast<float>(most_weight_);
  }
  return shares;
}

double QuestionRows::Loss(std::span<const Logit> logits) const {
  const auto [first, second] = LossOfHalves(logits);
  return first + second;
}

std::array<double, 2> QuestionRows::LossOfHalves(std::span<const Logit> logits) const {
  std::vector<std::int32_t> losses(64 * words());
  FindLosses(logits, yes(), losses);
  std::int64_t all = 0;
  std::int64_t second = 0;
  for (std::size_t i = 0; i < rows_; ++i) {
    const std::int64_t loss = std::int64_t{losses[i]} * (weights_.empty() ? 1 : weights_[i]);
    all += loss;
    second += loss & -static_cast<std::int64_t>(second_half_[i / 64] >> (i % 64) & 1);
  }
  const double scale = unit_ * 0x1p-20;
  return {scale * static_cast<double>(all - second), scale * static_cast<double>(second)};
}

}  // namespace dtf
