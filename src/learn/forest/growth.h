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

inline constexpr int kMostMembers = 16;  // of a forest, unless asked for more

// A kind of member that is tried, and maybe learnt again and again.
struct Trial {
  const Kind* kind = nullptr;
  double work = 0;                                     // of a member: estimated, then measured
  std::unique_ptr<JudgedMember> member = nullptr;      // learnt while screening, when that was on all columns
  double screened = 0;                                 // mean score on the screened columns
  std::optional<double> ridge_penalty = std::nullopt;  // chosen by its first fit
  std::optional<std::size_t> first = std::nullopt;     // position of its first member in the forest
  double share = 0;                                    // of all members that are to be of this kind
  int count = 0;                                       // of its members so far
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
  std::size_t categories() const;  // of all columns
  Budget& budget() { return budget_; }

  // Whether no option fixes the kind or the number of the members.
  bool is_free() const {
    return options_.conditioner == ConditionerKind::kAuto && !options_.members && !options_.seconds;
  }

  // The order of the columns for members to come; none: each gets a drawn one.
  const std::optional<std::vector<Feature>>& order() const { return order_; }
  void set_order(std::optional<std::vector<Feature>> order) { order_ = std::move(order); }

  // The order with key columns last, if no order is asked for; else as it is.
  std::vector<Feature> Arrange(std::vector<Feature> order) const;

  // Order and seed for the next member of a kind.
  MemberChoice Choose(const Kind& kind);
  MemberChoice Choose(const Trial& trial);
  // An order of the columns for something else.
  std::vector<Feature> NextOrder();

  // The mean of these scores of the validation rows, by their weights, in nats.
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

// Takes the member that the screening has learnt. Gives its work back to the budget, as adding it counts it again.
JudgedMember TakeMember(Trial& trial, Budget& budget);

// With four decimals: 51.3712
std::string Fixed(double nats);

}  // namespace dtf
