// Autoregressive flows and mixtures that nobody learnt.
#pragma once

#include <memory>
#include <vector>

#include "base/random.h"
#include "flow/autoregressive_flow.h"
#include "flow/mixture_flow.h"

namespace dtf {

struct RandomFlowOptions {
  bool closed = false;
  bool independent = false;  // the base
  // Of 10 questions so many look at earlier columns.
  int asked = 7;
  bool has_trees = true;
  // Logits of up to so many nats. Some are 0, so that probabilities tie.
  double most_nats = 2;
};

// Any order, question trees, tests, terms and trees.
std::shared_ptr<const AutoregressiveFlow> MakeRandomAutoregressive(RandomStream& random, const std::vector<Code>& sizes,
                                                                   const RandomFlowOptions& options);

// The same but for its questions' biases. Half of them share their questions in memory.
std::shared_ptr<const AutoregressiveFlow> MakeSibling(RandomStream& random, const AutoregressiveFlow& flow,
                                                      const RandomFlowOptions& options);

// The same, and nothing shared.
std::shared_ptr<const AutoregressiveFlow> MakeTwin(const AutoregressiveFlow& flow);

// The same options for all members but their base, which is of either kind. Some are siblings of the one before.
std::shared_ptr<const MixtureFlow> MakeRandomMixture(RandomStream& random, const std::vector<Code>& sizes,
                                                     std::size_t members, RandomFlowOptions options);

}  // namespace dtf
