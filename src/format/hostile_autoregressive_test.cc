// Files of autoregressive flows and mixtures, with a right checksum, that no dtf would write.
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dtf/error.h"
#include "format/frame.h"
#include "format/model_generated.h"
#include "format/packed_numbers.h"
#include "format/test_models.h"

namespace dtf {
namespace {

using Numbers = std::vector<std::uint64_t>;

// What a file says, right or wrong: first of all columns of 3 and 2 categories, the second of which looks at the first.
struct Raw {
  Numbers order = {0, 1};
  Numbers test_column = {0, 0};
  Numbers test_first = {0, 2};
  Numbers test_more = {1, 0};
  Numbers yes = {0, 1, 1};  // of column 0: question 1, then category 0; of column 1: category 0
  Numbers no = {5, 3, 3};
  Numbers bias = {7, 8, 9};
  Numbers term_counts = {0, 0, 1};
  Numbers term_test = {1};
  Numbers term_value = {3};
  Numbers tree_counts = {0, 0, 2};
  Numbers node_counts = {2, 0};
  Numbers node_test = {0, 1};
  Numbers pass = {0, 1};
  Numbers fail = {5, 3};
  Numbers leaf = {1, 2, 3, 4};
  file::RankBase base_kind = file::RankBase::ConditionalRanks;
  double rows = 10;
  double alpha = 0.5;
  std::vector<double> single_rows = {};
  std::vector<double> weights = {};  // of a mixture of the same flow; none: no mixture
  file::MemberFlow member_kind = file::MemberFlow::AutoregressiveFlow;
  int times_each_flow = 1;             // in a mixture: the same offset again and again
  std::vector<Numbers> siblings = {};  // biases of further members
  double weight_of_siblings = 0.5;
  int times_each_sibling = 1;  // the same offset again and again
  bool has_biases_besides_flow = false;
  bool has_layers_before_siblings = false;
  std::uint64_t constant_columns = 0;  // further ones, of one category
};

class RawWriter {
 public:
  std::string Write(const Raw& raw) {
    std::vector columns = {WriteColumn("a", {1, 1, 1}, "xyz"), WriteColumn("b", {1, 1}, "pq")};
    for (std::uint64_t j = 0; j < raw.constant_columns; ++j) {
      columns.push_back(WriteColumn("constant " + std::to_string(j), {1}, "c"));
    }
    auto kind = file::Flow::AutoregressiveFlow;
    auto flow = raw.weights.empty() ? WriteFlow(raw).Union() : WriteMixture(raw).Union();
    if (!raw.weights.empty()) kind = file::Flow::MixtureFlow;
    builder_.Finish(file::CreateModelDirect(builder_, &columns, false, kind, flow));
    return FramePayload({builder_.GetBufferPointer(), builder_.GetSize()}, kFormatVersion);
  }

 private:
  flatbuffers::Offset<flatbuffers::Vector<std::uint8_t>> Pack(const Numbers& numbers) {
    std::vector<std::uint8_t> bytes(10 * numbers.size() + 1);
    std::uint8_t* end = bytes.data();
    for (const std::uint64_t number : numbers) end = PackNumber(number, end);
    return builder_.CreateVector(bytes.data(), static_cast<std::size_t>(end - bytes.data()));
  }

  flatbuffers::Offset<file::Column> WriteColumn(const std::string& name, const Numbers& lengths,
                                                const std::string& categories) {
    const auto text =
        builder_.CreateVector(reinterpret_cast<const std::uint8_t*>(categories.data()), categories.size());
    return file::CreateColumn(builder_, builder_.CreateString(name), builder_.CreateString("string"), Pack(lengths),
                              text);
  }

  flatbuffers::Offset<file::AutoregressiveFlow> WriteFlow(const Raw& raw) {
    const auto single_rows = raw.single_rows.empty() ? 0 : builder_.CreateVector(raw.single_rows);
    const auto base = file::CreateConditionalRanks(builder_, raw.rows, raw.alpha, single_rows).Union();
    Numbers order = raw.order;
    for (std::uint64_t j = 0; j < raw.constant_columns; ++j) order.push_back(2 + j);
    return file::CreateAutoregressiveFlow(builder_, Pack(order), Pack(raw.test_column), Pack(raw.test_first),
                                          Pack(raw.test_more), Pack(raw.yes), Pack(raw.no), Pack(raw.bias),
                                          Pack(raw.term_counts), Pack(raw.term_test), Pack(raw.term_value),
                                          Pack(raw.tree_counts), Pack(raw.node_counts), Pack(raw.node_test),
                                          Pack(raw.pass), Pack(raw.fail), Pack(raw.leaf), raw.base_kind, base);
  }

