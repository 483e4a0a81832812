// Reads Parquet and Arrow IPC (file or stream).
#pragma once

#include <memory>
#include <string>

#include "dtf/io.h"
#include "io/file_format.h"

namespace dtf {

// Reads batch by batch, only the chosen columns, in bounded memory. Integers, floats, decimals, dates and times become
// their canonical texts (typed_text.h); null and NaN are missing, an empty text is not.
// Throws Error(kInput), also when a chosen column has a type whose values have no such text.
// REQUIRES: `format` is not kText.
std::unique_ptr<TableReader> OpenArrowTable(const std::string& path, FileFormat format, const ReadOptions& options);

}  // namespace dtf
