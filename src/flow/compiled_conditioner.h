// A conditioner made ready to be applied to blocks of rows: the questions that are asked of each row, and the fixed
// distributions of groups of categories (conditioner_shape.h), worked out once.
//
// Throughout, `tests` are the planes of the flow's tests over the block (test_planes.h), of which those of earlier
// columns are filled in; per-row lists have one entry a row. Rows whose code is the unseen slot are skipped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "count/packed_trees.h"
#include "count/planes.h"
#include "flow/answer_draws.h"
#include "flow/conditioner.h"
#include "flow/conditioner_shape.h"

namespace dtf {

// A category of a fixed distribution.
struct GroupMember {
  double nats = 0;  // -ln of its probability within the group
  Code code = 0;
};

// Scratch memory of one thread, for any number of conditioners.
struct ConditionerScratch {
  PackedTrees::Scratch sums;
  std::vector<Logit> logits;
  std::vector<std::uint64_t> mask;
  std::vector<double> nats;
  std::vector<std::uint64_t> node_planes;  // of the asked questions, then the groups: which rows get there
  // Of the asked questions that some row reaches: which rows reach it, and which of these answer yes.
  std::vector<std::int32_t> slot_of;  // by question; -1 for none
  std::vector<std::uint32_t> reached;
  std::vector<std::uint64_t> reached_planes;
  // Of the asked questions, then the groups: -ln of the probability that each row gets there.
  std::vector<double> nats_until;
  std::vector<Code> ranks;
  std::vector<GroupMember> members;
};

class CompiledConditioner {
 public:
  // size: number of the column's categories. REQUIRES: a proper conditioner of such a column.
  CompiledConditioner(Conditioner conditioner, Code size);

  // The sibling's questions with other biases, one for each. What does not depend on biases is in memory once for both.
  CompiledConditioner(const CompiledConditioner& sibling, std::vector<Logit> biases);

  Conditioner conditioner() const;
  const std::vector<Question>& questions() const { return shape_->questions; }  // their own biases are not used
  std::span<const Logit> biases() const { return biases_; }                     // of each question

  // Whether no question looks at another column, and -ln P of a category then.
  bool is_fixed() const { return shape_->asked.empty(); }
  // -ln P of a category within its group.
  double FixedNats(Code code) const { return within_[code]; }

  // Whether some categories are told apart by questions that look at no other column.
  bool has_fixed_parts() const { return shape_->groups.size() < shape_->size; }

  // Whether the conditioners differ in nothing but their questions' biases.
  bool IsSibling(const CompiledConditioner& other) const;
  std::size_t asked() const { return shape_->asked.size(); }
  Logit bias(std::size_t asked) const { return biases_[shape_->asked[asked].question]; }

  // For each asked question, in order, calls f(asked question, plane of the rows that reach it on the way to their
  // code, plane of those that answer yes), when the logits of these rows are in scratch.logits. Questions that no row
  // reaches may be left out.
  using AnswerVisitor = std::function<void(std::size_t, const std::uint64_t*, const std::uint64_t*)>;
  void VisitAnswers(std::span<const Code> codes, PlaneMatrix tests, ConditionerScratch& scratch,
                    const AnswerVisitor& f) const;

  // nats[i] = -ln P(codes[i] | row i's earlier columns). nats: 64 · tests.words.
  void FindNats(std::span<const Code> codes, PlaneMatrix tests, ConditionerScratch& scratch,
                std::span<double> nats) const;

  // Draws each row's code: answer by answer, each by a random number of its own.
  void Draw(PlaneMatrix tests, AnswerDraws& draws, ConditionerScratch& scratch, std::span<Code> codes) const;

  // Each code becomes its rank among the column's categories by (probability, code), ascending; and back.
  void ToRanks(PlaneMatrix tests, ConditionerScratch& scratch, std::span<Code> codes) const;
  void FromRanks(PlaneMatrix tests, ConditionerScratch& scratch, std::span<Code> codes) const;

 private:
  using Member = GroupMember;

  // The members of a group that a rank can still stand for, and those that are as likely as the last guess.
  struct Part {
    std::vector<Member>::const_iterator begin;
    std::vector<Member>::const_iterator end;
    std::vector<Member>::const_iterator first_tied = {};
    std::vector<Member>::const_iterator last_tied = {};
  };
  // Some words of the block's rows, for what takes memory for each row and question.
  struct Range {
    std::size_t first_row = 0;
    std::size_t rows = 0;    // that exist
    std::size_t stride = 0;  // a multiple of 64
  };

  bool IsBinary() const { return shape_->asked.size() == 1 && shape_->size == 2; }
  Code YesOfBinary() const { return static_cast<Code>(-1 - shape_->questions[0].yes); }

  void FillGroups();
  // Fills scratch.logits for these rows.
  void Sum(std::size_t asked, PlaneMatrix tests, std::span<const std::uint64_t> rows,
           ConditionerScratch& scratch) const;

  // Both find which rows reach each question, and which of these answer yes. RouteCategories is for few categories.
  void RouteCategories(std::span<const Code> codes, std::size_t words, ConditionerScratch& scratch) const;
  void RouteRows(std::span<const Code> codes, std::size_t words, ConditionerScratch& scratch) const;
  // Fills scratch.nats_until for the rows of a range.
  void FindNatsUntil(PlaneMatrix tests, const Range& range, ConditionerScratch& scratch) const;
  template <typename F>
  void ForEachRange(PlaneMatrix tests, std::size_t rows, ConditionerScratch& scratch, const F& f) const;

  // The likelier of two categories, for each row.
  void SwapLessLikely(PlaneMatrix tests, ConditionerScratch& scratch, std::span<Code> codes) const;
  void RankRange(const Range& range, ConditionerScratch& scratch, std::span<Code> codes) const;
  // How many members of the group come before `bound`, when a row gets to the group with -ln P = `until`.
  std::size_t CountBefore(const ConditionerShape::Group& group, double until, const Member& bound) const;
  // The category of a rank. until[g · stride] is the row's for group g.
  Code SelectSingle(Code rank, const double* until, std::size_t stride, std::vector<Member>& members) const;
  Code Select(Code rank, const double* until, std::size_t stride) const;
  double GuessNats(Code rank, const std::vector<Part>& parts, const double* until, std::size_t stride) const;
  Code SelectTied(std::size_t position, const std::vector<Part>& parts) const;
  Code DrawWithin(const ConditionerShape::Group& group, std::size_t row, AnswerDraws& draws) const;

  std::shared_ptr<const ConditionerShape> shape_;
  std::vector<Logit> biases_;      // of its questions
  std::vector<double> within_;     // by category: Member::nats
  std::vector<Member> sorted_;     // group by group, ascending by (probability, code)
  std::vector<double> fixed_yes_;  // by question: the probability of yes, of questions in groups
};

}  // namespace dtf
