// A hidden tree in a model file, and what must hold of it.
#pragma once

#include <memory>
#include <vector>

#include "flow/hidden_tree_flow.h"
#include "format/payload_reader.h"
#include "format/payload_writer.h"

namespace dtf {

flatbuffers::Offset<file::HiddenTreeFlow> WriteHiddenTree(const HiddenTreeFlow& flow, PayloadWriter& writer);
// Throws Error(kModelFile) when the lists do not have their lengths, or as CheckHiddenTree does.
HiddenTree ReadHiddenTree(const file::HiddenTreeFlow& flow, const std::vector<Code>& sizes, PayloadReader& reader);

// Throws Error(kModelFile) unless it is a tree of all columns of these sizes, in preorder, with lists of their lengths.
void CheckHiddenTree(const HiddenTree& tree, const std::vector<Code>& sizes);

}  // namespace dtf
