// Files with a right checksum whose payload no dtf would write.
#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "dtf/error.h"
#include "engine/random_autoregressive.h"
#include "format/frame.h"
#include "format/model_generated.h"
#include "format/packed_numbers.h"
#include "format/test_models.h"

namespace dtf {
namespace {

using Numbers = std::vector<std::uint64_t>;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct RawColumn {
  std::string name;
  Numbers lengths;
  std::string text;
  bool has_missing = false;
  std::optional<Bins> bins = {};
  std::string type = "string";
  Numbers missing_lengths = {};
  std::string missing_text = {};
};

struct RawTree {
  Numbers left;
  Numbers right;
  Numbers feature;
  Numbers left_set_lengths;
  Numbers left_set;
  Numbers moved_lengths;
  Numbers moved;
  Numbers top_lengths;
  Numbers top;
};

// What a file says, right or wrong: first of all the model of three rows and one split.
struct RawModel {
  std::vector<RawColumn> columns = {{"a", {1, 1, 1}, "xyz"}, {"b", {1, 1}, "12"}, {"c", {1, 1}, "pq"}};
  RawTree tree = {{1, 0, 0}, {2, 0, 0}, {0, 0, 0}, {1, 0, 0}, {2}, {2, 0, 1}, {0, 1, 1}, {1, 1, 1}, {1, 0, 0}};
  Numbers counts = {1, 0, 2, 1, 2, 0, 3};
  double unit = 1;
  double alpha = 0.5;
  double rows = 3;
  double train_nll = 1;
  std::optional<double> valid_nll = {};
  std::uint32_t curve_layers = 1;
  std::string option = "glp";
  std::uint8_t flow_kind = 1;
  std::uint8_t base_kind = 1;
  bool has_flow = true;
  int times_each_column = 1;  // in the list of columns: the same offset again and again
  int times_each_layer = 1;
};

class RawWriter {
 public:
  std::string Write(const RawModel& raw) {
    std::vector<flatbuffers::Offset<file::Column>> columns;
    for (const RawColumn& column : raw.columns) {
      const auto offset = WriteColumn(column);
      for (int time = 0; time < raw.times_each_column; ++time) columns.push_back(offset);
    }
    const std::vector layers(static_cast<std::size_t>(raw.times_each_layer), WriteTree(raw.tree));
    const auto base = file::CreateIndependentCounts(builder_, Pack(raw.counts), raw.unit, raw.alpha);
    auto flow =
        file::CreateLayeredFlow(builder_, builder_.CreateVector(layers), file::Base(raw.base_kind), base.Union());
    if (!raw.has_flow) flow = 0;
    const std::vector options = {file::CreateOptionDirect(builder_, "criterion", raw.option.c_str())};
    flatbuffers::Optional<double> valid_nll = flatbuffers::nullopt;
    if (raw.valid_nll) valid_nll = *raw.valid_nll;
    const std::vector curve = {file::CreateCurvePoint(builder_, raw.curve_layers, 1, valid_nll)};
    const auto record = file::CreateFitRecordDirect(builder_, &options, raw.rows, raw.train_nll, &curve);
    builder_.Finish(
        file::CreateModelDirect(builder_, &columns, false, file::Flow(raw.flow_kind), flow.Union(), record));
    return FramePayload({builder_.GetBufferPointer(), builder_.GetSize()}, 1);
  }

 private:
  flatbuffers::Offset<flatbuffers::Vector<std::uint8_t>> Pack(const Numbers& numbers) {
    std::vector<std::uint8_t> bytes(10 * numbers.size() + 1);
    std::uint8_t* end = bytes.data();
    for (const std::uint64_t number : numbers) end = PackNumber(number, end);
    return builder_.CreateVector(bytes.data(), static_cast<std::size_t>(end - bytes.data()));
  }

