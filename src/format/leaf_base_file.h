// The conditional base of layers in a model file, and what must hold of it.
#pragma once

#include <vector>

#include "flow/leaf_base.h"
#include "format/payload_reader.h"
#include "format/payload_writer.h"

namespace dtf {

// The arguments of a LeafBase that its part of the file holds; other parts hold the rest.
struct LeafBaseArguments {
  Ragged<CodeCount> counts;
  double unit = 0;
  double alpha = 0;
  double prior_rows = 0;
};

flatbuffers::Offset<file::LeafCounts> WriteLeafBase(const LeafBase& base, PayloadWriter& writer);
// Throws Error(kModelFile) when the lists do not fit together; CheckLeafBase checks the rest.
LeafBaseArguments ReadLeafBase(const file::LeafCounts& base, PayloadReader& reader);

// Throws Error(kModelFile) unless it can be the base of a flow whose last layer is `last`, of columns of these sizes.
void CheckLeafBase(const LeafBaseArguments& base, const Tsp& last, const std::vector<Code>& sizes);

// Estimates the memory, in bytes, that the LeafBase takes: every node has the codes that occur below it.
// REQUIRES: CheckLeafBase.
double LeafBaseCost(const LeafBaseArguments& base, const Tsp& last, const std::vector<Code>& sizes);

}  // namespace dtf
