#include "base/typed_text.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>

namespace dtf {
namespace {

constexpr std::int64_t kSecondsPerDay = 86'400;

template <typename Float>
void AppendShortest(Float value, std::string& out) {
  char buffer[512];  // a double takes up to 327 characters
  const auto result =
      std::to_chars(buffer, buffer + sizeof buffer, value == 0 ? Float{0} : value, std::chars_format::fixed);
  out.append(buffer, result.ptr);
}

std::int64_t FloorDivide(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

void AppendPadded(std::int64_t value, std::size_t width, std::string& out) {
  const std::string digits = std::to_string(value);
  if (digits.size() < width) out.append(width - digits.size(), '0');
  out += digits;
}

struct CivilDate {
  std::int64_t year;
  int month;  // 1 to 12
  int day;    // 1 to 31
};

// Both after H. Hinnant, "chrono-Compatible Low-Level Date Algorithms": years start in March, so that the day that
// leap years add is the last one; an era is 400 years.
CivilDate DateOf(std::int64_t days) {
  const std::int64_t shifted = days + 719'468;
  const std::int64_t era = FloorDivide(shifted, 146'097);
  const auto day_of_era = static_cast<int>(shifted - era * 146'097);
  const int year_of_era = (day_of_era - day_of_era / 1'460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const int day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int month_from_march = (5 * day_of_year + 2) / 153;
  const int month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
  return {year_of_era + era * 400 + (month <= 2 ? 1 : 0), month, day_of_year - (153 * month_from_march + 2) / 5 + 1};
}

std::int64_t DaysOf(const CivilDate& date) {
  const std::int64_t year = date.year - (date.month <= 2 ? 1 : 0);
  const std::int64_t era = FloorDivide(year, 400);
  const std::int64_t year_of_era = year - era * 400;
  const int day_of_year = (153 * (date.month + (date.month > 2 ? -3 : 9)) + 2) / 5 + date.day - 1;
  const std::int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146'097 + day_of_era - 719'468;
}

// Takes `count` digits from the front of `text`.
bool TakeDigits(std::string_view& text, std::size_t count, std::int64_t& value) {
  if (text.size() < count || count == 0 || text.find_first_not_of("0123456789") < count) return false;
  const auto result = std::from_chars(text.data(), text.data() + count, value);
  text.remove_prefix(count);
  return result.ec == std::errc();
}

bool TakeChar(std::string_view& text, char c) {
  if (text.empty() || text[0] != c) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

void AppendFloat(double value, std::string& out) { AppendShortest(value, out); }
void AppendFloat(float value, std::string& out) { AppendShortest(value, out); }

void AppendDecimal(std::string_view digits, int scale, std::string& out) {
  std::string text;
  const bool is_negative = TakeChar(digits, '-');
  if (scale <= 0) {
    text = digits;
    text.append(static_cast<std::size_t>(-scale), '0');
    text.erase(0, std::min(text.find_first_not_of('0'), text.size() - 1));
  } else {
    const auto places = static_cast<std::size_t>(scale);
    if (digits.size() <= places) text.append(places + 1 - digits.size(), '0');
    text += digits;
    text.insert(text.size() - places, 1, '.');
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  if (is_negative && text != "0") out += '-';
  out += text;
}

void AppendDate(std::int64_t days, std::string& out) {
  const CivilDate date = DateOf(days);
  if (date.year < 0) out += '-';
  AppendPadded(date.year < 0 ? -date.year : date.year, 4, out);
  out += '-';
  AppendPadded(date.month, 2, out);
  out += '-';
  AppendPadded(date.day, 2, out);
}

void AppendTime(std::int64_t ticks, std::int64_t ticks_per_second, std::string& out) {
  const std::int64_t seconds = ticks / ticks_per_second;
  AppendPadded(seconds / 3600, 2, out);
  out += ':';
  AppendPadded(seconds / 60 % 60, 2, out);
  out += ':';
  AppendPadded(seconds % 60, 2, out);
  const std::int64_t fraction = ticks % ticks_per_second;
  if (fraction == 0) return;
  out += '.';
  AppendPadded(fraction, std::to_string(ticks_per_second).size() - 1, out);
  out.erase(out.find_last_not_of('0') + 1);
}

void AppendTimestamp(std::int64_t ticks, std::int64_t ticks_per_second, bool has_zone, std::string& out) {
  const std::int64_t ticks_per_day = kSecondsPerDay * ticks_per_second;
  const std::int64_t days = FloorDivide(ticks, ticks_per_day);
  std::int64_t rest = ticks % ticks_per_day;
  if (rest < 0) rest += ticks_per_day;
  AppendDate(days, out);
  out += 'T';
  AppendTime(rest, ticks_per_second, out);
  if (has_zone) out += 'Z';
}

std::optional<std::int64_t> ParseDate(std::string_view text) {
  constexpr std::size_t kMaxYearDigits = 12;  // 64 bits of seconds reach no further
  CivilDate date;
  const bool is_negative = TakeChar(text, '-');
  const std::size_t year_digits = std::min(text.find('-'), text.size());
  std::int64_t month = 0;
  std::int64_t day = 0;
  if (year_digits < 4 || year_digits > kMaxYearDigits || !TakeDigits(text, year_digits, date.year) ||
      !TakeChar(text, '-') || !TakeDigits(text, 2, month) || !TakeChar(text, '-') || !TakeDigits(text, 2, day) ||
      !text.empty() || month < 1 || month > 12 || day < 1) {
    return std::nullopt;
  }
  if (is_negative) date.year = -date.year;
  date.month = static_cast<int>(month);
  date.day = static_cast<int>(day);
  const std::int64_t days = DaysOf(date);
  // A day past the end of its month comes back as one of the next month.
  return DateOf(days).month == date.month && day <= 31 ? std::optional(days) : std::nullopt;
}

std::optional<std::int64_t> ParseTime(std::string_view text, std::int64_t ticks_per_second) {
  std::int64_t hours = 0;
  std::int64_t minutes = 0;
  std::int64_t seconds = 0;
  if (!TakeDigits(text, 2, hours) || !TakeChar(text, ':') || !TakeDigits(text, 2, minutes) || !TakeChar(text, ':') ||
      !TakeDigits(text, 2, seconds) || hours > 23 || minutes > 59 || seconds > 59) {
    return std::nullopt;
  }
  std::int64_t ticks = ((hours * 60 + minutes) * 60 + seconds) * ticks_per_second;
  if (text.empty()) return ticks;
  if (!TakeChar(text, '.') || text.empty()) return std::nullopt;
  std::int64_t weight = ticks_per_second;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    weight /= 10;
    if (weight == 0 && c != '0') return std::nullopt;
    ticks += (c - '0') * weight;
  }
  return ticks;
}

std::optional<std::int64_t> ParseTimestamp(std::string_view text, std::int64_t ticks_per_second, bool has_zone) {
  if (has_zone) {
    if (!text.ends_with('Z')) return std::nullopt;
    text.remove_suffix(1);
  }
  const std::size_t middle = text.find('T');
  if (middle == std::string_view::npos) return std::nullopt;
  const std::optional<std::int64_t> days = ParseDate(text.substr(0, middle));
  const std::optional<std::int64_t> time = ParseTime(text.substr(middle + 1), ticks_per_second);
  if (!days || !time) return std::nullopt;
  // The first day that 64 bits hold starts before them: there, one day less is to be taken from the ticks of the day.
  const std::int64_t ticks_per_day = kSecondsPerDay * ticks_per_second;
  const std::int64_t whole_days = *days < 0 ? *days + 1 : *days;
  const std::int64_t rest = *days < 0 ? *time - ticks_per_day : *time;
  std::int64_t ticks = 0;
  if (__builtin_mul_overflow(whole_days, ticks_per_day, &ticks) || __builtin_add_overflow(ticks, rest, &ticks)) {
    return std::nullopt;
  }
  return ticks;
}

}  // namespace dtf
