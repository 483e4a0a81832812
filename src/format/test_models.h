// Models for the tests of this folder. For tests only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "flow/autoregressive_flow.h"
#include "flow/hidden_tree_flow.h"
#include "flow/layered_flow.h"
#include "flow/mixture_flow.h"
#include "format/model_file.h"

namespace dtf::testing {

struct Node {
  std::int32_t left = kNoChild;
  std::int32_t right = kNoChild;
  Feature feature = 0;
  std::vector<Code> left_set;
  std::vector<std::pair<Feature, std::vector<Code>>> moves = {};  // column, top
};

inline Tsp MakeTree(const std::vector<Node>& nodes, const std::vector<Code>& sizes) {
  TspNodes arrays;
  for (const Node& node : nodes) {
    arrays.left.push_back(node.left);
    arrays.right.push_back(node.right);
    arrays.feature.push_back(node.feature);
    arrays.left_set.Append(node.left_set);
    std::vector<Feature> moved;
    for (const auto& [feature, top] : node.moves) {
      moved.push_back(feature);
      arrays.top.Append(top);
    }
    arrays.moved.Append(moved);
  }
  return Tsp::Make(std::move(arrays), sizes);
}

inline Ragged<std::uint64_t> MakeCounts(const std::vector<std::vector<std::uint64_t>>& lists) {
  Ragged<std::uint64_t> counts;
  for (const auto& list : lists) counts.Append(list);
  return counts;
}

// A model with something in every field. Never change it: tests/compat/format_1.dtf is this model.
inline ModelContent Format1Content() {
  using std::string_literals::operator""s;
  Schema schema;
  schema.columns = {
      {.name = "colour \u00fc",
       .type = "string",
       .categories = {"", "#", "</value>", "a\0b"s, "\u4e2d\u6587 \U0001F600"},
       .has_missing = true,
       .ordered = false,
       .bins = {}},
      {.name = "n", .type = "int64", .categories = {"1", "2"}, .has_missing = false, .ordered = true, .bins = {}},
      {.name = "x,\"y\"",
       .type = "double",
       .categories = {"-1.25", "1", "7"},
       .has_missing = false,
       .ordered = true,
       .bins = Bins{.cuts = {0.5, 2}, .low = {-1.25, 0.5, 2}, .high = {0.25, 1.5, 1e300}, .decimals = 2}}};
  const std::vector<Code> sizes = {6, 2, 3};
  std::vector<Tsp> layers;
  layers.push_back(MakeTree({{1, 2, 0, {0, 5}, {{0, {2, 1}}}},
                             {kNoChild, kNoChild, 0, {}, {{1, {0}}}},
                             {3, 4, 2, {1}},
                             {kNoChild, kNoChild, 0, {}},
                             {kNoChild, kNoChild, 0, {}, {{0, {3, 1}}, {2, {0}}}}},
                            sizes));
  layers.push_back(MakeTree({{kNoChild, kNoChild, 0, {}, {{1, {0}}}}}, sizes));
  const Ragged<std::uint64_t> counts =
      MakeCounts({{65536, 131072, 0, 65536, 196607, 196609}, {300000, 355360}, {1, 327680, 327679}});
  FitRecord record;
  record.options = {{"criterion", "glp-aligned"}, {"layers", "2"}, {"weights", ""}};
  record.rows = 10;
  record.train_nll = 3.25;
  record.curve = {{0, 4.5, {}}, {1, 3.5, std::numeric_limits<double>::infinity()}, {2, 3.25, 3.75}};
  IndependentBase base(counts, 0x1p-16, 0.01, false);
  return {schema, record, std::make_shared<LayeredFlow>(sizes, std::move(layers), std::move(base))};
}

inline Question MakeQuestion(std::int32_t yes, std::int32_t no, Logit bias) {
  Question question;
  question.yes = yes;
  question.no = no;
  question.bias = bias;
  return question;
}

// Of columns of 6, 2 and 3 categories, in the order 2, 0, 1.
inline std::vector<Conditioner> MakeConditioners() {
  std::vector<Conditioner> conditioners(3);
  conditioners[0].questions = {MakeQuestion(2, 1, 70000), MakeQuestion(-6, 4, -3), MakeQuestion(-1, 3, 0),
                               MakeQuestion(-3, -2, 1 << 29), MakeQuestion(-4, -5, -12345)};
  conditioners[0].questions[0].terms = {{0, 300}, {1, -(1 << 20)}};
  conditioners[0].questions[3].trees = {{{}, {-5}}, {{{1, 1, -1}, {0, -3, -2}}, {1, 1 << 28, -70000}}};
  conditioners[1].questions = {MakeQuestion(-2, -1, 0)};
  conditioners[1].questions[0].trees = {{{{2, -1, -2}}, {-65536, 65536}}};
  conditioners[2].questions = {MakeQuestion(-2, 1, 1), MakeQuestion(-1, -3, -1)};
  return conditioners;
}

// A mixture of every kind of flow, with something in every field that Format1Content leaves out. Never change it:
// tests/compat/format_2.dtf is this model.
inline ModelContent Format2Content() {
  ModelContent content = Format1Content();
  const std::vector<Code> sizes = content.flow->sizes();
  const std::vector<Feature> order = {2, 0, 1};
  const std::vector<CodeTest> tests = {{2, 0, 1}, {2, 2, 2}, {0, 1, 5}};
  const auto counts = MakeCounts({{9, 8, 7, 6, 5, 4}, {20, 19}, {0, 39, 0}});
  const IndependentBase independent(counts, 0.5, 0.25, false);
  const ConditionalBase conditional{1234.5, 0.125, false};
  const auto first = std::make_shared<AutoregressiveFlow>(sizes, order, tests, MakeConditioners(), conditional);
  const auto second = std::make_shared<AutoregressiveFlow>(sizes, order, tests, MakeConditioners(), independent);
  content.flow = std::make_shared<MixtureFlow>(std::vector<std::shared_ptr<const Flow>>{first, content.flow, second},
                                               std::vector<double>{0.5, 0.125, 0.375});
  return content;
}

// Layers with a base in the context of leaves, of Format1Content's columns. Never change it: tests/compat/format_3.dtf
// is this model.
inline ModelContent Format3Content() {
  ModelContent content = Format1Content();
  const std::vector<Code> sizes = content.flow->sizes();
  std::vector<Tsp> layers;
  layers.push_back(MakeTree({{kNoChild, kNoChild, 0, {}, {{1, {0}}}}}, sizes));
  layers.push_back(dynamic_cast<const LayeredFlow&>(*content.flow).layers()[0]);
  Ragged<CodeCount> counts;  // of the leaves: nodes 1, 3 and 4
  for (const std::vector<CodeCount>& list : std::vector<std::vector<CodeCount>>{{{0, 300}, {5, 1}},
                                                                                {{1, 301}},
                                                                                {{0, 1}, {2, 300}},
                                                                                {},
                                                                                {},
                                                                                {},
                                                                                {{1, 2}, {3, 70000}, {4, 7}},
                                                                                {{0, 70000}, {1, 9}},
                                                                                {{0, 9}, {2, 70000}}}) {
    counts.Append(list);
  }
  LeafBase base(layers.back(), sizes, std::move(counts), 0x1p-16, 0.01, 2.5, false);
  content.flow = std::make_shared<LayeredFlow>(sizes, std::move(layers), std::move(base));
  return content;
}

// Format1Content with texts that mean missing. Never change it: tests/compat/format_4.dtf is this model.
inline ModelContent Format4Content() {
  ModelContent content = Format1Content();
  content.schema.columns[0].missing_texts = {"?", "n/a"};
  content.schema.columns[2].missing_texts = {"", "-999", "\u4e2d"};
  return content;
}

// A mixture in which members have the questions of another one. Never change it: tests/compat/format_5.dtf is this
// model.
inline ModelContent Format5Content() {
  ModelContent content = Format1Content();
  const std::vector<Code> sizes = content.flow->sizes();
  std::vector<Conditioner> conditioners = MakeConditioners();
  for (Conditioner& conditioner : conditioners) {
    for (Question& question : conditioner.questions) question.trees.clear();
  }
  const auto first = std::make_shared<AutoregressiveFlow>(sizes, std::vector<Feature>{2, 0, 1},
                                                          std::vector<CodeTest>{{2, 0, 1}, {2, 2, 2}, {0, 1, 5}},
                                                          conditioners, ConditionalBase{1234.5, 0.125, false});
  const auto second = std::make_shared<AutoregressiveFlow>(
      *first, std::vector<std::vector<Logit>>{{1, -2, 300, -(1 << 29), 5}, {0}, {-1, 70000}});
  const auto third =
      std::make_shared<AutoregressiveFlow>(*first, std::vector<std::vector<Logit>>{{0, 0, 0, 0, 0}, {-65536}, {1, 2}});
  content.flow =
      std::make_shared<MixtureFlow>(std::vector<std::shared_ptr<const Flow>>{first, second, third, content.flow},
                                    std::vector<double>{0.5, 0.125, 0.125, 0.25});
  return content;
}

// An autoregressive flow that says how many rows alone have their category. Never change it: tests/compat/format_6.dtf
// is this model.
inline ModelContent Format6Content() {
  ModelContent content = Format1Content();
  content.flow = std::make_shared<AutoregressiveFlow>(
      content.flow->sizes(), std::vector<Feature>{2, 0, 1}, std::vector<CodeTest>{{2, 0, 1}, {2, 2, 2}, {0, 1, 5}},
      MakeConditioners(), ConditionalBase{1234.5, 0.125, false, {0, 17.25, 1234.5}});
  return content;
}

// A mixture with a hidden tree. Never change it: tests/compat/format_7.dtf is this model.
inline ModelContent Format7Content() {
  ModelContent content = Format1Content();
  const std::vector<Code> sizes = content.flow->sizes();
  HiddenTree tree{.states = 2,
                  .order = {1, 2, 0},
                  .parent = {0, 0, 1},
                  .root = {512, 512},
                  .transitions = {0, kMostLogShare, 300, 1200, 5, 4000, 4000, 5},
                  .categories = {}};
  for (std::size_t k = 0; k < 2 * (std::size_t{sizes[0]} + sizes[1] + sizes[2]); ++k) {
    tree.categories.push_back(static_cast<LogShare>(k * 700));
  }
  const auto hidden =
      std::make_shared<HiddenTreeFlow>(sizes, std::move(tree), ConditionalBase{1234.5, 0.125, false, {0, 17.25, 3}});
  content.flow = std::make_shared<MixtureFlow>(std::vector<std::shared_ptr<const Flow>>{content.flow, hidden},
                                               std::vector<double>{0.75, 0.25});
  return content;
}

// A random tree of at most `splits` splits.
inline Tsp RandomTree(RandomStream& random, const std::vector<Code>& sizes, int splits) {
  std::vector<Node> nodes(1);
  std::vector<Domain> domains = {Domain(sizes)};
  for (std::size_t at = 0; at < nodes.size(); ++at) {
    Node node;
    for (Feature feature = 0; feature < sizes.size(); ++feature) {
      const CodeSet set = domains[at].Of(feature);
      const auto code = [&] { return set.At(static_cast<Code>(random.Below(set.size()))); };
      if (set.size() < 2 || random.Below(3) == 0) continue;
      const Code first = code();
      const Code second = code();
      node.moves.push_back({feature, first == second ? std::vector<Code>{first} : std::vector<Code>{first, second}});
    }
    node.feature = static_cast<Feature>(random.Below(sizes.size()));
    const CodeSet set = domains[at].Of(node.feature);
    if (splits-- > 0 && set.size() > 1) {
      node.left_set = {set.At(static_cast<Code>(random.Below(set.size())))};
      node.left = static_cast<std::int32_t>(nodes.size());
      node.right = node.left + 1;
      const auto [left, right] = domains[at].Split(node.feature, node.left_set);
      domains.push_back(left);
      domains.push_back(right);
      nodes.resize(nodes.size() + 2);
    } else {
      node.feature = 0;
    }
    nodes[at] = std::move(node);
  }
  return MakeTree(nodes, sizes);
}

// The schema of columns with 1 to `largest` categories.
inline Schema RandomSchema(RandomStream& random, std::size_t columns, Code largest) {
  Schema schema;
  schema.closed = random.Below(2) == 0;
  for (std::size_t j = 0; j < columns; ++j) {
    ColumnSchema& column = schema.columns.emplace_back();
    column.name = "column " + std::to_string(j);
    column.type = "string";
    for (auto a = random.Below(largest); a-- > 0;) column.categories.push_back("value " + std::to_string(a * a));
    column.has_missing = column.categories.empty() || random.Below(2) == 0;
  }
  return schema;
}

// `columns` columns of 1 to `largest` categories, `layers` trees of at most `splits` splits.
inline ModelContent RandomContent(std::uint64_t seed, std::size_t columns, Code largest, int layers, int splits) {
  RandomStream random(seed, RandomPurpose::kShuffle, 0);
  Schema schema;
  schema.closed = random.Below(2) == 0;
  std::vector<Code> sizes;
  Ragged<std::uint64_t> counts;
  const std::uint64_t rows = 1 + random.Below(std::uint64_t{1} << random.Below(50));
  for (std::size_t j = 0; j < columns; ++j) {
    ColumnSchema& column = schema.columns.emplace_back();
    column.name = "column " + std::to_string(j);
    column.type = "string";
    for (auto a = random.Below(largest); a-- > 0;) column.categories.push_back("value " + std::to_string(a * a));
    column.has_missing = column.categories.empty() || random.Below(2) == 0;
    sizes.push_back(column.size());
    std::vector<std::uint64_t> of_column(column.size(), 0);
    std::uint64_t left = rows;
    for (std::uint64_t& count : of_column) left -= count = random.Below(left + 1);
    of_column.back() += left;
    counts.Append(of_column);
  }
  std::vector<Tsp> trees;
  for (int layer = 0; layer < layers; ++layer) trees.push_back(RandomTree(random, sizes, splits));
  IndependentBase base(counts, 1, random.Uniform(), schema.closed);
  auto flow = std::make_shared<LayeredFlow>(sizes, std::move(trees), std::move(base));
  return {std::move(schema), FitRecord(), std::move(flow)};
}

inline ModelContent Parse(const std::string& file) { return ParseModel(std::as_bytes(std::span(file)), "m.dtf"); }

}  // namespace dtf::testing
