// The random numbers by which an autoregressive flow's sample is drawn. Each answer has its own, which depends on the
// seed, the row's number, the column and the answer's place in it, never on the other rows of a block.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "perm/domain.h"

namespace dtf {

// The streams of random numbers of a row of a sample, RandomStream(seed, kSample, row, stream), by their use.
inline constexpr std::uint64_t kRowStream = 0;  // the first number of each column
inline constexpr std::uint64_t kMemberStream = ~std::uint64_t{0};
inline constexpr std::uint64_t kLeafStream =
    kMemberStream - 1;  // of a LeafBase: the leaf, then a number for each column
constexpr std::uint64_t ColumnStream(Feature column) { return 1 + std::uint64_t{column}; }  // the column's further ones

class AnswerDraws {
 public:
  // numbers: of the rows in the sample; kept by reference.
  AnswerDraws(std::uint64_t seed, std::span<const std::uint64_t> numbers);

  // To be called for each column, in the flow's order.
  void StartColumn(Feature column);

  // The row's next number for this column, uniform in 0 … 2^53 - 1.
  std::uint64_t Next(std::size_t row);

 private:
  std::uint64_t seed_;
  std::span<const std::uint64_t> numbers_;
  Feature column_ = 0;
  std::vector<RandomStream> rows_;
  std::vector<std::uint64_t> first_;  // this column's first number of each row
  std::vector<std::uint8_t> taken_;   // 0: none; 1: the first; 2: `further_` is this column's
  std::vector<RandomStream> further_;
};

}  // namespace dtf
