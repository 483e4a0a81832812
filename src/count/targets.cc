#include "count/targets.h"

#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "count/targets.cc"
#include "count/highway_targets.h"
// After the targets:
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace dtf {
namespace HWY_NAMESPACE {
const char* TargetName() { return hwy::TargetName(HWY_TARGET); }
}  // namespace HWY_NAMESPACE
}  // namespace dtf
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dtf {

HWY_EXPORT(TargetName);

const char* CountingTarget() { return HWY_DYNAMIC_DISPATCH(TargetName)(); }

std::vector<const char*> CountingTargets() {
  std::vector<const char*> names;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) names.push_back(hwy::TargetName(target));
  return names;
}

bool ForceCountingTarget(const char* target) {
  hwy::SetSupportedTargetsForTest(0);
  bool found = target == nullptr;
  for (const std::int64_t candidate : hwy::SupportedAndGeneratedTargets()) {
    if (found || std::strcmp(hwy::TargetName(candidate), target) != 0) continue;
    hwy::SetSupportedTargetsForTest(candidate);
    found = true;
  }
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  return found;
}

}  // namespace dtf
#endif  // HWY_ONCE
