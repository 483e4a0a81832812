#include "learn/hidden_tree/expected_shares.h"

#include <algorithm>

#include "count/network_kernels.h"

namespace dtf {
namespace {

// What is smaller counts as 0, before it becomes subnormal: that would take hundreds of cycles.
constexpr float kFaint = 1e-20f;
// Messages are from kLeastTransition up: so many, and a category's share, may be multiplied before they are scaled.
constexpr std::size_t kMessagesAtOnce = 3;

constexpr std::size_t kLanes = 8;
static_assert(kFloatLanes % kLanes == 0);

float Greatest(const float* numbers, std::size_t size) {
  float most[kLanes] = {};
  for (std::size_t i = 0; i < size; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      most[lane] = most[lane] < numbers[i + lane] ? numbers[i + lane] : most[lane];
    }
  }
  return *std::max_element(most, most + kLanes);
}

float WithoutFaint(float x) { return x > kFaint ? x : 0.0f; }

void ScaleByGreatest(float* numbers, std::size_t size) {
  const float scale = 1 / Greatest(numbers, size);
  for (std::size_t i = 0; i < size; ++i) numbers[i] = WithoutFaint(scale * numbers[i]);
}

void Multiply(float* numbers, const float* by, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) numbers[i] *= by[i];
}

void Add(float* numbers, const float* more, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) numbers[i] += more[i];
}

}  // namespace

void ExpectedShares::Find(const StateModel& model, const SubtreePatterns& patterns, StateNumbers& expected) {
  states_ = expected.states();
  stride_ = expected.stride();
  expected.Clear();
  GoUp(model, patterns);
  GoDown(model, patterns, expected);
}

void ExpectedShares::FindInside(const StateModel& model, const SubtreePatterns& patterns, std::size_t position) {
  const SubtreePatterns::Column& column = patterns.columns[position];
  const auto& children = tree_.children[position];
  float* inside = columns_[position].inside.Resize(column.size() * stride_);
  for (std::size_t pattern = 0; pattern < column.size(); ++pattern, inside += stride_) {
    std::copy_n(model.shares().categories(position) + column.codes[pattern] * stride_, stride_, inside);
    for (std::size_t c = 0; c < children.size(); ++c) {
      const std::size_t of_child = column.of_children[c * column.size() + pattern];
      Multiply(inside, columns_[children[c]].message.data() + of_child * stride_, stride_);
      if ((c + 1) % kMessagesAtOnce == 0) ScaleByGreatest(inside, stride_);
    }
    ScaleByGreatest(inside, stride_);
  }
}

void ExpectedShares::GoUp(const StateModel& model, const SubtreePatterns& patterns) {
  for (std::size_t position = tree_.size(); position-- > 0;) {
    FindInside(model, patterns, position);
    if (position == 0) return;
    const std::size_t count = patterns.columns[position].size();
    float* message = columns_[position].message.Resize(count * stride_);
    std::fill_n(message, count * stride_, 0.0f);
    AddProduct({columns_[position].inside.data(), stride_, 1}, model.transposed(position), count, states_, stride_,
               message);
  }
}

void ExpectedShares::StartAtRoot(const StateModel& model, const SubtreePatterns& patterns, StateNumbers& expected) {
  const std::size_t count = patterns.columns[0].size();
  float* posterior = posterior_.Resize(count * stride_);
  std::copy_n(columns_[0].inside.data(), count * stride_, posterior);
  for (std::size_t pattern = 0; pattern < count; ++pattern, posterior += stride_) {
    Multiply(posterior, model.shares().root(), stride_);
    float sum = 0;
    for (std::size_t z = 0; z < states_; ++z) sum += posterior[z];
    const float scale = patterns.shares[pattern] / sum;
    for (std::size_t z = 0; z < states_; ++z) posterior[z] = WithoutFaint(scale * posterior[z]);
    Add(expected.root(), posterior, stride_);
  }
}

void ExpectedShares::ComeFromParent(const StateModel& model, std::size_t count, std::size_t position,
                                    StateNumbers& expected) {
  const float* inside = columns_[position].inside.data();
  const float* outside = columns_[position].message.data();
  float* posterior = posterior_.Resize(count * stride_);
  std::fill_n(posterior, count * stride_, 0.0f);
  AddProduct({outside, stride_, 1}, model.shares().transitions(position), count, states_, stride_, posterior);
  for (std::size_t i = 0; i < count * stride_; ++i) posterior[i] = WithoutFaint(posterior[i] * inside[i]);
  float* of_pairs = expected.transitions(position);
  AddProduct({outside, 1, stride_}, inside, states_, count, stride_, of_pairs);
  Multiply(of_pairs, model.shares().transitions(position), states_ * stride_);
}

void ExpectedShares::TellChildren(const SubtreePatterns& patterns, std::size_t position) {
  const SubtreePatterns::Column& column = patterns.columns[position];
  const auto& children = tree_.children[position];
  for (std::size_t c = 0; c < children.size(); ++c) {
    const std::size_t size = patterns.columns[children[c]].size() * stride_;
    float* sums = sums_.Resize(size);
    std::fill_n(sums, size, 0.0f);
    for (std::size_t pattern = 0; pattern < column.size(); ++pattern) {
      const std::size_t of_child = column.of_children[c * column.size() + pattern];
      Add(sums + of_child * stride_, posterior_.data() + pattern * stride_, stride_);
    }
    float* message = columns_[children[c]].message.data();
    for (std::size_t row = 0; row < size; row += stride_) {
      for (std::size_t z = row; z < row + states_; ++z) message[z] = sums[z] / message[z];
    }
  }
}

void ExpectedShares::GoDown(const StateModel& model, const SubtreePatterns& patterns, StateNumbers& expected) {
  for (std::size_t position = 0; position < tree_.size(); ++position) {
    const SubtreePatterns::Column& column = patterns.columns[position];
    if (position == 0) {
      StartAtRoot(model, patterns, expected);
    } else {
      ComeFromParent(model, column.size(), position, expected);
    }
    for (std::size_t pattern = 0; pattern < column.size(); ++pattern) {
      Add(expected.categories(position) + column.codes[pattern] * stride_, posterior_.data() + pattern * stride_,
          stride_);
    }
    TellChildren(patterns, position);
  }
}

}  // namespace dtf
