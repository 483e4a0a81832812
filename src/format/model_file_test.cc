#include "format/model_file.h"
#include "format/hidden_tree_file.h"

#include <bit>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <typeinfo>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "dtf/error.h"
#include "engine/random_autoregressive.h"
#include "format/frame.h"
#include "format/test_models.h"

namespace dtf {
namespace {

using testing::Format1Content;
using testing::Format2Content;
using testing::Format3Content;
using testing::Format4Content;
using testing::Format5Content;
using testing::Format6Content;
using testing::Format7Content;
using testing::Parse;
using testing::RandomContent;

void ExpectSameSchema(const Schema& a, const Schema& b) {
  EXPECT_EQ(a.closed, b.closed);
  ASSERT_EQ(a.columns.size(), b.columns.size());
  for (std::size_t j = 0; j < a.columns.size(); ++j) {
    const ColumnSchema& of_a = a.columns[j];
    const ColumnSchema& of_b = b.columns[j];
    EXPECT_EQ(of_a.name, of_b.name);
    EXPECT_EQ(of_a.type, of_b.type);
    EXPECT_EQ(of_a.categories, of_b.categories);
    EXPECT_EQ(of_a.has_missing, of_b.has_missing);
    EXPECT_EQ(of_a.ordered, of_b.ordered);
    EXPECT_EQ(of_a.missing_texts, of_b.missing_texts);
    ASSERT_EQ(of_a.bins.has_value(), of_b.bins.has_value());
    if (!of_a.bins) continue;
    EXPECT_EQ(of_a.bins->cuts, of_b.bins->cuts);
    EXPECT_EQ(of_a.bins->low, of_b.bins->low);
    EXPECT_EQ(of_a.bins->high, of_b.bins->high);
    EXPECT_EQ(of_a.bins->decimals, of_b.bins->decimals);
  }
}

void ExpectSameRecord(const FitRecord& a, const FitRecord& b) {
  EXPECT_EQ(a.options, b.options);
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.train_nll, b.train_nll);
  ASSERT_EQ(a.curve.size(), b.curve.size());
  for (std::size_t i = 0; i < a.curve.size(); ++i) {
    EXPECT_EQ(a.curve[i].layers, b.curve[i].layers);
    EXPECT_EQ(a.curve[i].train_nll, b.curve[i].train_nll);
    EXPECT_EQ(a.curve[i].valid_nll, b.curve[i].valid_nll);
  }
}

template <typename T>
void ExpectSameLists(const Ragged<T>& a, const Ragged<T>& b) {
  EXPECT_EQ(a.values(), b.values());
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a.Begin(i), b.Begin(i));
}

void ExpectSameBase(const IndependentBase& a, const IndependentBase& b) {
  ExpectSameLists(a.counts(), b.counts());
  EXPECT_EQ(a.unit(), b.unit());
  EXPECT_EQ(std::bit_cast<std::uint64_t>(a.alpha()), std::bit_cast<std::uint64_t>(b.alpha()));
  EXPECT_EQ(a.closed(), b.closed());
}

void ExpectSameLayered(const LayeredFlow& a, const LayeredFlow& b) {
  EXPECT_EQ(a.sizes(), b.sizes());
  ASSERT_EQ(a.layers().size(), b.layers().size());
  for (std::size_t i = 0; i < a.layers().size(); ++i) {
    const TspNodes& of_a = a.layers()[i].nodes();
    const TspNodes& of_b = b.layers()[i].nodes();
    EXPECT_EQ(of_a.left, of_b.left);
    EXPECT_EQ(of_a.right, of_b.right);
    EXPECT_EQ(of_a.feature, of_b.feature);
    ExpectSameLists(of_a.left_set, of_b.left_set);
    ExpectSameLists(of_a.moved, of_b.moved);
    ExpectSameLists(of_a.top, of_b.top);
  }
  ExpectSameBase(a.independent_base(), b.independent_base());
  ASSERT_EQ(a.base().index(), b.base().index());
  if (const auto* of_leaves = std::get_if<LeafBase>(&a.base())) {
    const auto& other = std::get<LeafBase>(b.base());
    ExpectSameLists(of_leaves->counts(), other.counts());
    EXPECT_EQ(of_leaves->prior_rows(), other.prior_rows());
  }
}

