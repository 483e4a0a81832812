#include "learn/hidden_tree/state_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/exponential.h"
#include "base/logarithm.h"
#include "base/random.h"

namespace dtf {
namespace {

// Of the logarithms of the first shares: of transitions, and of the odds of two categories.
constexpr double kStartSpread = 8;
// Shares that are learnt are at least so large.
constexpr float kLeastCategory = 1e-6f;
constexpr float kLeastTransition = 1e-9f;
constexpr double kShareRows = 0.5;     // of the table, more of each category
constexpr float kShareOfPrior = 0.1f;  // as much more of each state, together, to spread a prior by

// Numbers of a normal distribution (Marsaglia & Bray, SIAM Review 1964).
class NormalNumbers {
 public:
  explicit NormalNumbers(const RandomStream& random) : random_(random) {}

  double Next() {
    for (;;) {
      const double x = 2 * random_.Uniform() - 1;
      const double y = 2 * random_.Uniform() - 1;
      const double square = x * x + y * y;
      if (square < 1 && square > 0) return x * std::sqrt(-2 * Ln(square) / square);
    }
  }

 private:
  RandomStream random_;
};

// From logarithms to what they are the logarithms of, but for a factor: they sum to 1.
void ToShares(std::span<double> numbers) {
  const double most = *std::ranges::max_element(numbers);
  double sum = 0;
  for (double& number : numbers) sum += number = Exp(number - most);
  for (double& number : numbers) number /= sum;
}

void AddRows(const float* rows, std::size_t count, std::size_t stride, float* sums) {
  for (const float* row = rows; row < rows + count * stride; row += stride) {
    for (std::size_t z = 0; z < stride; ++z) sums[z] += row[z];
  }
}

float Sum(const float* numbers, std::size_t size) {
  constexpr std::size_t kLanes = 8;
  float sums[kLanes] = {};
  for (std::size_t i = 0; i < size; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += numbers[i + lane];
  }
  return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

}  // namespace

StateModel::StateModel(const ColumnTree& tree, const WeightedRows& rows, std::span<const Code> sizes,
                       std::size_t states, std::uint64_t seed, std::uint64_t number)
    : tree_(tree), shares_(tree, sizes, states), sums_(shares_.stride()) {
  for (const Feature column : tree.order) {
    std::vector<float>& of_column = of_table_.emplace_back();
    std::vector<double> of_categories;
    for (const std::uint64_t count : rows.CountCategories(column, sizes[column])) {
      of_categories.push_back(rows.unit * static_cast<double>(count) + kShareRows);
    }
    const double total = std::accumulate(of_categories.begin(), of_categories.end(), 0.0);
    for (const double of_category : of_categories) of_column.push_back(static_cast<float>(of_category / total));
  }
  std::fill_n(shares_.root(), states, 1 / static_cast<float>(states));
  const std::size_t size = (tree.size() - 1) * states * shares_.stride();
  std::fill_n(transposed_.Resize(size), size, 0.0f);
  StartCategories(seed, number);
  StartTransitions(seed, number);
}

void StateModel::StartCategories(std::uint64_t seed, std::uint64_t number) {
  NormalNumbers normal(RandomStream(seed, RandomPurpose::kHiddenTree, 0, number));
  const double spread = kStartSpread / std::sqrt(2.0);
  std::vector<double> numbers;
  for (std::size_t position = 0; position < shares_.columns(); ++position) {
    numbers.resize(shares_.size(position));
    for (std::size_t z = 0; z < shares_.states(); ++z) {
      for (std::size_t x = 0; x < numbers.size(); ++x) numbers[x] = Ln(of_table_[position][x]) + spread * normal.Next();
      ToShares(numbers);
      float* share = shares_.categories(position) + z;
      for (std::size_t x = 0; x < numbers.size(); ++x, share += shares_.stride()) {
        *share = std::max(static_cast<float>(numbers[x]), kLeastCategory);
      }
      *share = 1;  // of a cell that tells nothing
    }
  }
}

void StateModel::StartTransitions(std::uint64_t seed, std::uint64_t number) {
  NormalNumbers normal(RandomStream(seed, RandomPurpose::kHiddenTree, 1, number));
  std::vector<double> numbers(shares_.states());
  for (std::size_t position = 1; position < shares_.columns(); ++position) {
    for (std::size_t y = 0; y < shares_.states(); ++y) {
      for (double& of_state : numbers) of_state = kStartSpread * normal.Next();
      ToShares(numbers);
      float* shares = shares_.transitions(position) + y * shares_.stride();
      for (std::size_t z = 0; z < numbers.size(); ++z) {
        shares[z] = std::max(static_cast<float>(numbers[z]), kLeastTransition);
      }
    }
    Transpose(position);
  }
}

void StateModel::Learn(const StateNumbers& expected, float prior_share) {
  LearnRoot(expected, prior_share);
  for (std::size_t position = 0; position < shares_.columns(); ++position) {
    LearnCategories(expected, prior_share, position);
    if (position > 0) LearnTransitions(expected, prior_share, position);
  }
}

void StateModel::LearnRoot(const StateNumbers& expected, float prior_share) {
  const float total = Sum(expected.root(), shares_.stride()) + prior_share;
  const float of_state = prior_share / static_cast<float>(shares_.states());
  for (std::size_t z = 0; z < shares_.states(); ++z) {
    shares_.root()[z] = std::max((expected.root()[z] + of_state) / total, kLeastTransition);
  }
}

void StateModel::LearnTransitions(const StateNumbers& expected, float prior_share, std::size_t position) {
  const std::size_t states = shares_.states();
  const std::size_t stride = shares_.stride();
  const float* pairs = expected.transitions(position);
  // The prior: by the shares of the column's states.
  std::ranges::fill(sums_, 0.0f);
  AddRows(pairs, states, stride, sums_.data());
  const float even = kShareOfPrior * prior_share / static_cast<float>(states);
  for (std::size_t z = 0; z < states; ++z) sums_[z] += even;
  const float scale = prior_share / Sum(sums_.data(), stride);
  for (std::size_t z = 0; z < states; ++z) sums_[z] *= scale;

  float* shares = shares_.transitions(position);
  for (std::size_t y = 0; y < states; ++y, pairs += stride, shares += stride) {
    const float inverse = 1 / (Sum(pairs, stride) + prior_share);
    for (std::size_t z = 0; z < states; ++z) {
      const float share = (pairs[z] + sums_[z]) * inverse;
      shares[z] = share > kLeastTransition ? share : kLeastTransition;
    }
  }
  Transpose(position);
}

void StateModel::LearnCategories(const StateNumbers& expected, float prior_share, std::size_t position) {
  const std::size_t stride = shares_.stride();
  const std::vector<float>& of_table = of_table_[position];
  const float* counts = expected.categories(position);
  std::ranges::fill(sums_, prior_share);
  AddRows(counts, of_table.size(), stride, sums_.data());
  for (float& sum : sums_) sum = 1 / sum;
  float* shares = shares_.categories(position);
  for (std::size_t x = 0; x < of_table.size(); ++x, counts += stride, shares += stride) {
    const float of_prior = prior_share * of_table[x];
    for (std::size_t z = 0; z < shares_.states(); ++z) {
      const float share = (counts[z] + of_prior) * sums_[z];
      shares[z] = share > kLeastCategory ? share : kLeastCategory;
    }
  }
}

void StateModel::Transpose(std::size_t position) {
  const std::size_t states = shares_.states();
  const std::size_t stride = shares_.stride();
  const float* from = shares_.transitions(position);
  float* to = transposed_.data() + (position - 1) * states * stride;
  constexpr std::size_t kBlock = 16;  // a cache line of each of so many rows
  for (std::size_t begin = 0; begin < states; begin += kBlock) {
    const std::size_t end = std::min(begin + kBlock, states);
    for (std::size_t z = 0; z < states; ++z) {
      for (std::size_t y = begin; y < end; ++y) to[z * stride + y] = from[y * stride + z];
    }
  }
}

HiddenTree StateModel::ToHiddenTree() const {
  const std::size_t states = shares_.states();
  const std::size_t stride = shares_.stride();
  HiddenTree hidden;
  hidden.states = states;
  hidden.order = tree_.order;
  hidden.parent = tree_.parent;
  const auto append = [&](const float* rows, std::size_t count, std::vector<LogShare>& to) {
    for (const float* row = rows; row < rows + count * stride; row += stride) {
      for (std::size_t z = 0; z < states; ++z) to.push_back(ToLogShare(row[z]));
    }
  };
  append(shares_.root(), 1, hidden.root);
  for (std::size_t position = 1; position < tree_.size(); ++position) {
    append(shares_.transitions(position), states, hidden.transitions);
  }
  std::vector<std::size_t> position_of(tree_.size());
  for (std::size_t position = 0; position < tree_.size(); ++position) position_of[tree_.order[position]] = position;
  for (const std::size_t position : position_of) {
    append(shares_.categories(position), shares_.size(position), hidden.categories);
  }
  return hidden;
}

}  // namespace dtf
