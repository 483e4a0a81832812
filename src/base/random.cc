#include "base/random.h"

#include <Random123/philox.h>

namespace dtf {

std::array<std::uint64_t, RandomStream::kBlock> RandomStream::Block(std::uint64_t index) const {
  using Philox = r123::Philox4x64;
  const auto drawn =
      Philox()(Philox::ctr_type{{index, counter_[1], counter_[2], counter_[3]}}, Philox::key_type{{key_[0], key_[1]}});
  return {drawn[0], drawn[1], drawn[2], drawn[3]};
}

}  // namespace dtf