void ExpectSameAutoregressive(const AutoregressiveFlow& a, const AutoregressiveFlow& b) {
  EXPECT_EQ(a.sizes(), b.sizes());
  EXPECT_EQ(a.order(), b.order());
  EXPECT_EQ(a.tests(), b.tests());
  for (Feature j = 0; j < a.sizes().size(); ++j) EXPECT_EQ(a.conditioner(j), b.conditioner(j));
  ASSERT_EQ(a.base().index(), b.base().index());
  if (const auto* conditional = std::get_if<ConditionalBase>(&a.base())) {
    EXPECT_EQ(*conditional, std::get<ConditionalBase>(b.base()));
  } else {
    ExpectSameBase(std::get<IndependentBase>(a.base()), std::get<IndependentBase>(b.base()));
  }
}

void ExpectSameHiddenTree(const HiddenTreeFlow& a, const HiddenTreeFlow& b) {
  EXPECT_EQ(a.sizes(), b.sizes());
  EXPECT_EQ(a.tree().states, b.tree().states);
  EXPECT_EQ(a.tree().order, b.tree().order);
  EXPECT_EQ(a.tree().parent, b.tree().parent);
  EXPECT_EQ(a.tree().root, b.tree().root);
  EXPECT_EQ(a.tree().transitions, b.tree().transitions);
  EXPECT_EQ(a.tree().categories, b.tree().categories);
  EXPECT_EQ(a.base(), b.base());
}

void ExpectSameFlow(const Flow& a, const Flow& b) {
  ASSERT_EQ(typeid(a), typeid(b));
  if (const auto* mixture = dynamic_cast<const MixtureFlow*>(&a)) {
    const auto& other = dynamic_cast<const MixtureFlow&>(b);
    EXPECT_EQ(mixture->weights(), other.weights());
    ASSERT_EQ(mixture->members().size(), other.members().size());
    for (std::size_t m = 0; m < other.members().size(); ++m) {
      ExpectSameFlow(*mixture->members()[m], *other.members()[m]);
    }
  } else if (const auto* autoregressive = dynamic_cast<const AutoregressiveFlow*>(&a)) {
    ExpectSameAutoregressive(*autoregressive, dynamic_cast<const AutoregressiveFlow&>(b));
  } else if (const auto* hidden_tree = dynamic_cast<const HiddenTreeFlow*>(&a)) {
    ExpectSameHiddenTree(*hidden_tree, dynamic_cast<const HiddenTreeFlow&>(b));
  } else {
    ExpectSameLayered(dynamic_cast<const LayeredFlow&>(a), dynamic_cast<const LayeredFlow&>(b));
  }
}

void ExpectSame(const ModelContent& a, const ModelContent& b) {
  ExpectSameSchema(a.schema, b.schema);
  ExpectSameRecord(a.record, b.record);
  ExpectSameFlow(*a.flow, *b.flow);
}

TEST(ModelFile, HoldsEveryFieldExactly) {
  for (const ModelContent& content :
       {Format1Content(), Format2Content(), Format3Content(), Format5Content(), Format6Content(), Format7Content()}) {
    ExpectSame(content, Parse(SerializeModel(content)));
  }
}

TEST(ModelFile, IsOfTheLowestFormatThatCanHoldIt) {
  constexpr std::size_t kFormatAt = 8;
  EXPECT_EQ(SerializeModel(Format1Content())[kFormatAt], 1);
  EXPECT_EQ(SerializeModel(Format2Content())[kFormatAt], 2);
  EXPECT_EQ(SerializeModel(Format3Content())[kFormatAt], 3);
  EXPECT_EQ(SerializeModel(Format4Content())[kFormatAt], 4);
  EXPECT_EQ(SerializeModel(Format5Content())[kFormatAt], 5);
  EXPECT_EQ(SerializeModel(Format6Content())[kFormatAt], 6);
  EXPECT_EQ(SerializeModel(Format7Content())[kFormatAt], 7);
  ModelContent mixed = Format3Content();
  mixed.flow =
      std::make_shared<MixtureFlow>(std::vector<std::shared_ptr<const Flow>>{mixed.flow}, std::vector<double>{1});
  EXPECT_EQ(SerializeModel(mixed)[kFormatAt], 3);
  ModelContent with_markers = Format5Content();
  with_markers.schema = Format4Content().schema;
  EXPECT_EQ(SerializeModel(with_markers)[kFormatAt], 5);
}

