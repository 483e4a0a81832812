#pragma once

#include <memory>
#include <vector>

#include "flow/autoregressive_flow.h"
#include "format/payload_reader.h"

namespace dtf {

// Throws Error(kModelFile) unless all that check_autoregressive.h says holds.
std::shared_ptr<const Flow> ReadAutoregressive(const file::AutoregressiveFlow& flow, const std::vector<Code>& sizes,
                                               bool closed, PayloadReader& reader);

// Of the base that both kinds of flow have.
IndependentBase ReadIndependentBase(const file::IndependentCounts& base, const std::vector<Code>& sizes, bool closed,
                                    PayloadReader& reader);

}  // namespace dtf
