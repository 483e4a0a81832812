#include "count/class_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "count/class_kernels.cc"
#include "count/highway_targets.h"
// After the targets:
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "count/floats-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dtf {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The sum of the odds of a column's categories in each class; the first category's are 1.
struct Odds {
  VF most;  // ln of the largest
  VF sum;   // relative to it
};

HWY_INLINE Odds SumOdds(const float* logits, std::size_t size, std::size_t classes) {
  const DF d;
  VF most = hn::Zero(d);
  for (std::size_t i = 0; i < size; i += classes) most = hn::Max(most, hn::Load(d, logits + i));
  VF sum = ExpOfMinus(most);
  for (std::size_t i = 0; i < size; i += classes) {
    sum = hn::Add(sum, ExpOfMinus(hn::Sub(most, hn::Load(d, logits + i))));
  }
  return {most, sum};
}

void AddFirstLogProbs(const float* logits, std::size_t size, std::size_t classes, float* log_probs) {
  const DF d;
  for (std::size_t c = 0; c < classes; c += hn::Lanes(d)) {
    const Odds odds = SumOdds(logits + c, size, classes);
    const VF nats = hn::Add(odds.most, LnFromOne(odds.sum));
    hn::Store(hn::Sub(hn::Load(d, log_probs + c), nats), d, log_probs + c);
  }
}

void AddRow(std::span<const std::uint32_t> row_logits, const float* logits, const float* first_log_probs,
            float* gradient, float* masses, float* joint, std::size_t classes) {
  const DF d;
  VF most = hn::Set(d, -1e30f);
  for (std::size_t c = 0; c < classes; c += hn::Lanes(d)) {
    VF sum = hn::Load(d, first_log_probs + c);
    for (const std::uint32_t at : row_logits) sum = hn::Add(sum, hn::Load(d, logits + at + c));
    hn::Store(sum, d, joint + c);
    most = hn::Max(most, sum);
  }
  const float total = ExpAndSum(joint, hn::GetLane(hn::MaxOfLanes(d, most)), classes);
  const VF scale = hn::Set(d, 1 / total);
  for (std::size_t c = 0; c < classes; c += hn::Lanes(d)) {
    const VF mass = hn::Mul(scale, hn::Load(d, joint + c));
    hn::Store(hn::Add(hn::Load(d, masses + c), mass), d, masses + c);
    for (const std::uint32_t at : row_logits) {
      hn::Store(hn::Add(hn::Load(d, gradient + at + c), mass), d, gradient + at + c);
    }
  }
}

void FinishGradient(const float* logits, std::size_t size, const float* masses, std::size_t classes, float* gradient) {
  const DF d;
  for (std::size_t c = 0; c < classes; c += hn::Lanes(d)) {
    const Odds odds = SumOdds(logits + c, size, classes);
    const VF scale = hn::Div(hn::Load(d, masses + c), odds.sum);
    for (std::size_t i = c; i < size; i += classes) {
      const VF expected = hn::Mul(scale, ExpOfMinus(hn::Sub(odds.most, hn::Load(d, logits + i))));
      hn::Store(hn::Sub(expected, hn::Load(d, gradient + i)), d, gradient + i);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dtf
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dtf {

HWY_EXPORT(AddFirstLogProbs);
HWY_EXPORT(AddRow);
HWY_EXPORT(FinishGradient);

void AddFirstLogProbs(std::span<const float> logits, std::span<float> log_probs) {
  HWY_DYNAMIC_DISPATCH(AddFirstLogProbs)(logits.data(), logits.size(), log_probs.size(), log_probs.data());
}

void AddRow(std::span<const std::uint32_t> row_logits, const float* logits, std::span<const float> first_log_probs,
            float* gradient, std::span<float> masses, std::span<float> scratch) {
  HWY_DYNAMIC_DISPATCH(AddRow)
  (row_logits, logits, first_log_probs.data(), gradient, masses.data(), scratch.data(), masses.size());
}

void FinishGradient(std::span<const float> logits, std::span<const float> masses, std::span<float> gradient) {
  HWY_DYNAMIC_DISPATCH(FinishGradient)(logits.data(), logits.size(), masses.data(), masses.size(), gradient.data());
}

}  // namespace dtf
#endif  // HWY_ONCE