TEST(ModelFile, HoldsWhatSiblingsShareOnce) {
  const ModelContent loaded = Parse(SerializeModel(Format5Content()));
  const auto& members = dynamic_cast<const MixtureFlow&>(*loaded.flow).members();
  const auto& first = dynamic_cast<const AutoregressiveFlow&>(*members[0]);
  for (const std::size_t m : {1, 2}) {
    EXPECT_TRUE(dynamic_cast<const AutoregressiveFlow&>(*members[m]).SharesQuestions(first));
  }
  // What stands apart is told in full: so it is in format 2.
  ModelContent apart = Format1Content();
  apart.flow = std::make_shared<MixtureFlow>(
      std::vector<std::shared_ptr<const Flow>>{members[0], Format1Content().flow, members[1]},
      std::vector<double>{0.5, 0.25, 0.25});
  EXPECT_EQ(SerializeModel(apart)[8], 2);
  ExpectSame(apart, Parse(SerializeModel(apart)));
  // And so are members with trees or an independent base.
  RandomStream random(10, RandomPurpose::kShuffle, 0);
  const Schema schema = testing::RandomSchema(random, 4, 9);
  std::vector<Code> sizes;
  for (const ColumnSchema& column : schema.columns) sizes.push_back(column.size());
  for (const bool independent : {false, true}) {
    RandomFlowOptions options{.closed = schema.closed, .independent = independent};
    options.has_trees = !independent;
    const auto flow = MakeRandomAutoregressive(random, sizes, options);
    auto sibling = MakeSibling(random, *flow, options);
    while (!sibling->SharesQuestions(*flow)) sibling = MakeSibling(random, *flow, options);
    const ModelContent content{schema, FitRecord(),
                               std::make_shared<MixtureFlow>(std::vector<std::shared_ptr<const Flow>>{flow, sibling},
                                                             std::vector<double>{0.5, 0.5})};
    ExpectSame(content, Parse(SerializeModel(content)));
  }
}

void ExpectSameScores(const ModelContent& content) {
  const ModelContent loaded = Parse(SerializeModel(content));
  std::vector<std::vector<double>> scores;
  for (const auto& flow : {content.flow, loaded.flow}) {
    CodeBlock block(7 * 3 * 4, 3);
    for (std::size_t i = 0; i < block.rows(); ++i) {
      block[0][i] = static_cast<Code>(i / 12);
      block[1][i] = static_cast<Code>(i / 4 % 3);
      block[2][i] = static_cast<Code>(i % 4);
    }
    flow->LogProb(block, scores.emplace_back(block.rows()));
  }
  EXPECT_EQ(scores[0], scores[1]);
}

TEST(ModelFile, ScoresAreTheSameBitsAfterReload) {
  ExpectSameScores(Format1Content());
  ExpectSameScores(Format2Content());
  ExpectSameScores(Format3Content());
  ExpectSameScores(Format5Content());
  ExpectSameScores(Format6Content());
  ExpectSameScores(Format7Content());
}

TEST(ModelFile, OfTheSameContentIsTheSameBytes) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const ModelContent content = RandomContent(seed, 1 + seed % 7, 1 + static_cast<Code>(seed * seed % 400),
                                               static_cast<int>(seed % 4), static_cast<int>(seed % 50));
    const std::string file = SerializeModel(content);
    const ModelContent loaded = Parse(file);
    ExpectSame(content, loaded);
    EXPECT_EQ(SerializeModel(content), file);
    EXPECT_EQ(SerializeModel(loaded), file);
  }
}

