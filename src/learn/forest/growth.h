// What the steps of growing a forest share (grow_forest.h).
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "learn/forest/budget.h"
#include "learn/forest/forest_options.h"
#include "learn/forest/judge.h"
#include "learn/forest/kinds.h"
#include "learn/weighted_rows.h"

namespace dtf {

inline constexpr int kMostMembers = 24;  // of a forest, unless asked for more

// A kind of member that is tried, and maybe learnt again and again.
struct Trial {
  const Kind* kind = nullptr;
  double work = 0;                                     // of a member, as far as is known
  std::unique_ptr<JudgedMember> member = nullptr;      // when the screening was one already
  double screened = 0;                                 // mean score on the screened columns
  std::optional<double> ridge_penalty = std::nullopt;  // that its first fit has chosen
  std::optional<std::size_t> first = std::nullopt;     // of its members
  double share = 0;                                    // wanted of all members
  int count = 0;
};

class Growth {
 public:
  // rows: distinct; those that `judge` learns from. Keeps references to `judge` and `options`.
  Growth(const WeightedRows& rows, const Judge& judge, const ForestOptions& options, const Budget& budget);

  const Judge& judge() const { return judge_; }
  const ForestOptions& options() const { return options_; }
  std::size_t rows() const { return rows_; }
  double total_rows() const { return total_rows_; }
  std::size_t columns() const { return columns_; }
  Budget& budget() { return budget_; }

  // Whether there is nothing that the forest has to be like.
  bool is_free() const {
    return options_.conditioner == ConditionerKind::kAuto && !options_.members && !options_.seconds;
  }

  // Of the members to come; none: each has one of its own, drawn.
  const std::optional<std::vector<Feature>>& order() const { return order_; }
  void set_order(std::optional<std::vector<Feature>> order) { order_ = std::move(order); }

  // Where orders are free to choose: with key columns last.
  std::vector<Feature> Arrange(std::vector<Feature> order) const;

  // The next member of a kind.
  MemberChoice Choose(const Kind& kind);
  MemberChoice Choose(const Trial& trial);
  // An order of the columns for something else.
  std::vector<Feature> NextOrder();

  // The mean score of the rows that judge, in nats.
  double MeanOf(const std::vector<double>& scores) const;

  // What was chosen, and why: a line each.
  void Say(std::string choice) { choices_.push_back(std::move(choice)); }
  std::vector<std::string> TakeChoices() { return std::move(choices_); }

 private:
  const Judge& judge_;
  const ForestOptions& options_;
  std::size_t rows_;
  double total_rows_;
  std::size_t columns_;
  Budget budget_;
  std::optional<std::vector<Feature>> order_;
  std::uint64_t next_ = 0;
  std::vector<std::string> choices_;
};

// The member that the screening has learnt. It is counted again when it is added.
JudgedMember TakeMember(Trial& trial, Budget& budget);

// 51.3712
std::string Fixed(double nats);

}  // namespace dtf
