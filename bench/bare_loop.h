// The yardstick of the counting kernel: AND + popcount + add in registers, over data in the first-level cache, and
// nothing else. Compiled for the machine at hand.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dtf::bench {

// Runs `steps` of 4 × 4 vectors; returns the words handled. *sum keeps the compiler from leaving work out.
std::size_t RunBareLoop(std::size_t steps, std::uint64_t* sum);

// Its speed: the best of a few short runs; measured once a program.
double BareWordsPerSecond();

}  // namespace dtf::bench