// An autoregressive flow, or a mixture of `members`.
ModelContent RandomAutoregressiveContent(RandomStream& random, std::size_t columns, Code largest, std::size_t members) {
  ModelContent content;
  content.schema = testing::RandomSchema(random, columns, largest);
  std::vector<Code> sizes;
  for (const ColumnSchema& column : content.schema.columns) sizes.push_back(column.size());
  RandomFlowOptions options;
  options.closed = content.schema.closed;
  options.independent = random.Below(2) == 0;
  options.most_nats = 1000;
  content.flow = MakeRandomAutoregressive(random, sizes, options);
  if (members > 0) content.flow = MakeRandomMixture(random, sizes, members, options);
  return content;
}

TEST(ModelFile, OfTheSameAutoregressiveContentIsTheSameBytes) {
  RandomStream random(9, RandomPurpose::kShuffle, 0);
  for (std::uint64_t round = 0; round < 100; ++round) {
    const ModelContent content =
        RandomAutoregressiveContent(random, 1 + random.Below(7), 1 + static_cast<Code>(random.Below(60)), round % 4);
    const std::string file = SerializeModel(content);
    const ModelContent loaded = Parse(file);
    ExpectSame(content, loaded);
    EXPECT_EQ(SerializeModel(loaded), file);
  }
}

TEST(ModelFile, OfManyCategoriesTakesFewBytesForEach) {
  const Code size = 100000;
  Schema schema;
  ColumnSchema& column = schema.columns.emplace_back();
  for (Code a = 0; a < size; ++a) column.categories.push_back(std::to_string(a));
  std::vector<Tsp> layers;
  layers.push_back(testing::MakeTree({{1, 2, 0, {99999}, {{0, {7, 70000, 9}}}}, {}, {}}, {size}));
  IndependentBase base(testing::MakeCounts({std::vector<std::uint64_t>(size, 3)}), 1, 0.5, false);
  const std::vector<Code> sizes = {size};
  const auto flow = std::make_shared<LayeredFlow>(sizes, std::move(layers), std::move(base));
  const ModelContent content{schema, {}, flow};
  const std::string file = SerializeModel(content);
  EXPECT_LT(file.size(), 7u * size);
  ExpectSame(content, Parse(file));
}

TEST(ModelFile, LiesAnywhereInMemory) {
  const ModelContent content = Format1Content();
  const std::string file = SerializeModel(content);
  for (std::size_t shift = 0; shift < 8; ++shift) {
    const std::string shifted = std::string(shift, ' ') + file;
    ExpectSame(content, ParseModel(std::as_bytes(std::span(shifted)).subspan(shift), "m.dtf"));
  }
}

void ExpectRefusedWithAnyByteChanged(const std::string& file) {
  for (std::size_t i = 0; i < file.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = file;
      changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
      EXPECT_THROW(Parse(changed), Error) << "byte " << i << ", bit " << bit;
    }
  }
}

TEST(ModelFile, IsRefusedWithAnyByteChanged) {
  ExpectRefusedWithAnyByteChanged(SerializeModel(Format1Content()));
  ExpectRefusedWithAnyByteChanged(SerializeModel(Format2Content()));
  ExpectRefusedWithAnyByteChanged(SerializeModel(Format3Content()));
}

TEST(ModelFile, IsRefusedWhenCutOrContinued) {
  const std::string file = SerializeModel(Format1Content());
  for (std::size_t size = 0; size < file.size(); ++size) EXPECT_THROW(Parse(file.substr(0, size)), Error) << size;
  for (std::size_t more = 1; more < 20; ++more) EXPECT_THROW(Parse(file + std::string(more, '\0')), Error) << more;
  EXPECT_THROW(Parse(file + file), Error);
}

// What would not load is not saved.
void ExpectNotSaved(const ModelContent& content, const std::string& reason) {
  try {
    SerializeModel(content);
    ADD_FAILURE() << "saved: " << reason;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kOther);
    EXPECT_NE(std::string(error.what()).find(reason), std::string::npos) << error.what();
  }
}

