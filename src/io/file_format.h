// Which format a file's name stands for.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dtf {

enum class FileFormat { kText, kParquet, kArrow };

// By the end of the name, upper or lower case: .parquet, .arrow; anything else, and `-`, is text.
FileFormat FormatOf(const std::string& path);

// Whether the name ends in .gz.
bool NamesGzip(const std::string& path);

// `chosen`, or else a tab for .tsv and .tsv.gz and a comma for the rest. Throws Error(kUsage) on a delimiter that a
// text table cannot have: a quote, a line end, or anything but an ASCII character.
char DelimiterOf(const std::string& path, std::optional<char> chosen);

}  // namespace dtf
