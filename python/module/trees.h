// A model's trees for Python.
#pragma once

#include <nanobind/nanobind.h>

#include "dtf/trees.h"

namespace dtf::python {

// {"splits": [(column, codes, yes, no)], "leaves": [nats]}
nanobind::dict ToPython(const TreeDescription& tree);

// {"yes": codes, "no": codes, "bias": nats, "terms": [(column, codes, nats)], "trees": [as above]}
nanobind::dict ToPython(const QuestionDescription& question);

}  // namespace dtf::python
