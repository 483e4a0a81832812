// Which columns of a file a reader is asked for.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "dtf/io.h"

namespace dtf {

// Throws Error(kInput) when two columns have the same name (compared byte by byte) or a name is not UTF-8. `where` is
// the source and, for a text file, the header's line.
void CheckNames(const std::string& where, const std::vector<std::string>& names);

// Positions of the columns that options.keep and options.drop leave, in the file's order.
// REQUIRES: `names` have passed CheckNames.
// Throws Error(kUsage) when an option names a column that is not there, a column is named by both lists, or no column
// is left.
std::vector<std::size_t> ChooseColumns(const std::string& source, const std::vector<std::string>& names,
                                       const ReadOptions& options);

// ReadOptions::missing for a file with these columns. Throws Error(kUsage) for a text that begins with the name of
// none, and yet has an `=` further on.
std::vector<MissingMarker> ParseMarkers(const std::string& source, const std::vector<std::string>& names,
                                        const std::vector<std::string>& texts);

}  // namespace dtf
