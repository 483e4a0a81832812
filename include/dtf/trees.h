// The trees of a model as data, for people to look at; Model::DescribeLayer and Model::DescribeQuestions give them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dtf/table.h"

namespace dtf {

// Is the row's code of `column` (a position in the schema) among `codes`, which ascend? A value never seen never is.
struct TestDescription {
  std::size_t column = 0;
  std::vector<Code> codes;
};

// A row that passes the test goes to `yes`, another one to `no`. A value >= 0 is the position of a split, after this
// one; a value v < 0 is leaf -1 - v.
struct SplitDescription {
  TestDescription test;
  std::int32_t yes = 0;
  std::int32_t no = 0;
};

struct TreeDescription {
  std::vector<SplitDescription> splits;  // the root first
  // One more than there are splits. In a question's tree: what is added to the log-odds of a row that ends there, in
  // nats. In a layer's tree: 0, as its leaves permute and hold no number.
  std::vector<double> leaves;
};

// "Is the category among `yes`, given that it is among `yes` or `no`?" The log-odds of yes are the sum of `bias`, of
// the `weight` of each term whose test the row passes, and of the leaf that the row ends in of each tree. All in nats.
struct QuestionDescription {
  struct Term {
    TestDescription test;
    double weight = 0;
  };

  std::vector<Code> yes;  // ascending, as `no`
  std::vector<Code> no;
  double bias = 0;
  std::vector<Term> terms;
  std::vector<TreeDescription> trees;
};

}  // namespace dtf