  flatbuffers::Offset<file::MixtureFlow> WriteMixture(const Raw& raw) {
    std::vector<flatbuffers::Offset<file::Member>> members;
    for (const double weight : raw.weights) {
      const auto flow = WriteFlow(raw).Union();
      for (int time = 0; time < raw.times_each_flow; ++time) {
        const auto biases = raw.has_biases_besides_flow ? Pack(raw.bias) : 0;
        members.push_back(file::CreateMember(builder_, weight, raw.member_kind, flow, biases));
      }
    }
    if (raw.has_layers_before_siblings) {
      const auto counts = file::CreateIndependentCounts(builder_, Pack({3, 2, 1, 3, 3}), 1, 0.5).Union();
      const auto layers = file::CreateLayeredFlow(builder_, 0, file::Base::IndependentCounts, counts).Union();
      members.push_back(file::CreateMember(builder_, 0.25, file::MemberFlow::LayeredFlow, layers));
    }
    for (const Numbers& biases : raw.siblings) {
      const auto packed = Pack(biases);
      const auto member = file::CreateMember(builder_, raw.weight_of_siblings, file::MemberFlow::NONE, 0, packed);
      members.insert(members.end(), static_cast<std::size_t>(raw.times_each_sibling), member);
    }
    return file::CreateMixtureFlowDirect(builder_, &members);
  }

