#include "base/typed_text.h"

#include <charconv>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace dtf {
namespace {

constexpr std::int64_t kMinimum = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMaximum = std::numeric_limits<std::int64_t>::max();

template <typename Append, typename... Values>
std::string Text(const Append& append, Values... values) {
  std::string text = "|";  // what is there stays
  append(values..., text);
  EXPECT_EQ(text[0], '|');
  return text.substr(1);
}

const auto kFloat = [](auto value, std::string& out) { AppendFloat(value, out); };
const auto kDecimal = [](const char* digits, int scale, std::string& out) { AppendDecimal(digits, scale, out); };

TEST(TypedText, FloatsAreShortestAndWithoutExponent) {
  EXPECT_EQ(Text(kFloat, 1.0), "1");
  EXPECT_EQ(Text(kFloat, -0.0), "0");
  EXPECT_EQ(Text(kFloat, -0.0f), "0");
  EXPECT_EQ(Text(kFloat, 0.1), "0.1");
  EXPECT_EQ(Text(kFloat, 0.1f), "0.1");
  EXPECT_EQ(Text(kFloat, static_cast<double>(0.1f)), "0.10000000149011612");
  EXPECT_EQ(Text(kFloat, -2.5), "-2.5");
  EXPECT_EQ(Text(kFloat, 1e21), "1000000000000000000000");
  EXPECT_EQ(Text(kFloat, 1e-7), "0.0000001");
  EXPECT_EQ(Text(kFloat, std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(Text(kFloat, -std::numeric_limits<float>::infinity()), "-inf");
}

TEST(TypedText, EveryDoubleIsReadBack) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t bits = random();
    double value;
    std::memcpy(&value, &bits, sizeof value);
    if (std::isnan(value)) continue;
    const std::string text = Text(kFloat, value);
    double back = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), back);
    ASSERT_TRUE(result.ec == std::errc() && result.ptr == text.data() + text.size()) << text;
    ASSERT_EQ(back, value) << text;
    ASSERT_EQ(text.find('e'), std::string::npos) << text;
  }
}

TEST(TypedText, DecimalsHaveNoNeedlessZeros) {
  EXPECT_EQ(Text(kDecimal, "250", 2), "2.5");
  EXPECT_EQ(Text(kDecimal, "-250", 3), "-0.25");
  EXPECT_EQ(Text(kDecimal, "-5", 2), "-0.05");
  EXPECT_EQ(Text(kDecimal, "300", 2), "3");
  EXPECT_EQ(Text(kDecimal, "0", 2), "0");
  EXPECT_EQ(Text(kDecimal, "-0", 2), "0");
  EXPECT_EQ(Text(kDecimal, "100", 0), "100");
  EXPECT_EQ(Text(kDecimal, "12", -3), "12000");
  EXPECT_EQ(Text(kDecimal, "0", -3), "0");
}

TEST(TypedText, DatesAgreeWithTheCalendar) {
  using std::chrono::year_month_day;
  for (std::int64_t day = -800'000; day < 2'900'000; day += 1 + (day & 15)) {
    const year_month_day date{std::chrono::sys_days{std::chrono::days{day}}};
    const int year = static_cast<int>(date.year());
    char expected[64];
    std::snprintf(expected, sizeof expected, "%s%04d-%02u-%02u", year < 0 ? "-" : "", year < 0 ? -year : year,
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
    ASSERT_EQ(Text(AppendDate, day), expected);
    ASSERT_EQ(ParseDate(expected), day);
  }
}

TEST(TypedText, RefusesWhatIsNoDate) {
  for (const char* text :
       {"", "2020-02-30", "2019-02-29", "2020-13-01", "2020-00-01", "2020-01-00", "2020-1-01", "20-01-01",
        "2020-01-01 ", "+2020-01-01", "2020/01/01", "2020-04-31", "2020-01-32", "abc", "2020-01-0x"}) {
    EXPECT_EQ(ParseDate(text), std::nullopt) << text;
  }
}

TEST(TypedText, TimesHaveFractionsOnlyWhenNotZero) {
  EXPECT_EQ(Text(AppendTime, 36'000, 1), "10:00:00");
  EXPECT_EQ(Text(AppendTime, 86'399'500, 1'000), "23:59:59.5");
  EXPECT_EQ(Text(AppendTime, 5, 1'000'000'000), "00:00:00.000000005");
  EXPECT_EQ(ParseTime("23:59:59.5", 1'000), 86'399'500);
  EXPECT_EQ(ParseTime("23:59:59.500000", 1'000), 86'399'500);
  for (const char* text :
       {"24:00:00", "10:60:00", "10:00:60", "10:00", "10:00:00.", "10:00:00.0005", "1:00:00", "10:00:00Z"}) {
    EXPECT_EQ(ParseTime(text, 1'000), std::nullopt) << text;
  }
}

TEST(TypedText, TimestampsAreIso8601) {
  EXPECT_EQ(Text(AppendTimestamp, 1'580'464'800, 1, false), "2020-01-31T10:00:00");
  EXPECT_EQ(Text(AppendTimestamp, 1'580'464'800'250, 1'000, true), "2020-01-31T10:00:00.25Z");
  EXPECT_EQ(Text(AppendTimestamp, -1, 1'000'000, false), "1969-12-31T23:59:59.999999");
  EXPECT_EQ(ParseTimestamp("2020-01-31T10:00:00", 1, true), std::nullopt);
  EXPECT_EQ(ParseTimestamp("2020-01-31T10:00:00Z", 1, false), std::nullopt);
  EXPECT_EQ(ParseTimestamp("2020-01-31", 1, false), std::nullopt);
  EXPECT_EQ(ParseTimestamp("9999-12-31T00:00:00", 1'000'000'000, false), std::nullopt);
}

TEST(TypedText, EveryTimestampIsReadBack) {
  std::mt19937_64 random(9);
  for (const std::int64_t ticks_per_second : {1, 1'000, 1'000'000, 1'000'000'000}) {
    for (int i = 0; i < 5'000; ++i) {
      const std::int64_t ticks = i == 0   ? kMinimum
                                 : i == 1 ? kMaximum
                                          : static_cast<std::int64_t>(random()) >> (random() % 40);
      const std::string text = Text(AppendTimestamp, ticks, ticks_per_second, i % 2 == 0);
      ASSERT_EQ(ParseTimestamp(text, ticks_per_second, i % 2 == 0), ticks) << text;
    }
  }
}

}  // namespace
}  // namespace dtf
