#include "io/utf8.h"

#include <string>

#include <gtest/gtest.h>

namespace dtf {
namespace {

constexpr std::size_t kValid = std::string_view::npos;

std::string Encode(unsigned code) {
  const auto byte = [](unsigned value) { return static_cast<char>(value); };
  if (code < 0x80) return {byte(code)};
  if (code < 0x800) return {byte(0xC0 | code >> 6), byte(0x80 | (code & 63))};
  if (code < 0x10000) return {byte(0xE0 | code >> 12), byte(0x80 | (code >> 6 & 63)), byte(0x80 | (code & 63))};
  return {byte(0xF0 | code >> 18), byte(0x80 | (code >> 12 & 63)), byte(0x80 | (code >> 6 & 63)),
          byte(0x80 | (code & 63))};
}

TEST(Utf8, AcceptsEveryCharacterButSurrogates) {
  for (unsigned code = 0; code < 0x120000; ++code) {
    const bool is_character = (code < 0xD800 || code > 0xDFFF) && code <= 0x10FFFF;
    ASSERT_EQ(FindInvalidUtf8("ab" + Encode(code)), is_character ? kValid : 2) << code;
  }
}

TEST(Utf8, FindsTheFirstBadByteWhereverItIs) {
  for (const std::string bad : {"\x80", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xF0\x8F\xBF\xBF", "\xF5\x80\x80\x80",
                                "\xFF", "\xC3", "\xE2\x82", "\xF0\x9F\x98", "\xC3(", "\xE2\x82("}) {
    for (std::size_t before = 0; before < 20; ++before) {
      EXPECT_EQ(FindInvalidUtf8(std::string(before, 'x') + bad + std::string(20 - before, 'y')), before);
      EXPECT_EQ(FindInvalidUtf8(std::string(before, 'x') + bad), before);
    }
  }
}

TEST(Utf8, SaysHowToConvert) {
  EXPECT_EQ(DescribeInvalidUtf8('\xF1'),
            "byte 0xF1 is not UTF-8; convert the text first, for example by iconv -f latin1 -t utf8");
}

}  // namespace
}  // namespace dtf
