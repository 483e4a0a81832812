// One autoregressive flow: a conditioner for each column over the columns before it in one order.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "flow/conditioner.h"
#include "learn/forest/choose_sizes.h"
#include "learn/network/network.h"
#include "learn/questions/differences.h"
#include "learn/questions/fit_question.h"
#include "learn/questions/key_columns.h"
#include "learn/weighted_rows.h"

namespace dtf {

// What all members of a forest share.
struct ColumnQuestions {
  std::vector<Code> sizes;                       // categories of each column
  std::vector<bool> ordered;                     // whether they are ordered by value
  std::vector<std::vector<Question>> questions;  // of each column, nothing learnt yet
  std::vector<bool> is_key;                      // whether it tells other columns (key_columns.h)
  // Of each column, those that it can begin with (differences.h); none: nowhere.
  std::vector<std::vector<Difference>> differences = {};
};

// Balanced questions for ordered columns, Huffman's for the others. A key column's questions first tell apart what the
// columns that it tells have answered, which come before it (KeysLast). told: by key column; empty: no column is a key.
ColumnQuestions ChooseQuestions(const WeightedRows& rows, std::vector<Code> sizes, std::vector<bool> ordered,
                                const std::vector<std::vector<ToldColumn>>& told = {});

// The rows that members are learnt from: distinct and sorted (merge_rows.h).
struct MemberRows {
  const WeightedRows& train;
  const HalvedRows* valid = nullptr;  // by which sizes are chosen
};

// How much of a member is learnt: enough to learn it again, from other rows.
struct MemberSizes {
  TreeCounts trees;
  std::optional<double> ridge_penalty = {};  // of all regressions; none: there was nothing to choose it by
  bool regressions = true;                   // whether there are regressions; not if they cost too much
};

struct MemberOptions {
  std::vector<Feature> order;
  const Network* network = nullptr;  // a column is learnt from its parents alone, which the order has before it
  bool counts = false;               // learn by counting, in a network of one parent a column; the rest is not used
  Learner learner;
  const MemberSizes* sizes = nullptr;        // learn each question as much as another fit did
  std::optional<double> ridge_penalty = {};  // none: that of the sizes, or the one that validation rows choose
  std::vector<bool> positions;               // in the order: those to learn; empty: all
  bool trimmed = true;                       // false: keep the boosted trees past the best number, for TrimTo
  // If the regressions of all questions would take more work, boosted trees begin without them.
  double most_regression_work = std::numeric_limits<double>::infinity();
  std::uint64_t seed = 0;
  int threads = 1;
};

struct MemberFit {
  std::vector<CodeTest> tests;               // that the conditioners use
  std::vector<Conditioner> conditioners;     // of each column
  QuestionFits questions;                    // what each has learnt
  std::optional<double> ridge_penalty = {};  // of all regressions, if there are any
  bool regressions = true;                   // as MemberSizes has it
  double work = 0;                           // what it cost, in steps of about a nanosecond; counted, not timed
};

// Same rows and options: the same member, on any number of threads.
MemberFit FitMember(const ColumnQuestions& columns, const MemberRows& rows, const MemberOptions& options);

// The sizes that these validation rows choose: to trim the member to, or to learn it again with.
MemberSizes SizesOf(const MemberFit& fit, JudgingRows judging = JudgingRows::kAll);

// Keeps the first boosted trees of each question, as many as `sizes` says; all where there are fewer.
void TrimTo(const MemberSizes& sizes, MemberFit& fit);

// The table's own.
std::vector<Feature> NaturalOrder(std::size_t columns);

// The order with its key columns after all others, those of fewest categories first. A column that a key tells is
// learnt well before the key; after it, each of the key's many categories would have to be tested for.
std::vector<Feature> KeysLast(const ColumnQuestions& columns, std::vector<Feature> order);

// Columns in an order drawn by `seed`.
std::vector<Feature> RandomOrder(std::size_t columns, std::uint64_t seed, std::uint64_t number);

}  // namespace dtf
