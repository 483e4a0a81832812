// For tests: runs them on every kind of vector instructions that this processor has.
#pragma once

#include <gtest/gtest.h>

#include "count/targets.h"

namespace dtf {

template <typename F>
void OnEachTarget(F&& test) {
  for (const char* target : CountingTargets()) {
    SCOPED_TRACE(target);
    ASSERT_TRUE(ForceCountingTarget(target));
    test();
  }
  ForceCountingTarget(nullptr);
}

}  // namespace dtf
