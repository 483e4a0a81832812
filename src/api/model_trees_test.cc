// Model::DescribeQuestions.
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "api/model_impl.h"
#include "dtf/error.h"
#include "flow/autoregressive_flow.h"

namespace dtf {
namespace {

// A model of two columns of `k` categories. The questions of the first are a chain: is it category 0; else is it 1; …
// Those of the second are balanced, and each is answered by a term that tests for all categories of the first, `wide`,
// or for one.
Model MakeModel(Code k, bool wide) {
  Schema schema;
  for (const char* name : {"a", "b"}) {
    ColumnSchema& column = schema.columns.emplace_back();
    column.name = name;
    column.type = "string";
    for (Code code = 0; code < k; ++code) column.categories.push_back(std::to_string(1000000 + code));
  }
  const auto category = [](Code code) { return -1 - static_cast<std::int32_t>(code); };
  std::vector<Conditioner> conditioners(2);
  for (Code code = 0; code + 1 < k; ++code) {
    const bool is_last = code + 2 == k;
    conditioners[0].questions.push_back({.yes = category(code),
                                         .no = is_last ? category(code + 1) : static_cast<std::int32_t>(code + 1),
                                         .bias = 0,
                                         .terms = {},
                                         .trees = {}});
    // A heap: the children of q are 2q + 1 and 2q + 2, of which those from k - 1 on are categories.
    const auto child = [&](Code c) { return c < k - 1 ? static_cast<std::int32_t>(c) : category(c - (k - 1)); };
    conditioners[1].questions.push_back({.yes = child(2 * code + 1),
                                         .no = child(2 * code + 2),
                                         .bias = 0,
                                         .terms = {{.test = 0, .value = 1}},
                                         .trees = {}});
  }
  auto flow = std::make_shared<AutoregressiveFlow>(
      std::vector<Code>{k, k}, std::vector<Feature>{0, 1}, std::vector<CodeTest>{{0, 0, wide ? k - 1 : 0}},
      std::move(conditioners), ConditionalBase{.rows = 1, .alpha = 1, .closed = false});
  return Model(std::make_shared<const Model::Impl>(ModelContent{std::move(schema), FitRecord(), std::move(flow)}));
}

TEST(DescribeQuestions, ListsTheCategoriesThatAreLeft) {
  const Model model = MakeModel(50, true);
  const auto chain = model.DescribeQuestions(0);
  ASSERT_EQ(chain.size(), 49u);
  for (Code q = 0; q < 49; ++q) {
    EXPECT_EQ(chain[q].yes, std::vector<Code>{q});
    ASSERT_EQ(chain[q].no.size(), 49 - q);
    for (Code i = 0; i < 49 - q; ++i) EXPECT_EQ(chain[q].no[i], q + 1 + i);
  }
  const auto balanced = model.DescribeQuestions(1);
  EXPECT_EQ(balanced[0].yes.size() + balanced[0].no.size(), 50u);
  EXPECT_EQ(balanced[7].terms[0].test.codes.size(), 50u);
}

// A file of some kilobytes a column must not ask for gigabytes.
TEST(DescribeQuestions, RefusesListsThatAreFarLongerThanTheModel) {
  constexpr Code kMany = 100'000;
  const Model model = MakeModel(kMany, true);
  for (const std::size_t column : {0u, 1u}) {
    try {
      model.DescribeQuestions(column);
      FAIL() << column;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      EXPECT_NE(std::string(error.what()).find(column == 0 ? "column `a`" : "column `b`"), std::string::npos);
    }
  }
  EXPECT_EQ(MakeModel(kMany, false).DescribeQuestions(1).size(), kMany - 1);
}

}  // namespace
}  // namespace dtf
