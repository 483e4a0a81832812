// A flow of one column after the other (docs/model_format.md): in a given order, each column has a conditioner, which
// gives a distribution over its categories from the columns before it. The latent code of a category is its rank among
// the column's categories by (probability, code), ascending. That is a permutation of the column's codes which depends
// on the columns before it, hence a TSP (paper section 3); the flow is one TSP for each column.
//
// The base is either conditional, each rank's probability in its context, so that ln P is the conditioners' own; or
// independent: each rank has a probability of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "flow/compiled_conditioner.h"
#include "flow/conditioner.h"
#include "flow/flow.h"
#include "flow/independent_base.h"
#include "flow/test_planes.h"

namespace dtf {

// In a column of k categories, unless it is closed, the unseen slot has the mass
//   ε = (alpha + s) / (rows + s + alpha (k + 1)),
// where s rows have a category that no other row has; the categories share the rest. Good's estimate of the mass
// (Biometrika 1953) is s / rows. With s in the denominator, too, it is the escape probability of PPM's method AX
// (Moffat, Neal & Witten, Arithmetic coding revisited, 1995), but for alpha in place of 1.
struct ConditionalBase {
  double rows = 0;   // >= 0, finite
  double alpha = 0;  // likewise; not both 0
  bool closed = false;
  std::vector<double> single_rows = {};  // s, by column, 0 to rows; empty: 0 for all

  double Unseen(std::size_t column, Code size) const {
    const double single = single_rows.empty() ? 0 : single_rows[column];
    return closed ? 0 : (alpha + single) / (rows + single + alpha * (size + 1.0));
  }

  friend bool operator==(const ConditionalBase&, const ConditionalBase&) = default;
};

class AutoregressiveFlow : public Flow {
 public:
  // The IndependentBase is of the ranks, and has unseen slots of its own.
  using Base = std::variant<ConditionalBase, IndependentBase>;

  // order: each column once, the first one decoded first. conditioners: one for each column, in the table's order.
  // REQUIRES: what format/check_autoregressive.h checks; above all, tests that only look at earlier columns.
  AutoregressiveFlow(std::vector<Code> sizes, std::vector<Feature> order, std::vector<CodeTest> tests,
                     std::vector<Conditioner> conditioners, Base base);

  // The sibling's flow with other biases, by column and question. What does not depend on biases is in memory once for
  // both. REQUIRES: a bias for each question; bias, terms and trees of a question sum to at most kMostLogit.
  AutoregressiveFlow(const AutoregressiveFlow& sibling, std::vector<std::vector<Logit>> biases);

  const std::vector<Feature>& order() const { return common_->order; }
  const std::vector<CodeTest>& tests() const { return common_->tests.tests(); }
  Conditioner conditioner(Feature column) const { return conditioners_[column]->conditioner(); }
  const Base& base() const { return common_->base; }

  CodeBlock Encode(CodeBlock block) const override;
  CodeBlock Decode(CodeBlock latent) const override;
  void LogProb(CodeBlock block, std::span<double> out) const override;
  bool HasColumnScores() const override { return true; }
  void LogProbPerColumn(CodeBlock block, std::span<const std::span<double>> out) const override;
  bool HasFixedColumns() const override;  // no question looks at another column, and the base is conditional
  double FixedScore(std::size_t column, Code code) const override;

  // IsSibling: whether both have a conditional base and differ in nothing but their questions' biases. SharesQuestions:
  // whether one was made from the other, or both from a third.
  bool IsSibling(const AutoregressiveFlow& other) const;
  bool SharesQuestions(const AutoregressiveFlow& other) const { return common_ == other.common_; }
  const TestIndex& test_index() const { return common_->tests; }
  const CompiledConditioner& compiled(Feature column) const { return *conditioners_[column]; }
  // ln of the mass that a column's categories share, or of its unseen slot's. REQUIRES: a conditional base.
  double LogMass(Feature column, Code code) const {
    return code < sizes()[column] ? common_->log_seen[column] : common_->log_unseen[column];
  }

  void SampleRows(std::uint64_t seed, std::span<const std::uint64_t> numbers, CodeBlock& block) const override;
  std::size_t BlockRows() const override;
  UnseenMass Unseen() const override { return common_->unseen; }
  std::uint64_t NodeCount() const override;
  std::uint64_t ParameterCount() const override;  // biases, terms, leaves, and the tests of inner nodes

 private:
  // Calls f(j, the summands of the rows' ln P) for each column of the table.
  void ForEachColumnScore(CodeBlock block, const std::function<void(std::size_t, std::span<const double>)>& f) const;
  void ForEachConditionalScore(const CodeBlock& block,
                               const std::function<void(std::size_t, std::span<const double>)>& f) const;
  void SampleConditional(std::uint64_t seed, std::span<const std::uint64_t> numbers, CodeBlock& block) const;

  // What siblings have in common.
  struct Common {
    std::vector<Feature> order;
    TestIndex tests;
    Base base;
    // Of a conditional base, by column: ln (1 - ε) and ln ε.
    std::vector<double> log_seen = {};
    std::vector<double> log_unseen = {};
    UnseenMass unseen = {};
  };

  std::shared_ptr<const Common> common_;
  std::vector<std::shared_ptr<const CompiledConditioner>> conditioners_;  // siblings share those without questions
};

}  // namespace dtf
