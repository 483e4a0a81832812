// Checks for UTF-8 (RFC 3629: no surrogates, no overlong forms, nothing above U+10FFFF).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dtf {

// Position of the first byte that is not part of a well-formed sequence; npos when all of `text` is UTF-8.
std::size_t FindInvalidUtf8(std::string_view text);

// "byte 0xE9 is not UTF-8; convert the text first, for example by iconv -f latin1 -t utf8".
std::string DescribeInvalidUtf8(char invalid);

}  // namespace dtf
