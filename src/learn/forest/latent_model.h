// Models of what is not seen, beside a forest's members: latent classes, and trees of hidden states.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "flow/autoregressive_flow.h"
#include "flow/mixture_flow.h"
#include "learn/classes/latent_classes.h"
#include "learn/forest/fit_member.h"
#include "learn/hidden_tree/fit_hidden_tree.h"
#include "learn/weighted_rows.h"

namespace dtf {

// States of columns in a tree that was found before.
struct HiddenTreeModel {
  std::shared_ptr<const ColumnTree> columns;
  HiddenTreeOptions options;
  double work = 0;  // WorkOfHiddenTree, of the rows that the tree was found in
};

using LatentOptions = std::variant<ClassOptions, HiddenTreeModel>;

// What FitLatentFlow takes, in the unit of MemberFit::work.
double WorkOfLatent(const ColumnQuestions& columns, const WeightedRows& rows, const LatentOptions& options);

// Positions of the models, those of most work first: where threads learn one each, none begins last that takes long.
std::vector<std::size_t> DearestFirst(const ColumnQuestions& columns, const WeightedRows& rows,
                                      std::span<const LatentOptions> models);

// Learns latent classes, and makes them a flow: a mixture with one member for each class.
std::shared_ptr<const MixtureFlow> FitClassFlow(const ColumnQuestions& columns, const WeightedRows& rows,
                                                const ClassOptions& options, std::uint64_t seed,
                                                const ConditionalBase& base);

// Learns a model, and makes it a flow.
std::shared_ptr<const Flow> FitLatentFlow(const ColumnQuestions& columns, const WeightedRows& rows,
                                          const LatentOptions& options, std::uint64_t seed,
                                          const ConditionalBase& base);

}  // namespace dtf
