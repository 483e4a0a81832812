// The order of a column's categories, and so their codes. It depends neither on the order of the rows nor on the format
// of the file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dtf {

// Whether `text` is -?(0|[1-9][0-9]*)(\.[0-9]*[1-9])? and not -0: the only form of numbers that is ordered by value.
bool IsCanonicalDecimal(std::string_view text);

// Compares two canonical decimals by value, whatever their length. Negative, 0 or positive.
int CompareDecimals(std::string_view a, std::string_view b);

// Sorts distinct texts: by value when all are canonical decimals, else by bytes.
void SortCategories(std::vector<std::string>& categories);

}  // namespace dtf
