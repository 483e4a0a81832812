#pragma once

#include "flow/autoregressive_flow.h"
#include "format/payload_writer.h"

namespace dtf {

flatbuffers::Offset<file::AutoregressiveFlow> WriteAutoregressive(const AutoregressiveFlow& flow,
                                                                  PayloadWriter& writer);

flatbuffers::Offset<file::IndependentCounts> WriteIndependentBase(const IndependentBase& base, PayloadWriter& writer);

}  // namespace dtf
