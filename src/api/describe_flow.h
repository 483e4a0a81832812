// What kind of flow a model has, and what it is made of.
#pragma once

#include <string>

#include "dtf/model.h"
#include "flow/flow.h"

namespace dtf {

ModelStructure DescribeFlow(const Flow& flow);

// For messages: "an autoregressive model", "a mixture of 12 models".
std::string DescribeInWords(const Flow& flow);

// The number of a tsp's layers; 0 for other kinds.
int LayerCount(const Flow& flow);

}  // namespace dtf
