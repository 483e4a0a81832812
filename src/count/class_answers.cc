#include "count/class_answers.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "count/class_answers.cc"
#include "count/highway_targets.h"
// After the targets:
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "count/floats-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dtf {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A product of so many totals is no more than e^81.
constexpr std::size_t kMostFactors = 4;
constexpr float kMostOdds = 4.8516520e8f;  // e^20

void FindOdds(const float* numbers, std::size_t size, float* odds) {
  const DF d;
  for (std::size_t i = 0; i < size; i += hn::Lanes(d)) {
    const VF number = hn::LoadU(d, numbers + i);
    const VF less = ExpOfMinus(hn::Min(hn::Abs(number), hn::Set(d, 40.0f)));
    const VF more = hn::Div(hn::Set(d, 1.0f), less);
    hn::Store(hn::IfThenElse(hn::Lt(number, hn::Zero(d)), less, more), d, odds + i);
  }
}

// Sets `joint` to the classes' ln P of the answers, less the shifts of yes answers, which all classes have in common;
// and finds each class's probability of yes for each answer.
HWY_INLINE VF FindJoint(std::span<const RowAnswer> answers, const ClassLogits& of, const float* shift_odds,
                        float* joint, float* yes) {
  const DF d;
  const VF one = hn::Set(d, 1.0f);
  const VF most_odds = hn::Set(d, kMostOdds);
  VF most = hn::Set(d, -1e30f);
  for (std::size_t c = 0; c < of.classes; c += hn::Lanes(d)) {
    VF sum = hn::Zero(d);
    for (std::size_t first = 0; first < answers.size(); first += kMostFactors) {
      const std::size_t end = HWY_MIN(first + kMostFactors, answers.size());
      VF product = one;
      for (std::size_t a = first; a < end; ++a) {
        const std::size_t at = answers[a].question * of.classes + c;
        const VF both = hn::Mul(hn::Load(d, of.odds.data() + at), hn::Set(d, shift_odds[answers[a].question]));
        const VF odds = hn::Min(both, most_odds);
        const VF total = hn::Add(one, odds);
        hn::Store(hn::Div(odds, total), d, yes + a * of.classes + c);
        product = hn::Mul(product, total);
        if (answers[a].yes) sum = hn::Add(sum, hn::Load(d, of.logits.data() + at));
      }
      sum = hn::Sub(sum, LnFromOne(product));
    }
    hn::Store(sum, d, joint + c);
    most = hn::Max(most, sum);
  }
  return most;
}

// From ln P to the classes' shares of the row.
HWY_INLINE void Normalize(float most, std::size_t classes, float* joint) {
  const DF d;
  const VF scale = hn::Set(d, 1 / ExpAndSum(joint, most, classes));
  for (std::size_t c = 0; c < classes; c += hn::Lanes(d)) {
    hn::Store(hn::Mul(scale, hn::Load(d, joint + c)), d, joint + c);
  }
}

// Adds one answer's part to the gradient of its logits, and returns the sum of these parts.
HWY_INLINE float AddAnswer(const float* shares, const float* yes, bool is_yes, std::size_t classes, float* gradient) {
  const DF d;
  constexpr std::size_t kLanes = hn::MaxLanes(DF());
  HWY_ALIGN float partial[kPartialSums];
  const VF answer = hn::Set(d, is_yes ? 1.0f : 0.0f);
  for (std::size_t first = 0; first < kPartialSums; first += kLanes) {
    VF sum = hn::Zero(d);
    for (std::size_t c = first; c < classes; c += kPartialSums) {
      const VF part = hn::Mul(hn::Load(d, shares + c), hn::Sub(hn::Load(d, yes + c), answer));
      hn::Store(hn::Add(hn::Load(d, gradient + c), part), d, gradient + c);
      sum = hn::Add(sum, part);
    }
    hn::Store(sum, d, partial + first);
  }
  return SumOfPartial(partial);
}

void AddAnswers(std::span<const RowAnswer> answers, const ClassLogits& of, const float* shift_odds, float* scratch,
                float* gradient, float* to_shifts) {
  const DF d;
  const std::size_t classes = of.classes;
  float* shares = scratch;
  float* yes = scratch + classes;
  const VF most = FindJoint(answers, of, shift_odds, shares, yes);
  Normalize(hn::GetLane(hn::MaxOfLanes(d, most)), classes, shares);
  for (std::size_t a = 0; a < answers.size(); ++a) {
    to_shifts[a] =
        AddAnswer(shares, yes + a * classes, answers[a].yes, classes, gradient + answers[a].question * classes);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dtf
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dtf {

HWY_EXPORT(FindOdds);
HWY_EXPORT(AddAnswers);

void FindOdds(std::span<const float> numbers, std::span<float> odds) {
  HWY_DYNAMIC_DISPATCH(FindOdds)(numbers.data(), numbers.size(), odds.data());
}

void AddAnswers(std::span<const RowAnswer> answers, const ClassLogits& classes, std::span<const float> shift_odds,
                std::span<float> scratch, std::span<float> gradient, std::span<float> to_shifts) {
  HWY_DYNAMIC_DISPATCH(AddAnswers)
  (answers, classes, shift_odds.data(), scratch.data(), gradient.data(), to_shifts.data());
}

}  // namespace dtf
#endif  // HWY_ONCE
