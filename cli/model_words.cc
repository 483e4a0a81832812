#include "model_words.h"

#include <algorithm>
#include <iterator>

namespace dtf::cli {

std::string Count(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : noun.ends_with("s") ? "es" : "s");
}

std::vector<ModelStructure> MembersOf(const ModelStructure& mixture, bool are_classes) {
  std::vector<ModelStructure> members;
  std::copy_if(mixture.members.begin(), mixture.members.end(), std::back_inserter(members),
               [&](const ModelStructure& member) { return member.is_class == are_classes; });
  return members;
}

std::string KindInWords(const ModelStructure& structure) {
  if (structure.members.empty()) return structure.kind + ", " + structure.base + " base";
  const std::size_t models = MembersOf(structure, false).size();
  const std::size_t classes = MembersOf(structure, true).size();
  std::string parts = models > 0 ? Count(models, "model") : "";
  if (classes > 0) parts += (models > 0 ? " and " : "") + Count(classes, "latent class");
  return structure.kind + " of " + parts;
}

std::string LayersLine(const Model& model, std::size_t width) {
  if (model.structure().kind != "tsp") return "";
  std::string name = "layers";
  name.resize(width, ' ');
  return name + std::to_string(model.layers()) + "\n";
}

}  // namespace dtf::cli
