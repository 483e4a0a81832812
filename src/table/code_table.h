// A table of codes: each column holds positions in its own list of categories, in one, two or four bytes a cell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "dtf/table.h"

namespace dtf {

class CodeColumn {
 public:
  // Room for `rows` codes, each in {0, …, codes - 1}; all 0.
  CodeColumn(std::size_t rows, std::size_t codes) {
    if (codes <= 1u << 8) {
      cells_.emplace<std::vector<std::uint8_t>>(rows);
    } else if (codes <= 1u << 16) {
      cells_.emplace<std::vector<std::uint16_t>>(rows);
    } else {
      cells_.emplace<std::vector<std::uint32_t>>(rows);
    }
  }

  // f(std::span<const T>) with T the stored width. Once a column, never once a cell.
  template <typename F>
  decltype(auto) Visit(F&& f) const {
    return std::visit([&](const auto& cells) -> decltype(auto) { return f(std::span(cells)); }, cells_);
  }
  template <typename F>
  decltype(auto) Visit(F&& f) {
    return std::visit([&](auto& cells) -> decltype(auto) { return f(std::span(cells)); }, cells_);
  }

  std::size_t size() const {
    return Visit([](auto cells) { return cells.size(); });
  }
  Code At(std::size_t row) const {
    return Visit([&](auto cells) { return static_cast<Code>(cells[row]); });
  }
  void Set(std::size_t row, Code code) {
    Visit([&]<typename T>(std::span<T> cells) { cells[row] = static_cast<T>(code); });
  }

  // The cells of these rows, in this order.
  CodeColumn Select(std::span<const std::size_t> rows) const {
    return Visit([&]<typename T>(std::span<const T> cells) {
      std::vector<T> chosen;
      chosen.reserve(rows.size());
      for (const std::size_t row : rows) chosen.push_back(cells[row]);
      return CodeColumn(std::move(chosen));
    });
  }

  // Copies codes[first, first + out.size()) out, or back in.
  void Read(std::size_t first, std::span<Code> out) const {
    Visit([&](auto cells) {
      for (std::size_t i = 0; i < out.size(); ++i) out[i] = cells[first + i];
    });
  }
  void Write(std::size_t first, std::span<const Code> in) {
    Visit([&]<typename T>(std::span<T> cells) {
      for (std::size_t i = 0; i < in.size(); ++i) cells[first + i] = static_cast<T>(in[i]);
    });
  }

 private:
  using Cells = std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>, std::vector<std::uint32_t>>;

  explicit CodeColumn(Cells cells) : cells_(std::move(cells)) {}

  Cells cells_;
};

// n rows × d columns, column-major.
struct CodeTable {
  std::size_t rows = 0;
  std::vector<CodeColumn> columns;

  // rows × sizes.size() cells, all 0; column j holds codes {0, …, sizes[j]}: its categories and the unseen slot.
  static CodeTable WithSizes(std::size_t rows, std::span<const Code> sizes) {
    CodeTable table{.rows = rows, .columns = {}};
    table.columns.reserve(sizes.size());
    for (const Code size : sizes) table.columns.emplace_back(rows, std::size_t{size} + 1);
    return table;
  }

  // The given rows, in this order.
  CodeTable Select(std::span<const std::size_t> chosen) const {
    CodeTable table{.rows = chosen.size(), .columns = {}};
    table.columns.reserve(columns.size());
    for (const CodeColumn& column : columns) table.columns.push_back(column.Select(chosen));
    return table;
  }
};

}  // namespace dtf
