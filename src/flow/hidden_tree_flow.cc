#include "flow/hidden_tree_flow.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "base/logarithm.h"
#include "count/network_kernels.h"
#include "flow/answer_draws.h"

namespace dtf {
namespace {

// Rows that go down the tree side by side, and what they may take of memory at all its levels.
constexpr std::size_t kMostRows = 128;
constexpr std::size_t kMostFloats = std::size_t{1} << 20;

// Divides each row by its greatest value, lest products of many become 0.
void Rescale(float* values, std::size_t rows, std::size_t states) {
  for (std::size_t i = 0; i < rows; ++i) {
    float* row = values + i * states;
    const float scale = 1 / *std::max_element(row, row + states);
    for (std::size_t z = 0; z < states; ++z) row[z] *= scale;
  }
}

}  // namespace

class HiddenTreeFlow::CategoryShares {
 public:
  CategoryShares(const HiddenTreeFlow& flow, Feature column, const float* states)
      : flow_(flow), column_(column), states_(states) {}

  Code size() const { return flow_.sizes()[column_]; }

  // Of a category, in proportion to Total.
  double Of(std::size_t row, Code code) const {
    const float* in_state = flow_.OfCategory(column_, code);
    const float* states = states_ + row * flow_.padded_states_;
    double share = 0;
    for (std::size_t z = 0; z < flow_.padded_states_; ++z) share += static_cast<double>(states[z]) * in_state[z];
    return share;
  }

  double Total(std::size_t row) const {
    const double* in_state = flow_.all_categories_.data() + column_ * flow_.padded_states_;
    const float* states = states_ + row * flow_.padded_states_;
    double total = 0;
    for (std::size_t z = 0; z < flow_.padded_states_; ++z) total += states[z] * in_state[z];
    return total;
  }

  // Of all categories.
  void Find(std::size_t row, std::vector<double>& shares) const {
    shares.resize(size());
    for (Code code = 0; code < size(); ++code) shares[code] = Of(row, code);
  }

 private:
  const HiddenTreeFlow& flow_;
  Feature column_;
  const float* states_;  // of each row, what the columns before say
};

// Some rows on their way through the tree. Of each column from the root to the present one: what the columns before it
// say of its state, and what it and the columns below it say, so far.
class HiddenTreeFlow::Walk {
 public:
  Walk(const HiddenTreeFlow& flow, std::size_t rows)
      : flow_(flow), states_(flow.padded_states_), size_(rows * states_), rows_(rows) {
    before_.Resize(flow.levels_ * size_);
    below_.Resize(flow.levels_ * size_);
    both_.Resize(size_);
  }

  // The states of a position's column, by the columns before it. REQUIRES: positions in their order.
  const float* Enter(std::size_t position) {
    while (!path_.empty() && flow_.depth_[path_.back()] >= flow_.depth_[position]) Leave();
    float* states = Before(flow_.depth_[position]);
    if (path_.empty()) {
      for (std::size_t i = 0; i < rows_; ++i) std::copy_n(flow_.root_.data(), states_, states + i * states_);
    } else {
      const float* before = Before(path_.size() - 1);
      const float* below = Below(path_.size() - 1);
      float* both = both_.data();
      for (std::size_t k = 0; k < size_; ++k) both[k] = before[k] * below[k];
      Multiply(both, flow_.down_.data() + (position - 1) * states_ * states_, states);
    }
    path_.push_back(position);
    return states;
  }

  // What the codes of the column just entered say.
  void See(Feature column, std::span<const Code> codes) {
    float* below = Below(path_.size() - 1);
    for (std::size_t i = 0; i < rows_; ++i) {
      float* row = below + i * states_;
      if (codes[i] < flow_.sizes()[column]) {
        std::copy_n(flow_.OfCategory(column, codes[i]), states_, row);
      } else {
        std::fill_n(row, states_, 1.0f);
      }
    }
    Rescale(below, rows_, states_);
  }

 private:
  float* Before(std::size_t level) { return before_.data() + level * size_; }
  float* Below(std::size_t level) { return below_.data() + level * size_; }

  // Each row of `from` times the matrix.
  void Multiply(const float* from, const float* matrix, float* to) {
    std::fill_n(to, size_, 0.0f);
    AddProduct({from, states_, 1}, matrix, rows_, states_, states_, to);
    Rescale(to, rows_, states_);
  }

