#include "io/file_format.h"

#include <algorithm>

#include "dtf/error.h"

namespace dtf {
namespace {

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool EndsIn(std::string_view name, std::string_view ending) {
  return name.size() >= ending.size() &&
         std::equal(ending.rbegin(), ending.rend(), name.rbegin(), [](char a, char b) { return a == Lower(b); });
}

}  // namespace

FileFormat FormatOf(const std::string& path) {
  if (EndsIn(path, ".parquet")) return FileFormat::kParquet;
  if (EndsIn(path, ".arrow")) return FileFormat::kArrow;
  return FileFormat::kText;
}

bool NamesGzip(const std::string& path) { return EndsIn(path, ".gz"); }

char DelimiterOf(const std::string& path, std::optional<char> chosen) {
  if (!chosen) return EndsIn(path, ".tsv") || EndsIn(path, ".tsv.gz") ? '\t' : ',';
  const auto code = static_cast<unsigned char>(*chosen);
  if (*chosen == '"' || *chosen == '\n' || *chosen == '\r' || code == 0 || code >= 0x80) {
    throw Error(ErrorKind::kUsage, "the delimiter has to be one ASCII character, and no quote or line end");
  }
  return *chosen;
}

}  // namespace dtf
