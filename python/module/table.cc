#include "table.h"

#include <cstdint>
#include <utility>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "module.h"

namespace dtf::python {
namespace nb = nanobind;
namespace {

using Indices = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <typename Index>
void CopyCells(const Indices& indices, const std::vector<Code>& code_of, std::vector<Code>& cells) {
  const auto* const from = static_cast<const Index*>(indices.data());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto index = static_cast<std::uint64_t>(from[i]);  // of a negative one, far above all entries
    cells[i] = index < code_of.size() ? code_of[index] : kMissingCell;
  }
}

// `texts`: of each dictionary entry, none for missing. `indices`: whole numbers of any width; one that is no entry's
// means missing.
TextColumn MakeColumn(std::vector<std::optional<std::string>> texts, const Indices& indices) {
  const nb::gil_scoped_release release;
  TextColumn column;
  std::vector<Code> code_of;
  for (std::optional<std::string>& text : texts) {
    code_of.push_back(text ? static_cast<Code>(column.dictionary.size()) : kMissingCell);
    if (text) column.dictionary.push_back(*std::move(text));
  }
  column.cells.resize(indices.size());
  const nb::dlpack::dtype type = indices.dtype();
  if (type == nb::dtype<std::int8_t>()) CopyCells<std::int8_t>(indices, code_of, column.cells);
  if (type == nb::dtype<std::uint8_t>()) CopyCells<std::uint8_t>(indices, code_of, column.cells);
  if (type == nb::dtype<std::int16_t>()) CopyCells<std::int16_t>(indices, code_of, column.cells);
  if (type == nb::dtype<std::uint16_t>()) CopyCells<std::uint16_t>(indices, code_of, column.cells);
  if (type == nb::dtype<std::int32_t>()) CopyCells<std::int32_t>(indices, code_of, column.cells);
  if (type == nb::dtype<std::uint32_t>()) CopyCells<std::uint32_t>(indices, code_of, column.cells);
  if (type == nb::dtype<std::int64_t>()) CopyCells<std::int64_t>(indices, code_of, column.cells);
  if (type == nb::dtype<std::uint64_t>()) CopyCells<std::uint64_t>(indices, code_of, column.cells);
  return column;
}

// Takes the columns' contents. REQUIRES: each of `columns` has `rows` cells.
NamedTable MakeTable(std::string source, const std::vector<std::pair<std::string, std::string>>& headers,
                     std::size_t rows, const std::vector<TextColumn*>& columns) {
  NamedTable table;
  for (const auto& [name, type] : headers) table.headers.push_back({name, type});
  table.rows.source = std::move(source);
  table.rows.rows = rows;
  for (TextColumn* column : columns) table.rows.columns.push_back(std::move(*column));
  return table;
}

}  // namespace

nb::list ToPython(Batch batch) {
  nb::list columns;
  for (TextColumn& column : batch.columns) {
    const std::size_t rows = column.cells.size();
    columns.append(nb::make_tuple(column.dictionary, ToNumpy(std::move(column.cells), rows)));
  }
  return columns;
}

void AddTable(nb::module_& module) {
  nb::class_<TextColumn>(module, "Column", "A column's distinct texts, and each cell's position among them.")
      .def(nb::new_(&MakeColumn), nb::arg("texts"), nb::arg("indices"));
  nb::class_<NamedTable>(module, "Table", "A dictionary-encoded table; it takes its columns' contents.")
      .def(nb::new_(&MakeTable), nb::arg("source"), nb::arg("headers"), nb::arg("rows"), nb::arg("columns"))
      .def_prop_ro("rows", [](const NamedTable& table) { return table.rows.rows; });
}

}  // namespace dtf::python