  // Tells the parent what the last column of the path and those below it say.
  void Leave() {
    const std::size_t level = path_.size() - 1;
    Multiply(Below(level), flow_.up_.data() + (path_.back() - 1) * states_ * states_, both_.data());
    path_.pop_back();
    float* parent = Below(level - 1);
    for (std::size_t k = 0; k < size_; ++k) parent[k] *= both_.data()[k];
    Rescale(parent, rows_, states_);
  }

  const HiddenTreeFlow& flow_;
  std::size_t states_;
  std::size_t size_;  // of the rows' states
  std::size_t rows_;
  std::vector<std::size_t> path_;  // positions
  AlignedBuffer<float> before_;    // by level
  AlignedBuffer<float> below_;     // likewise
  AlignedBuffer<float> both_;
};

HiddenTreeFlow::HiddenTreeFlow(std::vector<Code> column_sizes, HiddenTree tree, ConditionalBase base)
    : Flow(std::move(column_sizes)),
      tree_(std::move(tree)),
      base_(std::move(base)),
      padded_states_(PaddedFloats(tree_.states)) {
  for (std::size_t j = 0; j < sizes().size(); ++j) {
    const double unseen = base_.Unseen(j, sizes()[j]);
    log_seen_.push_back(Ln(1 - unseen));
    log_unseen_.push_back(Ln(unseen));
    unseen_.AddColumn(unseen);
  }
  const auto fill = [](AlignedBuffer<float>& buffer, std::size_t size) {
    buffer.Resize(size);
    std::fill_n(buffer.data(), size, 0.0f);  // padding says that a state is none
  };
  const auto share = [](LogShare log_share) { return static_cast<float>(FromLogShare(log_share)); };
  const std::size_t states = tree_.states;
  fill(root_, padded_states_);
  std::ranges::transform(tree_.root, root_.data(), share);

  const std::size_t matrix = padded_states_ * padded_states_;
  fill(down_, (sizes().size() - 1) * matrix);
  fill(up_, (sizes().size() - 1) * matrix);
  depth_.assign(1, 0);
  for (std::size_t t = 1; t < sizes().size(); ++t) {
    depth_.push_back(depth_[tree_.parent[t]] + 1);
    for (std::size_t k = 0; k < states * states; ++k) {
      const float transition = share(tree_.transitions[(t - 1) * states * states + k]);
      down_.data()[(t - 1) * matrix + k / states * padded_states_ + k % states] = transition;
      up_.data()[(t - 1) * matrix + k % states * padded_states_ + k / states] = transition;
    }
  }
  levels_ = *std::ranges::max_element(depth_) + 1;

  std::size_t categories = 0;
  for (const Code size : sizes()) {
    first_category_.push_back(categories);
    categories += size;
  }
  fill(categories_, categories * padded_states_);
  for (std::size_t k = 0; k < categories * states; ++k) {
    categories_.data()[k / states * padded_states_ + k % states] = share(tree_.categories[k]);
  }
  all_categories_.resize(sizes().size() * padded_states_);
  for (Feature j = 0; j < sizes().size(); ++j) {
    for (Code code = 0; code < sizes()[j]; ++code) {
      for (std::size_t z = 0; z < states; ++z) all_categories_[j * padded_states_ + z] += OfCategory(j, code)[z];
    }
  }
}

void HiddenTreeFlow::ForEachColumn(CodeBlock& block, const Visit& visit) const {
  const std::size_t most = std::clamp(kMostFloats / (levels_ * padded_states_), std::size_t{1}, kMostRows);
  for (std::size_t first = 0; first < block.rows(); first += most) {
    const std::size_t rows = std::min(most, block.rows() - first);
    Walk walk(*this, rows);
    for (std::size_t t = 0; t < tree_.order.size(); ++t) {
      const Feature column = tree_.order[t];
      const std::span<Code> codes = block[column].subspan(first, rows);
      visit(column, first, CategoryShares(*this, column, walk.Enter(t)), codes);
      walk.See(column, codes);
    }
  }
}

void HiddenTreeFlow::LogProbPerColumn(CodeBlock block, std::span<const std::span<double>> out) const {
  ForEachColumn(block, [&](Feature column, std::size_t first, const CategoryShares& shares, std::span<Code> codes) {
    for (std::size_t i = 0; i < codes.size(); ++i) {
      out[column][first + i] = log_unseen_[column];
      if (codes[i] == shares.size()) continue;
      // Rounding may bring the only category's share above all of them.
      out[column][first + i] = log_seen_[column] + std::min(Ln(shares.Of(i, codes[i])) - Ln(shares.Total(i)), 0.0);
    }
  });
}

void HiddenTreeFlow::LogProb(CodeBlock block, std::span<double> out) const {
  const std::size_t rows = block.rows();
  std::vector<double> scores(rows * block.columns());
  std::vector<std::span<double>> by_column;
  for (std::size_t j = 0; j < block.columns(); ++j) by_column.push_back(std::span(scores).subspan(j * rows, rows));
  LogProbPerColumn(std::move(block), by_column);
  std::fill_n(out.begin(), rows, 0.0);
  for (const auto& of_column : by_column) {
    for (std::size_t i = 0; i < rows; ++i) out[i] += of_column[i];
  }
}

// The codes of the columns after one follow from its category: what is encoded is kept apart.
CodeBlock HiddenTreeFlow::Encode(CodeBlock block) const {
  CodeBlock latent(block.rows(), block.columns());
  std::vector<double> of_code;
  ForEachColumn(block, [&](Feature column, std::size_t first, const CategoryShares& shares, std::span<Code> codes) {
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const Code code = codes[i];
      Code& rank = latent[column][first + i];
      rank = code;
      if (code == shares.size()) continue;
      shares.Find(i, of_code);
      rank = 0;
      for (Code other = 0; other < shares.size(); ++other) {
        rank += std::pair(of_code[other], other) < std::pair(of_code[code], code) ? 1 : 0;
      }
    }
  });
  return latent;
}