TEST(ModelFile, IsNotWrittenWhenItWouldNotLoad) {
  ModelContent content = Format1Content();
  content.record.train_nll = std::numeric_limits<double>::quiet_NaN();
  ExpectNotSaved(content, "not a number");
  content = Format1Content();
  content.schema.columns[1].name = content.schema.columns[0].name;
  ExpectNotSaved(content, "two columns have the same name");
  content = Format1Content();
  content.schema.columns[1].categories.push_back("3");
  ExpectNotSaved(content, "other categories");
  content = Format1Content();
  content.schema.columns.pop_back();
  ExpectNotSaved(content, "other columns");
  content = Format1Content();
  content.schema.closed = true;
  ExpectNotSaved(content, "closed");
}

// A flow of columns with 2 categories each, the second of which looks at the first.
ModelContent WithFlow(std::shared_ptr<const Flow> flow) {
  ModelContent content;
  for (const char* name : {"a", "member"}) {
    content.schema.columns.push_back(
        {.name = name, .type = "string", .categories = {"x", "y"}, .has_missing = false, .ordered = false, .bins = {}});
  }
  content.flow = std::move(flow);
  return content;
}

std::shared_ptr<AutoregressiveFlow> PairFlow(std::vector<Feature> order, Logit bias, ConditionalBase base) {
  std::vector<Conditioner> conditioners(2);
  for (Conditioner& conditioner : conditioners) conditioner.questions = {testing::MakeQuestion(-1, -2, bias)};
  conditioners[1].questions[0].terms = {{0, 1}};
  const std::vector<CodeTest> tests = {{0, 1, 1}};
  return std::make_shared<AutoregressiveFlow>(std::vector<Code>{2, 2}, std::move(order), tests, conditioners, base);
}

TEST(ModelFile, IsNotWrittenOfAnAutoregressiveFlowThatWouldNotLoad) {
  const ConditionalBase base{1, 1, false};
  ExpectSame(WithFlow(PairFlow({0, 1}, 5, base)), Parse(SerializeModel(WithFlow(PairFlow({0, 1}, 5, base)))));
  ExpectNotSaved(WithFlow(PairFlow({1, 0}, 5, base)), "looks at a column that is not before its own");
  ExpectNotSaved(WithFlow(PairFlow({0, 1}, 1 << 30, base)), "sum to more than 2^30");
  ExpectNotSaved(WithFlow(PairFlow({0, 1}, 5, {1, 1, true})), "closed");
  ExpectNotSaved(WithFlow(PairFlow({0, 1}, 5, {0, 0, false})), "no rows");
  ExpectNotSaved(WithFlow(PairFlow({0, 1}, 5, {1, 1, true, {1, 1}})), "keeps mass for values never seen");
  const auto mixture = [&](std::vector<double> weights) {
    std::vector<std::shared_ptr<const Flow>> members(weights.size(), PairFlow({0, 1}, 5, base));
    return std::make_shared<MixtureFlow>(std::move(members), std::move(weights));
  };
  ExpectSame(WithFlow(mixture({0.5, 0.5})), Parse(SerializeModel(WithFlow(mixture({0.5, 0.5})))));
  ExpectNotSaved(WithFlow(mixture({0.5, 0.25})), "do not sum to 1");
  ExpectNotSaved(WithFlow(mixture({1.5, -0.5})), "not a positive number");
  ModelContent nested = WithFlow(
      std::make_shared<MixtureFlow>(std::vector<std::shared_ptr<const Flow>>{mixture({1})}, std::vector<double>{1}));
  ExpectNotSaved(nested, "is a mixture");
  const auto first = PairFlow({0, 1}, 5, base);
  const auto sibling = std::make_shared<AutoregressiveFlow>(*first, std::vector<std::vector<Logit>>{{0}, {1 << 30}});
  nested.flow = std::make_shared<MixtureFlow>(std::vector<std::shared_ptr<const Flow>>{first, sibling},
                                              std::vector<double>{0.5, 0.5});
  ExpectNotSaved(nested, "sum to more than 2^30");
}

