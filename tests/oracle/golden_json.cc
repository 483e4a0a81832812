#include "oracle/golden_json.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

namespace dtf::oracle {
namespace {

using Json = nlohmann::json;

// Per feature: value in the file -> position.
using Positions = std::vector<std::map<int, int>>;

std::string PathOf(const std::string& file) { return GoldenFolder() + "/" + file; }

// "mushroom_f0_full_stable" -> "mushroom_f0".
std::string DataOf(const std::string& name) { return name.substr(0, name.find("_f0") + 3); }

std::vector<std::string> FilesOf(const std::string& name) {
  return {name + ".json", name + "_test_z.csv", name + "_test_loglik.csv", DataOf(name) + "_train.csv",
          DataOf(name) + "_test.csv"};
}

Positions ReadDomain(const Json& domain) {
  Positions positions;
  for (const Json& values : domain) {
    std::map<int, int> of;
    for (const Json& value : values) {
      if (!value.is_null()) of[value.get<int>()] = 0;
    }
    int next = 0;
    for (auto& [value, position] : of) position = next++;
    positions.push_back(std::move(of));
  }
  return positions;
}

std::vector<std::vector<double>> ReadCsv(const std::string& file) {
  std::ifstream in(PathOf(file));
  std::vector<std::vector<double>> rows;
  for (std::string line; std::getline(in, line);) {
    std::istringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(std::stod(cell));
  }
  return rows;
}

template <typename Number>
Rows ToPositions(const std::vector<std::vector<Number>>& values, const Positions& positions) {
  Rows rows;
  for (const std::vector<Number>& row : values) {
    rows.emplace_back();
    for (std::size_t j = 0; j < row.size(); ++j) rows.back().push_back(positions.at(j).at(static_cast<int>(row[j])));
  }
  return rows;
}

Rows ReadRows(const Json& json, const Positions& positions) {
  return ToPositions(json.get<std::vector<std::vector<int>>>(), positions);
}

// d x k tables, indexed by value in the file; null: not defined there.
Maps ReadMaps(const Json& json, const Positions& positions) {
  Maps maps;
  for (std::size_t j = 0; j < positions.size(); ++j) {
    maps.emplace_back(positions[j].size(), -1);
    for (const auto& [value, position] : positions[j]) {
      const Json& to = json.at(j).at(value);
      if (!to.is_null()) maps[j][position] = positions[j].at(to.get<int>());
    }
  }
  return maps;
}

Sets ReadNodeDomain(const Json& json, const Positions& positions) {
  Sets domain(positions.size());
  for (std::size_t j = 0; j < positions.size(); ++j) {
    for (const auto& [value, position] : positions[j]) {
      if (json.at(j).at(value) == 1) domain[j].push_back(position);
    }
  }
  return domain;
}

std::vector<int> ReadSplitValues(const Json& json, const std::map<int, int>& positions) {
  std::vector<int> values;
  for (const Json& value : json.is_array() ? json : Json::array({json})) {
    values.push_back(positions.at(value.get<int>()));
  }
  std::sort(values.begin(), values.end());
  return values;
}

int IntOr(const Json& json, int otherwise) { return json.is_null() ? otherwise : json.get<int>(); }

Node ReadNode(const Json& json, const Positions& positions) {
  Node node;
  node.parent = IntOr(json.at("parent"), -1);
  node.left = IntOr(json.at("left"), -1);
  node.right = IntOr(json.at("right"), -1);
  node.depth = json.at("depth");
  node.rows = json.at("n_samples");
  if (!json.at("is_leaf").get<bool>()) {
    node.feature = json.at("split_feature");
    node.left_raw = ReadSplitValues(json.at("split_value_data_space"), positions.at(node.feature));
    node.left_new = ReadSplitValues(json.at("split_value"), positions.at(node.feature));
  }
  node.domain_raw = ReadNodeDomain(json.at("domain_data_space"), positions);
  node.perm_tilde = ReadMaps(json.at("perm_tilde"), positions);
  node.perm = ReadMaps(json.at("perm"), positions);
  return node;
}

std::vector<std::vector<double>> ReadBase(const Json& json, const Positions& positions) {
  std::vector<std::vector<double>> base;
  for (std::size_t j = 0; j < positions.size(); ++j) {
    base.emplace_back();
    for (const auto& [value, position] : positions[j]) base.back().push_back(json.at(j).at(value));
  }
  return base;
}

void ReadTrees(const Json& json, const Positions& positions, GoldenCase* golden) {
  for (const Json& tree : json.at("trees")) {
    golden->parameters.push_back(tree.at("count_params"));
    golden->trees.emplace_back();
    for (const Json& node : tree.at("nodes")) golden->trees.back().nodes.push_back(ReadNode(node, positions));
  }
}

}  // namespace

std::string GoldenFolder() {
  const char* data = std::getenv("DTF_TEST_DATA");
  return (data != nullptr ? std::string(data) : std::string(DTF_SOURCE_DIR) + "/../shared") + "/golden";
}

std::string MissingGoldenFile(const std::string& name) {
  for (const std::string& file : FilesOf(name)) {
    if (!std::filesystem::exists(PathOf(file))) return file;
  }
  return "";
}

GoldenCase ReadGoldenCase(const std::string& name) {
  std::ifstream in(PathOf(name + ".json"));
  const Json json = Json::parse(in);
  const Positions positions = ReadDomain(json.at("domain"));
  GoldenCase golden;
  for (const auto& of : positions) golden.sizes.push_back(static_cast<int>(of.size()));
  golden.max_depth = json.at("max_depth");
  golden.n_min = json.at("min_samples_split");
  golden.alpha = json.at("alpha");
  golden.random_splits = json.at("split") != "greedy_local_perm";
  ReadTrees(json, positions, &golden);
  for (const Json& base : json.at("Q")) golden.base.push_back(ReadBase(base, positions));
  json.at("train_nll_after_each_tree").get_to(golden.train_nll);
  json.at("test_nll_after_each_tree").get_to(golden.test_nll);
  const Json& first = json.at("test_first50");
  golden.first_test = ReadRows(first.at("x"), positions);
  for (const Json& z : first.at("z_after_each_tree")) golden.first_test_z.push_back(ReadRows(z, positions));
  first.at("loglik").get_to(golden.first_test_log_likelihood);
  golden.train = ToPositions(ReadCsv(DataOf(name) + "_train.csv"), positions);
  golden.test = ToPositions(ReadCsv(DataOf(name) + "_test.csv"), positions);
  golden.test_z = ToPositions(ReadCsv(name + "_test_z.csv"), positions);
  for (const auto& row : ReadCsv(name + "_test_loglik.csv")) golden.test_log_likelihood.push_back(row.at(0));
  return golden;
}

}  // namespace dtf::oracle
