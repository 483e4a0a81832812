#include "flow/independent_base.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <utility>

#include "base/logarithm.h"
#include "base/random.h"

namespace dtf {

IndependentBase::IndependentBase(Ragged<std::uint64_t> counts, double unit, double alpha, bool closed)
    : counts_(std::move(counts)), unit_(unit), alpha_(alpha), closed_(closed) {
  for (std::size_t j = 0; j < counts_.size(); ++j) {
    const auto of_column = counts_[j];
    const auto categories = static_cast<double>(of_column.size());
    const double rows =
        unit_ * static_cast<double>(std::accumulate(of_column.begin(), of_column.end(), std::uint64_t{0}));
    const double unseen = closed_ ? 0 : alpha_ / (rows + alpha_ * (categories + 1));
    unseen_.AddColumn(unseen);
    log_begin_.push_back(log_probs_.size());
    const double all = rows + alpha_ * categories;
    std::vector<std::uint64_t> shares;
    std::uint64_t counted = 0;
    std::uint64_t shared = 0;
    for (const std::uint64_t count : of_column) {
      log_probs_.push_back(std::min(0.0, Ln((1 - unseen) * ((unit_ * static_cast<double>(count) + alpha_) / all))));
      // Where the category's share ends, rounded; the last one's at 2^32.
      counted += count;
      const auto listed = static_cast<double>(shares.size() + 1);
      const double end = (unit_ * static_cast<double>(counted) + alpha_ * listed) / all;
      shares.push_back(static_cast<std::uint64_t>(end * 0x1p32 + 0.5) - shared);
      shared += shares.back();
    }
    log_probs_.push_back(Ln(unseen));
    AppendAliasTable(std::move(shares));
  }
}

void IndependentBase::AppendAliasTable(std::vector<std::uint64_t> shares) {
  const int log_cells = static_cast<int>(std::bit_width(shares.size() - 1));
  const std::uint64_t cell_size = (std::uint64_t{1} << 32) >> log_cells;
  alias_tables_.push_back({alias_cells_.size(), log_cells});
  shares.resize(std::size_t{1} << log_cells);
  std::vector<Code> small;
  std::vector<Code> large;
  for (Code code = 0; code < shares.size(); ++code) {
    alias_cells_.push_back({0, code});
    (shares[code] < cell_size ? small : large).push_back(code);
  }
  // A small share leaves room in its cell, which a large one fills. As all shares fill all cells, there is one; what
  // remains in the end are shares of just one cell.
  while (!small.empty()) {
    const Code less = small.back();
    const Code more = large.back();
    small.pop_back();
    alias_cells_[alias_tables_.back().first + less] = {static_cast<std::uint32_t>(shares[less] << log_cells), more};
    shares[more] -= cell_size - shares[less];
    if (shares[more] < cell_size) {
      large.pop_back();
      small.push_back(more);
    }
  }
}

void IndependentBase::SampleRows(std::uint64_t seed, std::span<const std::uint64_t> numbers, CodeBlock& block) const {
  // Side by side: the random numbers of one row do not wait for those of the row before.
  constexpr std::size_t kRows = 64;
  constexpr std::size_t kColumns = 2 * RandomStream::kBlock;
  std::array<std::array<std::uint32_t, kRows>, kColumns> bits{};
  for (std::size_t first = 0; first < block.rows(); first += kRows) {
    const std::size_t rows = std::min(kRows, block.rows() - first);
    for (std::size_t column = 0; column < columns(); column += kColumns) {
      for (std::size_t i = 0; i < rows; ++i) {
        const RandomStream random(seed, RandomPurpose::kSample, numbers[first + i]);
        const auto drawn = random.Block(column / kColumns);
        for (std::size_t j = 0; j < kColumns; ++j)
          bits[j][i] = static_cast<std::uint32_t>(drawn[j / 2] >> (j % 2 * 32));
      }
      for (std::size_t j = 0; j < std::min(kColumns, columns() - column); ++j) {
        const std::span<Code> codes = block[column + j].subspan(first, rows);
        for (std::size_t i = 0; i < rows; ++i) codes[i] = Draw(column + j, bits[j][i]);
      }
    }
  }
}

double IndependentBase::MeanNll(const Ragged<std::uint64_t>& counts) const {
  double nll = 0;
  for (std::size_t j = 0; j < counts.size(); ++j) {
    const auto of_column = counts[j];
    const auto rows = static_cast<double>(std::accumulate(of_column.begin(), of_column.end(), std::uint64_t{0}));
    if (rows == 0) return 0;
    double of_column_nll = 0;
    for (std::size_t a = 0; a < of_column.size(); ++a) {
      if (of_column[a] > 0) of_column_nll -= static_cast<double>(of_column[a]) * LogProb(j, static_cast<Code>(a));
    }
    nll += of_column_nll / rows;
  }
  return nll;
}

}  // namespace dtf