TEST(ModelFile, RefusesToSaveAHiddenTreeThatIsNone) {
  const auto expect_refused = [](const std::function<void(HiddenTree&)>& harm, const std::string& words) {
    ModelContent content = Format7Content();
    const auto& mixture = dynamic_cast<const MixtureFlow&>(*content.flow);
    const auto& hidden = dynamic_cast<const HiddenTreeFlow&>(*mixture.members()[1]);
    HiddenTree tree = hidden.tree();
    harm(tree);
    try {
      CheckHiddenTree(tree, hidden.sizes());
      ADD_FAILURE() << "not refused: " << words;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  };
  expect_refused([](HiddenTree& tree) { tree.states = 0; }, "no states");
  expect_refused([](HiddenTree& tree) { tree.states = kMostStates + 1; }, "too many");
  expect_refused([](HiddenTree& tree) { tree.order[0] = 0; }, "other columns");
  expect_refused([](HiddenTree& tree) { tree.order.push_back(3); }, "other columns");
  expect_refused([](HiddenTree& tree) { tree.root.pop_back(); }, "other lengths");
  expect_refused([](HiddenTree& tree) { tree.transitions.push_back(0); }, "other lengths");
  expect_refused([](HiddenTree& tree) { tree.categories.pop_back(); }, "other lengths");
  expect_refused([](HiddenTree& tree) { tree.parent.pop_back(); }, "other lengths");
  expect_refused([](HiddenTree& tree) { tree.root[1] = kMostLogShare + 1; }, "below 2^-32");
  expect_refused([](HiddenTree& tree) { tree.parent[0] = 1; }, "order of a tree");
  expect_refused([](HiddenTree& tree) { tree.parent[1] = 1; }, "order of a tree");
  expect_refused([](HiddenTree& tree) { tree.parent[2] = 7; }, "order of a tree");
}

// A file of each format that a released dtf has written, to be read for ever.
std::string CompatPath(std::uint32_t format) {
  return std::string(DTF_SOURCE_DIR) + "/tests/compat/format_" + std::to_string(format) + ".dtf";
}

void ExpectReads(std::uint32_t format, const ModelContent& content) {
  std::ifstream in(CompatPath(format), std::ios::binary);
  ASSERT_TRUE(in) << CompatPath(format);
  const std::string file((std::istreambuf_iterator<char>(in)), {});
  ExpectSame(content, Parse(file));
  EXPECT_EQ(SerializeModel(content), file) << "the same content no longer gives the same bytes";
}

TEST(ModelFileCompat, ReadsFormat1) { ExpectReads(1, Format1Content()); }
TEST(ModelFileCompat, ReadsFormat2) { ExpectReads(2, Format2Content()); }
TEST(ModelFileCompat, ReadsFormat3) { ExpectReads(3, Format3Content()); }
TEST(ModelFileCompat, ReadsFormat4) { ExpectReads(4, Format4Content()); }
TEST(ModelFileCompat, ReadsFormat5) { ExpectReads(5, Format5Content()); }
TEST(ModelFileCompat, ReadsFormat6) { ExpectReads(6, Format6Content()); }
TEST(ModelFileCompat, ReadsFormat7) { ExpectReads(7, Format7Content()); }

// Writes the file that the test above reads, if there is none. Only for a new format that no release has written yet:
//   dtf_tests --gtest_also_run_disabled_tests --gtest_filter=ModelFileCompat.DISABLED_WriteNewest
TEST(ModelFileCompat, DISABLED_WriteNewest) {
  const std::string path = CompatPath(kFormatVersion);
  std::FILE* out = std::fopen(path.c_str(), "wbx");
  ASSERT_NE(out, nullptr) << path << " exists or cannot be written";
  const std::string file = SerializeModel(Format7Content());
  EXPECT_EQ(std::fwrite(file.data(), 1, file.size(), out), file.size());
  EXPECT_EQ(std::fclose(out), 0);
}

}  // namespace
}  // namespace dtf
