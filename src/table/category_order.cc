#include "table/category_order.h"

#include <algorithm>

namespace dtf {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

struct Decimal {
  bool negative;
  std::string_view whole;
  std::string_view fraction;
};

Decimal Parse(std::string_view text) {
  const bool negative = text.front() == '-';
  if (negative) text.remove_prefix(1);
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos) return {negative, text, {}};
  return {negative, text.substr(0, point), text.substr(point + 1)};
}

// Without leading zeros the longer whole part is the greater; fractions compare like words.
int CompareMagnitudes(const Decimal& a, const Decimal& b) {
  if (a.whole.size() != b.whole.size()) return a.whole.size() < b.whole.size() ? -1 : 1;
  if (const int whole = a.whole.compare(b.whole); whole != 0) return whole;
  return a.fraction.compare(b.fraction);
}

}  // namespace

bool IsCanonicalDecimal(std::string_view text) {
  if (text == "-0") return false;
  if (text.starts_with('-')) text.remove_prefix(1);
  std::size_t whole = 0;
  while (whole < text.size() && IsDigit(text[whole])) ++whole;
  if (whole == 0 || (whole > 1 && text[0] == '0')) return false;
  if (whole == text.size()) return true;
  const std::string_view fraction = text.substr(whole + 1);
  return text[whole] == '.' && !fraction.empty() && fraction.back() != '0' &&
         std::all_of(fraction.begin(), fraction.end(), IsDigit);
}

int CompareDecimals(std::string_view a, std::string_view b) {
  const Decimal left = Parse(a);
  const Decimal right = Parse(b);
  if (left.negative != right.negative) return left.negative ? -1 : 1;
  return left.negative ? CompareMagnitudes(right, left) : CompareMagnitudes(left, right);
}

void SortCategories(std::vector<std::string>& categories) {
  if (std::all_of(categories.begin(), categories.end(), IsCanonicalDecimal)) {
    std::sort(categories.begin(), categories.end(),
              [](const std::string& a, const std::string& b) { return CompareDecimals(a, b) < 0; });
  } else {
    std::sort(categories.begin(), categories.end());
  }
}

}  // namespace dtf
