#pragma once

#include "flow/autoregressive_flow.h"
#include "format/payload_writer.h"

namespace dtf {

flatbuffers::Offset<file::AutoregressiveFlow> WriteAutoregressive(const AutoregressiveFlow& flow,
                                                                  PayloadWriter& writer);

// Of a sibling: the biases of all its questions.
PayloadWriter::Bytes WriteBiases(const AutoregressiveFlow& flow, PayloadWriter& writer);

// Of the bases that several kinds of flow have.
flatbuffers::Offset<file::IndependentCounts> WriteIndependentBase(const IndependentBase& base, PayloadWriter& writer);
flatbuffers::Offset<file::ConditionalRanks> WriteConditionalBase(const ConditionalBase& base, PayloadWriter& writer);

}  // namespace dtf