CodeBlock HiddenTreeFlow::Decode(CodeBlock latent) const {
  std::vector<double> of_code;
  std::vector<Code> by_rank;
  ForEachColumn(latent, [&](Feature, std::size_t, const CategoryShares& shares, std::span<Code> codes) {
    by_rank.resize(shares.size());
    for (std::size_t i = 0; i < codes.size(); ++i) {
      if (codes[i] == shares.size()) continue;
      shares.Find(i, of_code);
      std::iota(by_rank.begin(), by_rank.end(), Code{0});
      const auto at_rank = by_rank.begin() + codes[i];
      std::ranges::nth_element(by_rank, at_rank, {}, [&](Code code) { return std::pair(of_code[code], code); });
      codes[i] = *at_rank;
    }
  });
  return latent;
}

void HiddenTreeFlow::SampleRows(std::uint64_t seed, std::span<const std::uint64_t> numbers, CodeBlock& block) const {
  std::optional<AnswerDraws> draws;  // of the rows that go side by side
  std::vector<double> of_code;
  ForEachColumn(block, [&](Feature column, std::size_t first, const CategoryShares& shares, std::span<Code> codes) {
    if (column == tree_.order[0]) draws.emplace(seed, numbers.subspan(first, codes.size()));
    draws->StartColumn(column);
    for (std::size_t i = 0; i < codes.size(); ++i) {
      shares.Find(i, of_code);
      double left =
          static_cast<double>(draws->Next(i)) * 0x1p-53 * std::accumulate(of_code.begin(), of_code.end(), 0.0);
      Code code = 0;
      while (code + 1 < shares.size() && left >= of_code[code]) left -= of_code[code++];
      codes[i] = code;
    }
  });
}

std::uint64_t HiddenTreeFlow::ParameterCount() const {
  return tree_.root.size() + tree_.transitions.size() + tree_.categories.size();
}

double HiddenTreeCost(const HiddenTree& tree, const std::vector<Code>& sizes) {
  const auto states = static_cast<double>(PaddedFloats(tree.states));
  const auto columns = static_cast<double>(sizes.size());
  const auto categories = static_cast<double>(tree.categories.size()) / static_cast<double>(tree.states);
  return states * (columns * (2 * sizeof(float) * states + sizeof(double)) + categories * sizeof(float));
}

}  // namespace dtf
