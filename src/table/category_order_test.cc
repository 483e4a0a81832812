#include "table/category_order.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace dtf {
namespace {

TEST(CanonicalDecimal, HasOneFormForEachNumber) {
  for (const char* text : {"0", "7", "-7", "10", "0.5", "-0.5", "12.003", "123456789012345678901234567890"}) {
    EXPECT_TRUE(IsCanonicalDecimal(text)) << text;
  }
  for (const char* text : {"", "-", "-0", "00", "07", "+7", "7.", ".5", "0.50", "1e3", "1.0", " 7", "7 ", "0x1", "1-10",
                           "--1", "1.2.3", "١"}) {
    EXPECT_FALSE(IsCanonicalDecimal(text)) << text;
  }
}

TEST(SortCategories, ComparesNumbersByValue) {
  std::vector<std::string> categories = {"10", "9", "-2", "-10", "0.25", "0.3", "0", "100000000000000000000", "-0.5"};
  SortCategories(categories);
  EXPECT_EQ(categories,
            (std::vector<std::string>{"-10", "-2", "-0.5", "0", "0.25", "0.3", "9", "10", "100000000000000000000"}));
}

TEST(SortCategories, ComparesByBytesAsSoonAsOneIsNoNumber) {
  std::vector<std::string> categories = {"10", "9", "", "x", "Z", "\xC3\xA9"};
  SortCategories(categories);
  EXPECT_EQ(categories, (std::vector<std::string>{"", "10", "9", "Z", "x", "\xC3\xA9"}));
}

}  // namespace
}  // namespace dtf
