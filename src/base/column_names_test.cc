#include "base/column_names.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace dtf {
namespace {

using Names = std::vector<std::string>;

TEST(SplitNames, TakesCommasAndQuotesInQuotes) {
  EXPECT_EQ(SplitNames("a,b c"), (Names{"a", "b c"}));
  EXPECT_EQ(SplitNames(",a,"), (Names{"", "a", ""}));
  EXPECT_EQ(SplitNames("\"a,b\",b,a"), (Names{"a,b", "b", "a"}));
  EXPECT_EQ(SplitNames("\"say \"\"a\"\"\",in\"ch,\"\""), (Names{"say \"a\"", "in\"ch", ""}));
}

}  // namespace
}  // namespace dtf
