#include <cstddef>
#include <string>

#include "dtf/table.h"

namespace dtf {

std::string DescribeRow(const Batch& batch, std::size_t row) {
  if (!batch.lines.empty()) return batch.source + ", line " + std::to_string(batch.lines[row]);
  return batch.source + ", record " + std::to_string(batch.first_record + row + 1);
}

}  // namespace dtf
