// A few rows of codes, unpacked for computing: column j is the contiguous span block[j] of 32-bit codes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "dtf/table.h"
#include "table/code_table.h"

namespace dtf {

class CodeBlock {
 public:
  // rows × columns cells, all 0.
  CodeBlock(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns), cells_(rows * columns) {}

  // Rows [first, first + rows) of `table`.
  CodeBlock(const CodeTable& table, std::size_t first, std::size_t rows) : CodeBlock(rows, table.columns.size()) {
    for (std::size_t j = 0; j < columns_; ++j) table.columns[j].Read(first, (*this)[j]);
  }

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  std::span<Code> operator[](std::size_t column) { return std::span(cells_).subspan(column * rows_, rows_); }
  std::span<const Code> operator[](std::size_t column) const {
    return std::span(cells_).subspan(column * rows_, rows_);
  }

  // Writes the cells to rows [first, first + rows()) of `table`.
  void CopyTo(CodeTable& table, std::size_t first) const {
    for (std::size_t j = 0; j < columns_; ++j) table.columns[j].Write(first, (*this)[j]);
  }

 private:
  std::size_t rows_;
  std::size_t columns_;
  std::vector<Code> cells_;
};

// Rows in a block such that it stays in a core's second-level cache, whatever the number of columns.
inline std::size_t BlockRows(std::size_t columns) {
  return std::clamp<std::size_t>(std::size_t{65536} / std::max<std::size_t>(columns, 1), 16, 1024);
}

}  // namespace dtf
