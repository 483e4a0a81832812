// What a model is made of, in words.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "dtf/model.h"

namespace dtf::cli {

// "1 model", "3 latent classes"
std::string Count(std::size_t count, const std::string& noun);

// Of a mixture's members those that are classes of latent class models, or those that are not.
std::vector<ModelStructure> MembersOf(const ModelStructure& mixture, bool are_classes);

// "autoregressive, conditional base"; "mixture of 3 models and 12 latent classes"
std::string KindInWords(const ModelStructure& structure);

// "layers        8\n" for a tsp, the number set in `width` letters; the other kinds have none.
std::string LayersLine(const Model& model, std::size_t width);

}  // namespace dtf::cli
