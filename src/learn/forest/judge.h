// How members of a forest are learnt and judged: by rows held out for that, or by cross-validation where rows are few.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "flow/autoregressive_flow.h"
#include "flow/mixture_flow.h"
#include "learn/classes/latent_classes.h"
#include "learn/forest/fit_member.h"
#include "learn/forest/kinds.h"
#include "learn/forest/rank_base.h"
#include "learn/network/find_network.h"

namespace dtf {

// Bayesian networks found in the rows that members are learnt from.
struct FoundNetworks {
  Network of_all;
  std::vector<Network> without_fold;  // of each fold, found in the others
};

struct MemberChoice {
  const Kind* kind = nullptr;
  std::vector<Feature> order;
  bool is_order_drawn = false;
  std::uint64_t seed = 0;
  std::optional<double> ridge_penalty = std::nullopt;                     // when another member has chosen it
  double most_regression_work = std::numeric_limits<double>::infinity();  // of all that is learnt to judge it, too
  // A column is learnt from its parents there alone, which the order has before it.
  std::shared_ptr<const FoundNetworks> networks = nullptr;
};

struct JudgedMember {
  MemberChoice choice;
  MemberFit fit;
  std::vector<double> scores;  // ln P of the judging rows, by flows that have not seen them (but for an order)
  RankCounts ranks;            // of these rows, by these flows; none for a conditional base
};

// A latent class model: a member of the mixture for each class.
struct JudgedClasses {
  ClassOptions options;
  std::shared_ptr<const MixtureFlow> flow;
  std::vector<double> scores;  // as a member's
};

class Judge {
 public:
  // rows: distinct and sorted. valid: likewise; they judge alone when they are enough to go by, each half how much the
  // other one would have learnt. Otherwise, in a table of few cells, every row judges: by flows learnt from the other
  // folds. Neither: nothing judges. unseen: what the judged flows keep for values never seen. conditional_base: else
  // they are scored with an independent one, counted from the other rows that judge.
  Judge(const WeightedRows& rows, const WeightedRows* valid, const ColumnQuestions& columns,
        const ConditionalBase& unseen, bool conditional_base, int threads);

  static bool CrossValidates(const WeightedRows& rows, const WeightedRows* valid);

  // Rows that judge, in the order of JudgedMember::scores, and their weights.
  const std::vector<double>& row_weights() const { return row_weights_; }
  bool has_rows() const { return !row_weights_.empty(); }

  bool cross_validates() const { return !folds_.empty(); }
  const ColumnQuestions& columns() const { return columns_; }

  // positions: of the order, those to learn, and to judge by; empty: all.
  JudgedMember Learn(const MemberChoice& choice, const std::vector<bool>& positions) const;

  // The networks that `find` finds in the rows, and what it has cost.
  std::pair<std::shared_ptr<const FoundNetworks>, double> FindNetworks(
      const std::function<FoundNetwork(const WeightedRows&)>& find) const;

  double WorkOfClasses(std::span<const ClassOptions> models) const;
  // One for each of `models`, which are all learnt at the same time.
  std::vector<JudgedClasses> LearnClasses(std::span<const ClassOptions> models, std::uint64_t seed) const;

 private:
  struct Fold {
    WeightedRows train;
    HalvedRows held_out;
  };

  struct Part;  // rows that judge, and what was learnt without them

  MemberChoice WithoutFold(const MemberChoice& choice, std::size_t fold) const;
  MemberFit Fit(const MemberChoice& choice, const std::vector<bool>& positions, const WeightedRows& train,
                const HalvedRows* valid, const MemberSizes* sizes, bool trimmed = true) const;
  std::vector<Part> LearnFromAll(JudgedMember& member, const std::vector<bool>& positions) const;
  std::vector<Part> LearnByFolds(JudgedMember& member, const std::vector<bool>& positions) const;
  void Score(std::vector<Part> parts, JudgedMember& member, const std::vector<bool>& positions) const;
  // For each part's flow an independent base, counted from the other parts. `all`: the ranks of all parts.
  std::vector<AutoregressiveFlow::Base> RankBasesOf(const std::vector<Part>& parts, RankCounts& all) const;

  const WeightedRows& rows_;
  std::optional<HalvedRows> valid_;
  std::array<WeightedRows, 2> valid_halves_;
  const ColumnQuestions& columns_;
  ConditionalBase unseen_;
  bool conditional_base_;
  int threads_;
  std::vector<Fold> folds_;
  std::vector<double> row_weights_;
};

std::shared_ptr<const MixtureFlow> FitClassFlow(const ColumnQuestions& columns, const WeightedRows& rows,
                                                const ClassOptions& options, std::uint64_t seed,
                                                const ConditionalBase& base);

// The flow of a member with a conditional base.
AutoregressiveFlow MakeFlow(const ColumnQuestions& columns, const std::vector<Feature>& order, MemberFit fit,
                            AutoregressiveFlow::Base base);

}  // namespace dtf
