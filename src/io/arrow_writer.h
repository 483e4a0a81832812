// Writes Parquet and Arrow IPC files.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dtf/io.h"
#include "io/file_format.h"

namespace dtf {

// Each column has the type its header names, or is text; missing cells are null.
// Write throws Error(kOther) when a cell's text stands for no value of its column's type.
// REQUIRES: `format` is not kText.
std::unique_ptr<TableWriter> CreateArrowTable(const std::string& path, FileFormat format,
                                              const std::vector<ColumnHeader>& columns);

}  // namespace dtf
