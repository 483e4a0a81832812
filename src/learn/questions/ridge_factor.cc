#include "learn/questions/ridge_factor.h"

#include <algorithm>
#include <numeric>

#include "base/parallel.h"
#include "learn/questions/cholesky.h"

namespace dtf {

RidgeFactor::RidgeFactor(PlaneMatrix tests, std::span<const std::uint32_t> weights, double unit, std::size_t rows,
                         double lambda, int threads)
    : tests_(tests.planes), factor_(tests.planes * tests.planes) {
  const std::size_t words = tests.words;
  const std::uint64_t total =
      weights.empty() ? rows : std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  const std::vector<std::uint64_t> weight_planes =
      weights.empty() ? std::vector<std::uint64_t>(words, ~std::uint64_t{0}) : BitPlanes(weights);
  // Σ weight over the rows that pass both tests.
  const PlanePanels panels = PackPlanes(tests);
  const std::size_t stride = panels.panels() * PlanePanels::kLanes;
  ParallelFor(threads, tests_, [&](std::size_t t) {
    std::vector<std::uint64_t> planes = weight_planes;
    for (std::size_t i = 0; i < planes.size(); ++i) planes[i] &= tests[t][i % words];
    std::vector<Count> counts(stride * planes.size() / std::max<std::size_t>(words, 1));
    std::vector<std::uint32_t> numbers(counts.size() / std::max<std::size_t>(stride, 1));
    std::iota(numbers.begin(), numbers.end(), std::uint32_t{0});
    CountPlanes(panels, {planes.data(), numbers.size(), words}, {counts.data(), stride, numbers.data(), 0});
    for (std::size_t b = 0; b < numbers.size(); ++b) {
      for (std::size_t s = 0; s <= t; ++s) {
        factor_[t * tests_ + s] += static_cast<double>(counts[b * stride + s]) * static_cast<double>(1u << b);
      }
    }
  });
  // Centred, in rows, with λ on the diagonal.
  std::vector<double> sums(tests_);
  for (std::size_t t = 0; t < tests_; ++t) sums[t] = factor_[t * tests_ + t];
  for (std::size_t t = 0; t < tests_; ++t) {
    for (std::size_t s = 0; s <= t; ++s) {
      double& value = factor_[t * tests_ + s];
      value = unit * (value - sums[t] * sums[s] / static_cast<double>(total)) + (s == t ? lambda : 0);
    }
  }
  FactoriseInPlace(factor_, tests_);
}

void RidgeFactor::Solve(std::span<double> values) const { SolveWithFactor(factor_, tests_, values); }

}  // namespace dtf