  flatbuffers::Offset<flatbuffers::Vector<std::uint8_t>> Bytes(const std::string& text) {
    return builder_.CreateVector(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  }

  flatbuffers::Offset<file::Column> WriteColumn(const RawColumn& column) {
    flatbuffers::Offset<file::Bins> bins = 0;
    if (column.bins) {
      bins = file::CreateBinsDirect(builder_, &column.bins->cuts, &column.bins->low, &column.bins->high,
                                    static_cast<std::uint32_t>(column.bins->decimals));
    }
    return file::CreateColumn(builder_, builder_.CreateString(column.name), builder_.CreateString(column.type),
                              Pack(column.lengths), Bytes(column.text), column.has_missing, false, bins,
                              Pack(column.missing_lengths), Bytes(column.missing_text));
  }

  flatbuffers::Offset<file::Tree> WriteTree(const RawTree& tree) {
    return file::CreateTree(builder_, Pack(tree.left), Pack(tree.right), Pack(tree.feature),
                            Pack(tree.left_set_lengths), Pack(tree.left_set), Pack(tree.moved_lengths),
                            Pack(tree.moved), Pack(tree.top_lengths), Pack(tree.top));
  }

  flatbuffers::FlatBufferBuilder builder_;
};

std::string WhyRefused(const std::string& file) {
  try {
    testing::Parse(file);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kModelFile);
    return error.what();
  }
  return "";
}

std::string WhyRefused(const RawModel& raw) { return WhyRefused(RawWriter().Write(raw)); }

struct Case {
  std::string reason;  // after "m.dtf is damaged: "
  std::function<void(RawModel&)> spoil;
};

void ExpectRefused(const std::vector<Case>& cases) {
  for (const auto& [reason, spoil] : cases) {
    RawModel raw;
    spoil(raw);
    EXPECT_EQ(WhyRefused(raw), "m.dtf is damaged: " + reason);
  }
}

// n splits on column 0 in a chain: each takes one code to the left.
RawTree Chain(std::size_t n) {
  RawTree tree;
  for (std::size_t i = 0; i < n; ++i) {
    tree.left.insert(tree.left.end(), {2 * i + 1, 0});
    tree.right.insert(tree.right.end(), {2 * i + 2, 0});
  }
  // Node 2i + 1 is the left leaf of split 2i, node 2i + 2 the next split.
  tree.left.push_back(0);
  tree.right.push_back(0);
  tree.feature.assign(2 * n + 1, 0);
  tree.moved_lengths.assign(2 * n + 1, 0);
  tree.left_set_lengths.assign(2 * n + 1, 0);
  for (std::size_t i = 0; i < n; ++i) {
    tree.left_set_lengths[2 * i] = 1;
    tree.left_set.push_back(i);
  }
  return tree;
}

// A complete tree that splits on columns first, first + 1, … of two codes, one for each level.
RawTree CompleteTree(int levels, std::uint64_t first) {
  RawTree tree;
  const std::size_t inner = (std::size_t{1} << levels) - 1;
  for (std::size_t node = 0; node < 2 * inner + 1; ++node) {
    const bool is_leaf = node >= inner;
    int level = 0;
    while ((node + 1) >> (level + 1) != 0) ++level;
    tree.left.push_back(is_leaf ? 0 : 2 * node + 1);
    tree.right.push_back(is_leaf ? 0 : 2 * node + 2);
    tree.feature.push_back(is_leaf ? 0 : first + level);
    tree.left_set_lengths.push_back(is_leaf ? 0 : 1);
    tree.moved_lengths.push_back(0);
  }
  tree.left_set.assign(inner, 0);
  return tree;
}

RawColumn NumberedColumn(const std::string& name, std::size_t categories) {
  RawColumn column{name, {}, ""};
  for (std::size_t a = 0; a < categories; ++a) {
    const std::string category = std::to_string(a);
    column.lengths.push_back(category.size());
    column.text += category;
  }
  return column;
}

TEST(HostileFile, WithNothingWrongIsRead) { EXPECT_EQ(WhyRefused(RawModel()), ""); }

TEST(HostileFile, WithABadTreeIsRefused) {
  const auto wrong_child = [](int node, const std::string& child) {
    return "layer 1: node " + std::to_string(node) + " has the child " + child +
           ", which is not a later node without another parent";
  };
  ExpectRefused({
      {wrong_child(0, "3"), [](RawModel& raw) { raw.tree.left[0] = 3; }},
      {wrong_child(0, "2147483647"), [](RawModel& raw) { raw.tree.right[0] = 0x7FFFFFFF; }},
      {wrong_child(1, "1"), [](RawModel& raw) { raw.tree.left[1] = raw.tree.right[1] = 1; }},
      {wrong_child(2, "1"), [](RawModel& raw) { raw.tree.left[2] = 1; }},
      {wrong_child(0, "1"), [](RawModel& raw) { raw.tree.right[0] = 1; }},
      {"layer 1: a number is out of its range", [](RawModel& raw) { raw.tree.left[0] = 0x80000000; }},
      {"layer 1: a number is out of its range", [](RawModel& raw) { raw.tree.left[0] = ~std::uint64_t{0}; }},
      {"layer 1: node 0 has one child only", [](RawModel& raw) { raw.tree.left[0] = 0; }},
      {"layer 1: node 0 splits on a column that is not there", [](RawModel& raw) { raw.tree.feature[0] = 99; }},
      {"layer 1: node 0 permutes a column that is not there", [](RawModel& raw) { raw.tree.moved[1] = 99; }},
      {"layer 1: node 0 lists its permuted columns out of order", [](RawModel& raw) { raw.tree.moved[1] = 0; }},
      {"layer 1: node 0 has a permutation that does not map its domain onto itself",
       [](RawModel& raw) {
         raw.tree.top_lengths[0] = 3;
         raw.tree.top = {0, 0, 2, 0, 0};
       }},
      {"layer 1: node 2 has a permutation that does not map its domain onto itself",
       [](RawModel& raw) {
         raw.tree.moved[2] = 0;
         raw.tree.top[2] = 2;
       }},
      {"layer 1: node 0 has a permutation that does not map its domain onto itself",
       [](RawModel& raw) { raw.tree.top[0] = 3; }},
      {"layer 1: node 0 has a left set that is not a proper part of its domain",
       [](RawModel& raw) { raw.tree.left_set[0] = 3; }},
      {"layer 1: node 0 has a left set that is not a proper part of its domain",
       [](RawModel& raw) {
         raw.tree.left_set_lengths[0] = 3;
         raw.tree.left_set = {0, 1, 2};
       }},
      {"layer 1: node 0 has a left set out of order",
       [](RawModel& raw) {
         raw.tree.left_set_lengths[0] = 2;
         raw.tree.left_set = {2, 0};
       }},
      {"layer 1: its lists have other lengths than their values",
       [](RawModel& raw) {
         raw.tree.left_set_lengths = {2, 0, 0};
       }},
      {"layer 1: its lists have other lengths than their values",
       [](RawModel& raw) {
         raw.tree.moved_lengths = {0xFFFFFFFF, 0xFFFFFFFF, 5};
       }},
      {"layer 1: the tree's arrays differ in length", [](RawModel& raw) { raw.tree.feature.pop_back(); }},
      {"layer 1: the tree's arrays differ in length", [](RawModel& raw) { raw.tree.right.push_back(0); }},
      {"layer 1: the tree's arrays differ in length", [](RawModel& raw) { raw.tree.moved_lengths.push_back(0); }},
      {"layer 1: a tree needs 1 to 2^30 nodes", [](RawModel& raw) { raw.tree = RawTree(); }},
      {"layer 1: node 510 lies deeper than 255 splits",
       [](RawModel& raw) {
         raw.columns[0] = NumberedColumn("a", 400);
         raw.counts.assign(404, 0);
         raw.counts.front() = raw.counts[400] = raw.counts[402] = 3;
         raw.tree = Chain(300);
       }},
  });
}

TEST(HostileFile, WithATreeOfDepthAMillionIsRefused) {
  RawModel raw;
  raw.tree = Chain(1000000);
  EXPECT_NE(WhyRefused(raw).find("m.dtf is damaged: layer 1: node "), std::string::npos);
}

TEST(HostileFile, WithABadBaseIsRefused) {
  const std::string alpha = "alpha is not a number from 0 to 2^900";
  const std::string unit = "the unit of counts is not a power of two from 2^-16 to 1";
  ExpectRefused({
      {alpha, [](RawModel& raw) { raw.alpha = -0.5; }},
      {alpha, [](RawModel& raw) { raw.alpha = kNan; }},
      {alpha, [](RawModel& raw) { raw.alpha = kInfinity; }},
      {alpha, [](RawModel& raw) { raw.alpha = 1e300; }},
      {unit, [](RawModel& raw) { raw.unit = 0; }},
      {unit, [](RawModel& raw) { raw.unit = kNan; }},
      {unit, [](RawModel& raw) { raw.unit = -1; }},
      {unit, [](RawModel& raw) { raw.unit = 2; }},
      {unit, [](RawModel& raw) { raw.unit = 0x1p-17; }},
      {unit, [](RawModel& raw) { raw.unit = 0.75; }},
      {"the counts of column 1 sum to 2^53 or more", [](RawModel& raw) { raw.counts[0] = std::uint64_t{1} << 62; }},
      {"the counts of column 1 sum to 2^53 or more",
       [](RawModel& raw) { raw.counts[0] = raw.counts[1] = std::uint64_t{1} << 52; }},
      {"the counts of column 2 sum to 2^53 or more", [](RawModel& raw) { raw.counts[3] = ~std::uint64_t{0}; }},
      {"the counts of column 3 do not sum to those of column 1", [](RawModel& raw) { raw.counts[5] = 1; }},
      {"its lists have other lengths than their values", [](RawModel& raw) { raw.counts.pop_back(); }},
      {"its lists have other lengths than their values", [](RawModel& raw) { raw.counts.push_back(0); }},
      {"there are no counts, and alpha is 0",
       [](RawModel& raw) {
         raw.counts.assign(7, 0);
         raw.alpha = 0;
       }},
      {"it has no base distribution of a kind that this dtf knows", [](RawModel& raw) { raw.base_kind = 7; }},
      {"it has no base distribution of a kind that this dtf knows", [](RawModel& raw) { raw.base_kind = 0; }},
      {"it has no flow of a kind that this dtf knows", [](RawModel& raw) { raw.flow_kind = 7; }},
  });
  RawModel raw;
  raw.has_flow = false;
  EXPECT_NE(WhyRefused(raw), "");
}

TEST(HostileFile, WithABadSchemaIsRefused) {
  const Bins bins{.cuts = {1, 2}, .low = {0, 1, 2}, .high = {0, 1, 3}, .decimals = 0};
  const auto spoilt = [&](const std::function<void(Bins&)>& spoil) {
    Bins changed = bins;
    spoil(changed);
    return [changed](RawModel& raw) { raw.columns[0].bins = changed; };
  };
  ExpectRefused({
      {"it has no columns", [](RawModel& raw) { raw.columns.clear(); }},
      {"column 2 has no categories",
       [](RawModel& raw) {
         raw.columns[1] = {"b", {}, ""};
       }},
      {"column 2 has the same category twice", [](RawModel& raw) { raw.columns[1].text = "11"; }},
      {"column 1 has the same category twice", [](RawModel& raw) { raw.columns[0].text = "xyx"; }},
      {"column 3 has a category that is not UTF-8", [](RawModel& raw) { raw.columns[2].text = "p\xff"; }},
      {"column 1 has a category that is not UTF-8", [](RawModel& raw) { raw.columns[0].text = "\xc3\xa9z"; }},
      {"column 3 has a name or type that is not UTF-8", [](RawModel& raw) { raw.columns[2].name = "\xed\xa0\x80"; }},
      {"column 1: its texts that mean missing have other lengths than their text",
       [](RawModel& raw) {
         raw.columns[0].missing_lengths = {1, 0xFFFFFFFF};
       }},
      {"column 1 has a text for missing that is not UTF-8",
       [](RawModel& raw) { raw.columns[0].missing_lengths = {1}, raw.columns[0].missing_text = "\xff"; }},
      {"column 1 has texts for missing out of order",
       [](RawModel& raw) {
         raw.columns[0].missing_lengths = {1, 1}, raw.columns[0].missing_text = "??";
       }},
      {"column 1 has a category that means missing",
       [](RawModel& raw) {
         raw.columns[0].missing_lengths = {1, 1}, raw.columns[0].missing_text = "?y";
       }},
      {"two columns have the same name", [](RawModel& raw) { raw.columns[2].name = "a"; }},
      {"column 1: its categories have other lengths than their text",
       [](RawModel& raw) { raw.columns[0].lengths[1] = 2; }},
      {"column 1: its categories have other lengths than their text",
       [](RawModel& raw) {
         raw.columns[0].lengths = {0xFFFFFFFF, 0xFFFFFFFF, 5};
       }},
      {"column 1: a number is out of its range", [](RawModel& raw) { raw.columns[0].lengths[0] = ~std::uint64_t{0}; }},
      {"column 1 does not have one cut fewer than bins", spoilt([](Bins& b) { b.cuts.pop_back(); })},
      {"column 1 does not have one range for each bin", spoilt([](Bins& b) { b.low.pop_back(); })},
      {"column 1 does not have one range for each bin", spoilt([](Bins& b) { b.high.push_back(9); })},
      {"column 1 has a bin that is not finite", spoilt([](Bins& b) { b.cuts[0] = -kInfinity; })},
      {"column 1 has a bin that is not finite", spoilt([](Bins& b) { b.low[1] = kNan; })},
      {"column 1 has a bin that is not finite", spoilt([](Bins& b) { b.high[2] = kInfinity; })},
      {"column 1 has cuts out of order", spoilt([](Bins& b) { b.cuts[1] = 1; })},
      {"column 1 has a bin whose lowest value is not its least", spoilt([](Bins& b) { b.low[1] = 1.5; })},
      {"column 1 has bins with more than 17 decimals", spoilt([](Bins& b) { b.decimals = 18; })},
      {"column 1: it has bins with too many decimals", spoilt([](Bins& b) { b.decimals = -1; })},
  });
}

TEST(HostileFile, WithABadRecordIsRefused) {
  const std::string rows = "the fit record has an impossible number of rows";
  const std::string nll = "the fit record has a likelihood that is not a number";
  ExpectRefused({
      {rows, [](RawModel& raw) { raw.rows = -1; }},
      {rows, [](RawModel& raw) { raw.rows = kInfinity; }},
      {nll, [](RawModel& raw) { raw.train_nll = kNan; }},
      {nll, [](RawModel& raw) { raw.valid_nll = kNan; }},
      {"the fit record has an option that is not UTF-8", [](RawModel& raw) { raw.option = "\x80"; }},
      {"point of the curve 1: it has too many layers", [](RawModel& raw) { raw.curve_layers = 0x80000000; }},
  });
}

// A hundred thousand offsets to one column or layer would be a small file of a huge model.
TEST(HostileFile, WithPartsThatOverlapIsRefused) {
  RawModel raw;
  raw.times_each_column = 2;
  raw.columns = {NumberedColumn("a", 1000)};
  EXPECT_EQ(WhyRefused(raw), "m.dtf is damaged: column 2: its parts overlap");
  raw.times_each_column = 100000;
  EXPECT_NE(WhyRefused(raw).find("its parts overlap"), std::string::npos);
  raw = RawModel();
  raw.columns = {NumberedColumn("a", 4)};
  raw.counts = {1, 1, 1, 0};
  raw.tree = {{0}, {0}, {0}, {0}, {}, {1}, {0}, {1}, {1}};
  raw.times_each_layer = 100000;
  EXPECT_NE(WhyRefused(raw).find("its parts overlap"), std::string::npos);
}

// Tables of leaves × moved columns.
TEST(HostileFile, WithTablesTooLargeForItIsRefused) {
  RawModel raw;
  constexpr std::uint64_t kColumns = 20000;
  raw.columns.clear();
  raw.counts.clear();
  raw.tree = CompleteTree(14, 0);
  raw.tree.moved_lengths[0] = kColumns;
  for (std::uint64_t j = 0; j < kColumns; ++j) {
    raw.columns.push_back({std::to_string(j), {1, 1}, "01"});
    raw.counts.insert(raw.counts.end(), {1, 1});
    raw.tree.moved.push_back(j);
    raw.tree.top_lengths.push_back(1);
    raw.tree.top.push_back(0);
  }
  EXPECT_EQ(WhyRefused(raw), "m.dtf is damaged: layer 1: its trees and members take far more memory than their file");
}

// Ten thousand splits of one large column need no lists of all its codes.
TEST(HostileFile, WithManySplitsOfALargeColumnIsNoBurden) {
  RawModel raw;
  constexpr int kLevels = 15;
  raw.columns.clear();
  raw.counts.clear();
  for (int level = 0; level < kLevels - 1; ++level) {
    raw.columns.push_back({"level " + std::to_string(level), {1, 1}, "01"});
    raw.counts.insert(raw.counts.end(), {1, 0});
  }
  raw.columns.push_back(NumberedColumn("large", 100000));
  raw.counts.push_back(1);
  raw.counts.insert(raw.counts.end(), 99999, 0);
  raw.tree = CompleteTree(kLevels, 0);
  EXPECT_EQ(WhyRefused(raw), "");
}

// 1 to 4 bytes of `payload` changed, a little or altogether; now and then some lost, doubled or put in, or its end
// lost.
std::string SpoilPayload(std::string payload, RandomStream& random) {
  for (auto changes = 1 + random.Below(4); changes > 0; --changes) {
    char& byte = payload[random.Below(payload.size())];
    const std::uint64_t values[] = {random.Next(), static_cast<std::uint64_t>(byte + 1),
                                    static_cast<std::uint64_t>(byte - 1)};
    byte = static_cast<char>(values[random.Below(3)]);
  }
  const std::size_t at = random.Below(payload.size());
  const std::string piece = payload.substr(at, 1 + random.Below(64));
  switch (random.Below(40)) {
    case 0:
      return payload.substr(0, at);
    case 1:
      return payload.erase(at, piece.size());
    case 2:
      return payload.insert(at, piece);
    case 3:
      return payload.replace(random.Below(payload.size() - piece.size() + 1), piece.size(), piece);
    default:
      return payload;
  }
}

// Any codes at all, the unseen slot too, where there is one.
CodeBlock RandomCodes(const ModelContent& content, RandomStream& random) {
  const std::vector<Code>& sizes = content.flow->sizes();
  CodeBlock block(8, sizes.size());
  for (std::size_t j = 0; j < sizes.size(); ++j) {
    for (Code& code : block[j]) code = static_cast<Code>(random.Below(sizes[j] + (content.schema.closed ? 0 : 1)));
  }
  return block;
}

std::optional<ModelContent> ParseUnlessRefused(const std::string& file) {
  try {
    return testing::Parse(file);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kModelFile);
    return std::nullopt;
  }
}

void ExpectUsable(const ModelContent& content, RandomStream& random) {
  const std::string saved = SerializeModel(content);
  EXPECT_EQ(SerializeModel(testing::Parse(saved)), saved);
  CodeBlock block(4, content.flow->sizes().size());
  content.flow->Sample(1, 0, block);
  std::vector<double> scores(block.rows());
  content.flow->LogProb(block, scores);
  for (const double score : scores) EXPECT_LE(score, 0);
  scores.resize(8);
  content.flow->LogProb(RandomCodes(content, random), scores);
  for (const double score : scores) EXPECT_LE(score, 0);
  const CodeBlock back = content.flow->Decode(content.flow->Encode(block));
  for (std::size_t j = 0; j < block.columns(); ++j) EXPECT_TRUE(std::ranges::equal(back[j], block[j]));
}

TEST(HostileFile, WithRandomChangesIsRefusedOrUsable) {
  RandomStream first_random(8, RandomPurpose::kShuffle, 0);
  ModelContent autoregressive = testing::Format1Content();
  autoregressive.flow = MakeRandomAutoregressive(first_random, autoregressive.flow->sizes(), {});
  const std::vector<std::string> files = {SerializeModel(testing::Format1Content()),
                                          RawWriter().Write(RawModel()),
                                          SerializeModel(testing::RandomContent(5, 4, 12, 2, 6)),
                                          SerializeModel(testing::Format2Content()),
                                          SerializeModel(testing::Format3Content()),
                                          SerializeModel(testing::Format4Content()),
                                          SerializeModel(testing::Format5Content()),
                                          SerializeModel(testing::Format6Content()),
                                          SerializeModel(testing::Format7Content()),
                                          SerializeModel(autoregressive)};
  RandomStream random(7, RandomPurpose::kShuffle, 0);
  constexpr int kRounds = 20000;
  int usable = 0;
  for (int round = 0; round < kRounds; ++round) {
    const std::string payload = SpoilPayload(files[random.Below(files.size())].substr(kHeaderSize), random);
    const std::span bytes(reinterpret_cast<const std::uint8_t*>(payload.data()), payload.size());
    if (const auto content = ParseUnlessRefused(FramePayload(bytes, kFormatVersion))) {
      ++usable;
      ExpectUsable(*content, random);
    }
  }
  EXPECT_GT(usable, kRounds / 100);
  EXPECT_LT(usable, kRounds - kRounds / 100);
}

}  // namespace
}  // namespace dtf
