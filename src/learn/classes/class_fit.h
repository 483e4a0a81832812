#pragma once

#include <vector>

#include "flow/conditioner.h"

namespace dtf {

// The classes of a latent class model: flows in one order that differ only in the biases of their questions.
struct ClassFit {
  std::vector<Feature> order;
  std::vector<CodeTest> tests;
  std::vector<Conditioner> conditioners;  // by column; their biases are not used
  struct Class {
    double weight = 0;                       // positive; those of all classes sum to 1
    std::vector<std::vector<Logit>> biases;  // by column, of its questions
  };
  std::vector<Class> classes;
};

}  // namespace dtf
