// Which vector instructions the kernels of this folder run on. Chosen once, for the processor the program runs on;
// results are the same on all.
#pragma once

#include <vector>

namespace dtf {

// The one in use: "SCALAR", "SSE4", "AVX2", "AVX3" (AVX-512), "AVX3_DL" (with VPOPCNTDQ), "NEON", ….
const char* CountingTarget();

// All that this processor can run and this library was built with, best first.
std::vector<const char*> CountingTargets();

// For tests and measurements: uses `target`, one of CountingTargets(); null: the best again. Returns whether it could.
// Not while another thread counts.
bool ForceCountingTarget(const char* target);

}  // namespace dtf
