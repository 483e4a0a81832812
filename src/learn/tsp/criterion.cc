#include "learn/tsp/criterion.h"

namespace dtf {

std::unique_ptr<Criterion> MakeCriterion(CriterionKind kind, std::uint64_t seed, int threads) {
  switch (kind) {
    case CriterionKind::kRandom:
      return MakeRandomCriterion(seed);
    case CriterionKind::kGlp:
      return MakeGlpCriterion(threads);
    case CriterionKind::kGlpCode:
      return MakeGlpCodeCriterion(threads);
    case CriterionKind::kGlpAligned:
      return MakeGlpAlignedCriterion(threads);
  }
  return nullptr;
}

}  // namespace dtf
