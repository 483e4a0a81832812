#include "count/plane_rows.h"

#include <vector>

#include <gtest/gtest.h>

namespace dtf {
namespace {

std::vector<std::size_t> RowsOf(const std::vector<std::uint64_t>& plane) {
  std::vector<std::size_t> rows;
  for (const std::size_t row : PlaneRows(plane)) rows.push_back(row);
  return rows;
}

TEST(PlaneRows, AreThoseOfEveryWord) {
  using Rows = std::vector<std::size_t>;
  constexpr std::uint64_t kLast = std::uint64_t{1} << 63;
  EXPECT_EQ(RowsOf({}), Rows());
  EXPECT_EQ(RowsOf({0, 0}), Rows());
  EXPECT_EQ(RowsOf({kLast | 5}), Rows({0, 2, 63}));
  EXPECT_EQ(RowsOf({0, kLast | 1, 0, 0, 2, 0}), Rows({64, 127, 257}));
  EXPECT_EQ(RowsOf({1, 0, kLast}), Rows({0, 191}));
  EXPECT_EQ(RowsOf({~std::uint64_t{0}, ~std::uint64_t{0}}).size(), 128u);
}

}  // namespace
}  // namespace dtf
