#include "learn/tsp/criterion.h"

namespace dtf {

std::unique_ptr<Criterion> MakeCriterion(CriterionKind kind, std::uint64_t seed, int threads,
                                         std::uint64_t split_values) {
  switch (kind) {
    case CriterionKind::kRandom:
      return MakeRandomCriterion(seed, split_values);
    case CriterionKind::kGlp:
      return MakeGlpCriterion(threads, split_values);
    case CriterionKind::kGlpCode:
      return MakeGlpCodeCriterion(threads, split_values);
    case CriterionKind::kGlpAligned:
      return MakeGlpAlignedCriterion(threads, split_values);
  }
  return nullptr;
}

}  // namespace dtf
