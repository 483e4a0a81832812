#include "learn/questions/question_rows.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "count/compress_panels.h"
#include "count/logistic.h"
#include "learn/row_groups.h"

namespace dtf {

CoarseWeights QuestionWeights(const WeightedRows& rows) { return Coarsen(rows, std::uint64_t{1} << 30, 1); }

namespace {

constexpr std::size_t kManyCategories = 64;

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

AskedColumn::AskedColumn(const CodeColumn& cells, const QuestionRanges& ranges) : cells_(cells), ranges_(ranges) {
  const std::size_t positions = ranges.position.size();
  if (positions < kManyCategories) return;
  cells.Visit([&](auto codes) {
    rows_ = GroupValues(positions, [&](const auto& f) {
      for (std::uint32_t i = 0; i < codes.size(); ++i) {
        if (codes[i] < positions) f(ranges.position[codes[i]], i);
      }
    });
  });
}

std::optional<std::vector<std::uint32_t>> AskedColumn::FewRows(std::size_t question) const {
  if (rows_.size() == 0) return std::nullopt;
  const std::size_t first = rows_.Begin(ranges_.first[question]);
  const std::size_t count = rows_.Begin(ranges_.last[question]) - first;
  if (count >= PlaneWords(cells_.size())) return std::nullopt;
  const auto rows = std::span(rows_.values()).subspan(first, count);
  std::vector<std::uint32_t> ascending(rows.begin(), rows.end());
  std::ranges::sort(ascending);
  return ascending;
}

QuestionRows::QuestionRows(const AskedColumn& column, std::size_t question, const CoarseWeights& weights,
                           const ContextPlanes& contexts, std::span<const std::uint32_t> tests, std::size_t first_half,
                           const std::optional<CodeLogits>& start)
    : unit_(weights.unit) {
  const Source source{column, question, weights, contexts, tests, first_half, start};
  if (const auto rows = column.FewRows(question)) {
    TakeFew(*rows, source);
  } else {
    TakeMany(source);
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

// One by one.
void QuestionRows::TakeFew(std::span<const std::uint32_t> rows, const Source& source) {
  rows_ = rows.size();
  const auto gather = [&](const auto& has, std::uint64_t* to) {
    for (std::size_t i = 0; i < rows.size(); ++i) to[i / 64] |= std::uint64_t{has(rows[i])} << (i % 64);
  };
  const QuestionRanges& ranges = source.column.ranges();
  const std::uint32_t middle = ranges.middle[source.question];
  yes_.resize(words());
  source.column.cells().Visit([&](auto cells) {
    gather([&](std::uint32_t row) { return ranges.position[cells[row]] < middle; }, yes_.data());
  });
  second_half_.resize(words());
  gather([&](std::uint32_t row) { return row >= source.first_half; }, second_half_.data());
  own_planes_.resize(source.tests.size() * words());
  tests_ = {own_planes_.data(), source.tests.size(), words()};
  for (std::size_t t = 0; t < source.tests.size(); ++t) {
    const std::uint64_t* plane = source.contexts.First(source.tests[t] + 1)[source.tests[t]];
    gather([&](std::uint32_t row) { return (plane[row / 64] >> (row % 64) & 1) != 0; },
           own_planes_.data() + t * words());
  }
  if (source.start) {
    for (const std::uint32_t row : rows) BeginWith(*source.start, row);
  }
  if (source.weights.weights.empty()) return;
  for (const std::uint32_t row : rows) weights_.push_back(source.weights.weights[row]);
}

// In passes over the whole table.
void QuestionRows::TakeMany(const Source& source) {
  const QuestionRanges& ranges = source.column.ranges();
  const std::uint32_t first = ranges.first[source.question];
  const std::uint32_t size = ranges.last[source.question] - first;
  const std::uint32_t yes_size = ranges.middle[source.question] - first;
  const std::size_t all_rows = source.column.cells().size();
  std::vector<std::uint64_t> reach(PlaneWords(all_rows));
  yes_.resize(reach.size());
  source.column.cells().Visit([&](auto cells) {
    for (std::size_t begin = 0; begin < all_rows; begin += 64) {
      const std::size_t end = std::min(begin + 64, all_rows);
      std::uint64_t reach_word = 0;
      std::uint64_t yes_word = 0;
      for (std::size_t i = begin; i < end; ++i) {
        // Beyond the categories is the unseen slot, which no question asks about.
        const std::uint32_t position = cells[i] < ranges.position.size() ? ranges.position[cells[i]] - first : size;
        reach_word |= std::uint64_t{position < size} << (i - begin);
        yes_word |= std::uint64_t{position < yes_size} << (i - begin);
      }
      reach[begin / 64] = reach_word;
      yes_[begin / 64] = yes_word;
    }
  });
  for (const std::uint64_t word : reach) rows_ += static_cast<std::size_t>(std::popcount(word));
  second_half_ = BitsFrom(source.first_half, all_rows);
  if (source.start) ForEachBit(reach, [&](std::size_t i) { BeginWith(*source.start, i); });
  const bool are_first = source.tests.empty() || source.tests.back() == source.tests.size() - 1;
  std::optional<ContextPlanes> chosen;
  if (!are_first) chosen.emplace(source.contexts, source.tests);
  const PlaneMatrix planes = (chosen ? *chosen : source.contexts).First(source.tests.size());
  if (rows_ == all_rows) {
    weights_ = source.weights.weights;
    tests_ = planes;
    if (!are_first) {
      own_planes_.assign(planes.first, planes.first + planes.planes * planes.words);
      tests_.first = own_planes_.data();
    }
    return;
  }
  own_planes_.resize(source.tests.size() * words());
  tests_ = {own_planes_.data(), source.tests.size(), words()};
  CompressPlanes(planes, reach, own_planes_.data());
  for (std::vector<std::uint64_t>* plane : {&yes_, &second_half_}) {
    std::vector<std::uint64_t> compressed(words());
    CompressPlane(plane->data(), reach, compressed.data());
    *plane = std::move(compressed);
  }
  if (!source.weights.weights.empty()) {
    ForEachBit(reach, [&](std::size_t i) { weights_.push_back(source.weights.weights[i]); });
  }
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
