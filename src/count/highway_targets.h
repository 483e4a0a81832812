// Which of Highway's targets this folder is compiled for. Include it before any header of Highway; not in headers.
#pragma once

#define HWY_WANT_AVX3_DL  // VPOPCNTDQ
// SSSE3 machines use the portable code; vectors of unknown size (SVE) cannot be kept in arrays, NEON serves there.
#if DTF_IS_SANITIZED
// Code with sanitizers takes many times as long to compile: the narrowest, the usual and the widest vectors are enough.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#else
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#endif