  flatbuffers::FlatBufferBuilder builder_;
};

std::string WhyRefused(const Raw& raw) {
  try {
    testing::Parse(RawWriter().Write(raw));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kModelFile);
    return error.what();
  }
  return "";
}

struct Case {
  std::string reason;  // after "m.dtf is damaged: "
  std::function<void(Raw&)> spoil;
};

void ExpectRefused(const std::vector<Case>& cases) {
  for (const auto& [reason, spoil] : cases) {
    Raw raw;
    spoil(raw);
    EXPECT_EQ(WhyRefused(raw), "m.dtf is damaged: " + reason);
  }
}

constexpr std::uint64_t kHuge = 0xFFFFFFFF;
const std::string kLengths = "its lists have other lengths than their values";
const std::string kRange = "a number is out of its range";

TEST(HostileAutoregressiveFile, WithNothingWrongIsRead) {
  EXPECT_EQ(WhyRefused(Raw()), "");
  Raw raw;
  raw.weights = {0.25, 0.75};
  EXPECT_EQ(WhyRefused(raw), "");
}

TEST(HostileAutoregressiveFile, WithABadOrderOrTestIsRefused) {
  ExpectRefused({
      {"its order has not as many columns as the schema", [](Raw& raw) { raw.order = {0}; }},
      {"its order has not as many columns as the schema",
       [](Raw& raw) {
         raw.order = {0, 1, 1};
       }},
      {"its order is no permutation",
       [](Raw& raw) {
         raw.order = {1, 1};
       }},
      {"its order is no permutation",
       [](Raw& raw) {
         raw.order = {0, 2};
       }},
      {"a question looks at a column that is not before its own",
       [](Raw& raw) {
         raw.order = {1, 0};
       }},
      {"a question looks at a column that is not before its own",
       [](Raw& raw) {
         raw.test_column[1] = 1;
         raw.test_first[1] = 0;
       }},
      {"a test looks at a column that is not there", [](Raw& raw) { raw.test_column[1] = 2; }},
      {"a test has codes that its column has not", [](Raw& raw) { raw.test_first[1] = 3; }},
      {"a test has codes that its column has not", [](Raw& raw) { raw.test_more[0] = 3; }},
      {kRange, [](Raw& raw) { raw.test_more[1] = kHuge - 1; }},
      {kLengths, [](Raw& raw) { raw.test_first.pop_back(); }},
      {kLengths, [](Raw& raw) { raw.test_more.push_back(0); }},
      {"a question has a test that is not there", [](Raw& raw) { raw.term_test[0] = 2; }},
      {"a question has a test that is not there", [](Raw& raw) { raw.node_test[1] = kHuge; }},
  });
}

TEST(HostileAutoregressiveFile, WithBadQuestionsIsRefused) {
  const std::string tree = "the questions of a column are no tree of its categories";
  ExpectRefused({
      {tree, [](Raw& raw) { raw.yes[0] = 2; }},              // question 2, which is column 1's
      {tree, [](Raw& raw) { raw.yes[0] = raw.no[0] = 0; }},  // question 1 twice
      {tree, [](Raw& raw) { raw.no[0] = 3; }},               // category 1 twice
      {tree, [](Raw& raw) { raw.no[0] = 7; }},               // category 3
      {tree, [](Raw& raw) { raw.no[0] = kHuge; }},           // category 2^31 - 1
      {kRange, [](Raw& raw) { raw.yes[1] = kHuge - 1; }},
      {tree, [](Raw& raw) { raw.yes[2] = 0; }},              // question 1 of one
      {kRange, [](Raw& raw) { raw.yes[0] = kHuge + 1; }},    //
      {kLengths, [](Raw& raw) { raw.yes.pop_back(); }},      //
      {kLengths, [](Raw& raw) { raw.yes.push_back(1); }},    //
      {kLengths, [](Raw& raw) { raw.no.clear(); }},          //
      {kLengths, [](Raw& raw) { raw.bias.pop_back(); }},     //
      {kLengths, [](Raw& raw) { raw.term_counts[0] = 2; }},  //
      {kLengths, [](Raw& raw) { raw.term_counts[2] = kHuge; }},
      {kLengths, [](Raw& raw) { raw.term_counts[2] = 0; }},
      {kLengths, [](Raw& raw) { raw.term_value.clear(); }},
      {"a question has logits that sum to more than 2^30", [](Raw& raw) { raw.bias[0] = std::uint64_t{1} << 31 | 1; }},
      {"a question has logits that sum to more than 2^30", [](Raw& raw) { raw.term_value[0] = kHuge; }},
      {"a question has logits that sum to more than 2^30",
       [](Raw& raw) {
         raw.leaf[0] = 1 << 30;
         raw.leaf[3] = (1 << 30) - 1;
         raw.bias[2] = 1 << 6;
       }},
  });
}

TEST(HostileAutoregressiveFile, WithABadTreeIsRefused) {
  const std::string tree = "a question has a tree that is none";
  ExpectRefused({
      {tree, [](Raw& raw) { raw.pass[0] = 1; }},  // a leaf twice, node 1 never
      {tree, [](Raw& raw) { raw.pass[0] = 2; }},  // node 2 of two
      {tree, [](Raw& raw) { raw.pass[1] = 0; }},  // likewise
      {tree, [](Raw& raw) { raw.fail[0] = 3; }},  // leaf 1 twice
      {tree, [](Raw& raw) { raw.fail[0] = 7; }},  // leaf 3 of three
      {tree, [](Raw& raw) { raw.fail[0] = kHuge; }},
      {kLengths, [](Raw& raw) { raw.tree_counts[2] = 1; }},
      {kLengths, [](Raw& raw) { raw.tree_counts[2] = 3; }},
      {kLengths, [](Raw& raw) { raw.tree_counts[0] = kHuge; }},
      {kLengths, [](Raw& raw) { raw.node_counts[0] = 3; }},
      {kLengths, [](Raw& raw) { raw.node_counts[1] = kHuge; }},
      {tree, [](Raw& raw) { raw.node_counts[0] = 1; }},
      {kLengths, [](Raw& raw) { raw.leaf.pop_back(); }},
      {kLengths, [](Raw& raw) { raw.leaf.push_back(0); }},
      {kLengths, [](Raw& raw) { raw.fail.pop_back(); }},
  });
}

TEST(HostileAutoregressiveFile, WithABadBaseIsRefused) {
  const std::string rows = "the base's number of rows is not one from 0 to 2^53";
  const std::string alpha = "alpha is not a number from 0 to 2^900";
  const std::string single = "the base has a column with more single rows than rows";
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  ExpectRefused({
      {"the base has other columns than the schema", [](Raw& raw) { raw.single_rows = {1}; }},
      {single,
       [](Raw& raw) {
         raw.single_rows = {3, 11};
       }},
      {single,
       [](Raw& raw) {
         raw.single_rows = {-1, 3};
       }},
      {single,
       [](Raw& raw) {
         raw.single_rows = {3, kNan};
       }},
      {rows, [](Raw& raw) { raw.rows = -1; }},
      {rows, [](Raw& raw) { raw.rows = kNan; }},
      {rows, [](Raw& raw) { raw.rows = 0x1p54; }},
      {alpha, [](Raw& raw) { raw.alpha = -0.5; }},
      {alpha, [](Raw& raw) { raw.alpha = kNan; }},
      {alpha, [](Raw& raw) { raw.alpha = std::numeric_limits<double>::infinity(); }},
      {"the base has no rows, and alpha is 0", [](Raw& raw) { raw.rows = raw.alpha = 0; }},
      {"it has no base distribution of a kind that this dtf knows",
       [](Raw& raw) { raw.base_kind = static_cast<file::RankBase>(9); }},
      {"it has no base distribution of a kind that this dtf knows",
       [](Raw& raw) { raw.base_kind = file::RankBase::NONE; }},
  });
}

TEST(HostileAutoregressiveFile, WithABadMixtureIsRefused) {
  const std::string weight = "a member's weight is not a positive number";
  ExpectRefused({
      {weight,
       [](Raw& raw) {
         raw.weights = {1, 0};
       }},
      {weight,
       [](Raw& raw) {
         raw.weights = {2, -1};
       }},
      {weight,
       [](Raw& raw) {
         raw.weights = {std::numeric_limits<double>::quiet_NaN(), 1};
       }},
      {weight, [](Raw& raw) { raw.weights = {std::numeric_limits<double>::infinity()}; }},
      {"the members' weights do not sum to 1",
       [](Raw& raw) {
         raw.weights = {0.5, 0.25};
       }},
      {"the mixture has no members",
       [](Raw& raw) {
         raw.weights = {1};
         raw.times_each_flow = 0;
       }},
      {"member 1: it has no flow of a kind that this dtf knows",
       [](Raw& raw) {
         raw.weights = {1};
         raw.member_kind = static_cast<file::MemberFlow>(4);
       }},
      {"member 1: " + kLengths,
       [](Raw& raw) {
         raw.weights = {0.5, 0.5};
         raw.leaf.push_back(0);
       }},
  });
}

void RemoveTrees(Raw& raw) {
  raw.tree_counts = {0, 0, 0};
  for (Numbers* of_trees : {&raw.node_counts, &raw.node_test, &raw.pass, &raw.fail, &raw.leaf}) of_trees->clear();
}

TEST(HostileAutoregressiveFile, WithBadSiblingsIsRefused) {
  const auto spoil = [](Numbers biases, std::function<void(Raw&)> more = {}) {
    return [=](Raw& raw) {
      raw.weights = {0.5};
      RemoveTrees(raw);
      raw.siblings = {biases};
      if (more) more(raw);
    };
  };
  Raw good;
  spoil({1, 2, 3})(good);
  EXPECT_EQ(WhyRefused(good), "");
  const std::string trees = "member 2: it has the questions of a member that has trees or an independent base";
  ExpectRefused({
      {"member 2: " + kLengths, spoil({1, 2})},
      {"member 2: " + kLengths, spoil({1, 2, 3, 4})},
      {"member 2: " + kLengths, spoil({})},
      {"member 2: a question has logits that sum to more than 2^30", spoil({1, 2, kHuge})},
      {trees, spoil({1, 2, 3},
                    [](Raw& raw) {
                      const Raw with_trees;
                      raw.tree_counts = with_trees.tree_counts;
                      raw.node_counts = with_trees.node_counts;
                      raw.node_test = with_trees.node_test;
                      raw.pass = with_trees.pass;
                      raw.fail = with_trees.fail;
                      raw.leaf = with_trees.leaf;
                    })},
      {"member 1: it has no flow, and the member before it has no questions", spoil({1, 2, 3},
                                                                                    [](Raw& raw) {
                                                                                      raw.weights = {0.5, 0.5};
                                                                                      raw.times_each_flow = 0;
                                                                                    })},
      {"member 1: it has no flow of a kind that this dtf knows",
       spoil({1, 2, 3}, [](Raw& raw) { raw.member_kind = file::MemberFlow::NONE; })},
      {"member 3: it has no flow, and the member before it has no questions",
       spoil({1, 2, 3}, [](Raw& raw) { raw.has_layers_before_siblings = true; })},
      {"member 1: it has a flow of its own and biases for another one's",
       spoil({1, 2, 3}, [](Raw& raw) { raw.has_biases_besides_flow = true; })},
      {"the members' weights do not sum to 1", spoil({1, 2, 3}, [](Raw& raw) { raw.weight_of_siblings = 0.25; })},
  });
}

// A column of one category has no biases, and the same member can stand in the list again and again.
TEST(HostileAutoregressiveFile, OfSiblingsThatTakeMoreMemoryThanItIsRefused) {
  Raw raw;
  raw.weights = {0.5};
  RemoveTrees(raw);
  raw.constant_columns = 1000;
  raw.siblings = {{1, 2, 3}};
  raw.times_each_sibling = 4;
  raw.weight_of_siblings = 0.125;
  EXPECT_EQ(WhyRefused(raw), "");
  raw.times_each_sibling = 1 << 12;
  raw.weight_of_siblings = 0x1p-13;
  EXPECT_NE(WhyRefused(raw).find("its trees and members take far more memory than their file"), std::string::npos);
}

// Many offsets to one flow would be a small file of a huge mixture.
TEST(HostileAutoregressiveFile, WithPartsThatOverlapIsRefused) {
  Raw raw;
  raw.weights = {1e-5};
  raw.times_each_flow = 100000;
  EXPECT_NE(WhyRefused(raw).find("its parts overlap"), std::string::npos);
}

}  // namespace
}  // namespace dtf
