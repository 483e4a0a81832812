// The order of a column's categories, which gives them their codes: neither the order of the rows nor the format of the
// file has a say in it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dtf {

// Whether `text` is -?(0|[1-9][0-9]*)(\.[0-9]*[1-9])? and not -0: the one way to write a number that we compare by
// value.
bool IsCanonicalDecimal(std::string_view text);

// Compares two canonical decimals by value, whatever their length. Negative, 0 or positive.
int CompareDecimals(std::string_view a, std::string_view b);

// Sorts distinct texts: by value when all are canonical decimals, else by bytes.
void SortCategories(std::vector<std::string>& categories);

}  // namespace dtf
