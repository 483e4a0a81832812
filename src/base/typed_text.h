// The one text that stands for each value of a typed column, and the way back. Independent of the locale.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dtf {

// Each Append function appends to `out`.

// The shortest text that is read back to `value` (among floats, or doubles), never with an exponent: 1.0 is "1", -0.0
// is "0", infinities are "inf" and "-inf". REQUIRES: not NaN.
void AppendFloat(double value, std::string& out);
void AppendFloat(float value, std::string& out);

// The number digits · 10^-scale without needless zeros: ("-250", 2) is "-2.5". `digits` is an integer, with sign.
void AppendDecimal(std::string_view digits, int scale, std::string& out);

// ISO 8601: "2020-01-31". `days` since 1970-01-01; the year has at least four digits.
void AppendDate(std::int64_t days, std::string& out);

// "10:00:00", with a fraction of a second only when it is not zero: "10:00:00.5". A tick is a second divided by
// `ticks_per_second`, a power of ten up to 10^9. REQUIRES: ticks >= 0.
void AppendTime(std::int64_t ticks, std::int64_t ticks_per_second, std::string& out);

// "2020-01-31T10:00:00", then "Z" when `has_zone`. `ticks` since 1970-01-01T00:00:00.
void AppendTimestamp(std::int64_t ticks, std::int64_t ticks_per_second, bool has_zone, std::string& out);

// The value whose text is `text`; none when there is no such value, or when it is no whole number of ticks.
std::optional<std::int64_t> ParseDate(std::string_view text);
std::optional<std::int64_t> ParseTime(std::string_view text, std::int64_t ticks_per_second);
std::optional<std::int64_t> ParseTimestamp(std::string_view text, std::int64_t ticks_per_second, bool has_zone);

}  // namespace dtf
