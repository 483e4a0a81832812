// Learns the members of a forest, and scores validation rows out of sample: rows held out, or, in a small table, all
// rows by cross-validation. The scores decide what the forest keeps ("rows that judge").
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
#include "learn/forest/fit_member.h"
#include "learn/forest/kinds.h"
#include "learn/forest/latent_model.h"
#include "learn/forest/rank_base.h"
#include "learn/network/find_network.h"

namespace dtf {

// Bayesian networks found in the rows that members are learnt from.
struct FoundNetworks {
  Network of_all;
  std::vector<Network> without_fold;  // of each fold, found in the others

  friend bool operator==(const FoundNetworks&, const FoundNetworks&) = default;
};

struct MemberChoice {
  const Kind* kind = nullptr;
  std::vector<Feature> order;
  bool is_order_drawn = false;
  std::uint64_t seed = 0;
  std::optional<double> ridge_penalty = std::nullopt;                     // none: validation rows choose it
  double most_regression_work = std::numeric_limits<double>::infinity();  // of the member's fits on all folds together
  // If not null, a column is learnt only from its parents in the network, which come before it in the order.
  std::shared_ptr<const FoundNetworks> networks = nullptr;
};

struct JudgedMember {
  MemberChoice choice;
  MemberFit fit;
  std::vector<double> scores;  // ln P of the validation rows, in nats, by flows learnt without them
  RankCounts ranks;            // of these rows' latent codes, by these flows; empty for a conditional base
};

struct JudgedLatent {
  LatentOptions options;
  std::shared_ptr<const Flow> flow;
  std::vector<double> scores;  // as a member's
};

class Judge {
 public:
  // rows: to learn from, distinct and sorted. valid: likewise, or null. unseen: the mass of values never seen, in all
  // flows. conditional_base: false: flows are scored with an independent base, counted from the other validation rows.
  // Keeps references to rows and columns. The validation rows are
  // - if CrossValidates: all of `rows`, each fold scored by a flow learnt from the other folds, with sizes that the
  //   other folds have chosen; and `valid`, if any, scored by the flow learnt from all rows;
  // - else `valid`, each half scored with the sizes that the other half chooses;
  // - else none.
  Judge(const WeightedRows& rows, const WeightedRows* valid, const ColumnQuestions& columns,
        const ConditionalBase& unseen, bool conditional_base, int threads);

  // Whether the table is small, and `valid` too small to go by alone, or null. rows: distinct.
  static bool CrossValidates(const WeightedRows& rows, const WeightedRows* valid);

  // Weights of the validation rows, in the order of JudgedMember::scores, in rows.
  const std::vector<double>& row_weights() const { return row_weights_; }
  bool has_rows() const { return !row_weights_.empty(); }

  bool cross_validates() const { return !folds_.empty(); }
  const WeightedRows& rows() const { return rows_; }  // that members are learnt from
  const ColumnQuestions& columns() const { return columns_; }

  // positions: which columns, by their positions in the order, are learnt and scored; empty: all.
  JudgedMember Learn(const MemberChoice& choice, const std::vector<bool>& positions) const;

  // The networks that `find` finds, in all rows and without each fold, and the work that it took.
  std::pair<std::shared_ptr<const FoundNetworks>, double> FindNetworks(
      const std::function<FoundNetwork(const WeightedRows&)>& find) const;

  // The work of LearnLatents.
  double WorkOfLatents(std::span<const LatentOptions> models) const;
  // Learns one for each of `models`, in parallel.
  std::vector<JudgedLatent> LearnLatents(std::span<const LatentOptions> models, std::uint64_t seed) const;

 private:
  struct Fold {
    WeightedRows train;
    HalvedRows held_out;
  };

  struct Part;  // some validation rows, and what was learnt without them

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

// The flow of a member, with this base.
AutoregressiveFlow MakeFlow(const ColumnQuestions& columns, const std::vector<Feature>& order, MemberFit fit,
                            AutoregressiveFlow::Base base);

}  // namespace dtf
