#include "trees.h"

#include <nanobind/stl/vector.h>

namespace dtf::python {
namespace nb = nanobind;

nb::dict ToPython(const TreeDescription& tree) {
  nb::list splits;
  for (const SplitDescription& split : tree.splits) {
    splits.append(nb::make_tuple(split.test.column, split.test.codes, split.yes, split.no));
  }
  nb::dict entry;
  entry["splits"] = splits;
  entry["leaves"] = tree.leaves;
  return entry;
}

nb::dict ToPython(const QuestionDescription& question) {
  nb::list terms;
  for (const QuestionDescription::Term& term : question.terms) {
    terms.append(nb::make_tuple(term.test.column, term.test.codes, term.weight));
  }
  nb::list trees;
  for (const TreeDescription& tree : question.trees) trees.append(ToPython(tree));
  nb::dict entry;
  entry["yes"] = question.yes;
  entry["no"] = question.no;
  entry["bias"] = question.bias;
  entry["terms"] = terms;
  entry["trees"] = trees;
  return entry;
}

}  // namespace dtf::python
