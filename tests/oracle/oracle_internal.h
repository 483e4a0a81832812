// What the oracle's two source files share; not for the tests.
#ifndef DTF_TESTS_ORACLE_ORACLE_INTERNAL_H_
#define DTF_TESTS_ORACLE_ORACLE_INTERNAL_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "oracle/oracle.h"

namespace dtf::oracle {

inline double F(double c) { return c > 0 ? c * std::log(c) : 0; }

inline bool Contains(const std::vector<int>& sorted, int value) {
  return std::binary_search(sorted.begin(), sorted.end(), value);
}

inline Sets WholeDomain(const Sizes& sizes) {
  Sets domain;
  for (int size : sizes) {
    domain.emplace_back(size);
    std::iota(domain.back().begin(), domain.back().end(), 0);
  }
  return domain;
}

// The two parts of a domain on either side of "x_feature in left".
inline std::pair<Sets, Sets> SplitDomain(const Sets& domain, int feature, const std::vector<int>& left) {
  std::pair<Sets, Sets> parts{domain, domain};
  std::erase_if(parts.first[feature], [&](int a) { return !Contains(left, a); });
  std::erase_if(parts.second[feature], [&](int a) { return Contains(left, a); });
  return parts;
}

inline Counts CountRows(const Rows& rows, const Sizes& sizes) {
  Counts counts;
  for (int size : sizes) counts.emplace_back(size, 0);
  for (const Row& row : rows) {
    for (std::size_t j = 0; j < row.size(); ++j) ++counts.at(j).at(row[j]);
  }
  return counts;
}

}  // namespace dtf::oracle

#endif  // DTF_TESTS_ORACLE_ORACLE_INTERNAL_H_
