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

// A row that passes the test goes to `yes`, another one to `no`: >= 0 is a split, after this one; < 0 is leaf
// -1 - child.
struct SplitDescription {
  TestDescription test;
  std::int32_t yes = 0;
  std::int32_t no = 0;
};

struct TreeDescription {
  std::vector<SplitDescription> splits;  // the root first
  // One more than splits. Of a question: what a row that gets there adds to the log-odds, in nats. Of a layer: 0, for a
  // leaf permutes and has no number.
  std::vector<double> leaves;
};

// "Is the category among `yes`, given that it is among `yes` or `no`?" The ln odds are the sum of `bias`, of `weight`
// for each term whose test the row passes, and of the leaves that it reaches. All in nats.
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
