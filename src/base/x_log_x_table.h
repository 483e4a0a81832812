// x ln x of counts, those of small ones kept: a logarithm takes longer than a look.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/logarithm.h"

namespace dtf {

class XLogXTable {
 public:
  // Keeps those of 0, …, counts - 1.
  explicit XLogXTable(std::size_t counts) : values_(counts) {
    for (std::size_t count = 0; count < counts; ++count) values_[count] = XLogX(static_cast<double>(count));
  }

  double Of(std::uint32_t count) const {
    return count < values_.size() ? values_[count] : XLogX(static_cast<double>(count));
  }

 private:
  std::vector<double> values_;
};

}  // namespace dtf
