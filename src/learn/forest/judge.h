// How members of a forest are learnt and judged: by rows held out for that, or by cross-validation where rows are few.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "flow/autoregressive_flow.h"
#include "flow/mixture_flow.h"
#include "learn/forest/fit_member.h"
#include "learn/forest/kinds.h"
#include "learn/forest/latent_classes.h"

namespace dtf {

struct MemberChoice {
  const Kind* kind = nullptr;
  std::vector<Feature> order;
  std::uint64_t seed = 0;
};

struct JudgedMember {
  MemberChoice choice;
  MemberFit fit;
  std::vector<double> scores;  // ln P of the judging rows, by flows that have not seen them
};

// A latent class model: a member of the mixture for each class.
struct JudgedClasses {
  std::shared_ptr<const MixtureFlow> flow;
  std::vector<double> scores;  // as a member's
};

class Judge {
 public:
  // rows: distinct and sorted. valid: likewise; they judge alone when they are enough to go by. Otherwise, in a table
  // of few cells, every row judges: by flows learnt from the other folds. Neither: nothing judges. unseen: what the
  // judged flows keep for values never seen.
  Judge(const WeightedRows& rows, const WeightedRows* valid, const ColumnQuestions& columns,
        const ConditionalBase& unseen, int threads);

  static bool CrossValidates(const WeightedRows& rows, const WeightedRows* valid);

  // Rows that judge, in the order of JudgedMember::scores, and their weights.
  const std::vector<double>& row_weights() const { return row_weights_; }
  bool has_rows() const { return !row_weights_.empty(); }

  bool cross_validates() const { return !folds_.empty(); }

  // positions: of the order, those to learn, and to judge by; empty: all.
  JudgedMember Learn(const MemberChoice& choice, const std::vector<bool>& positions) const;

  JudgedClasses LearnClasses(const ClassOptions& options, std::uint64_t seed) const;

 private:
  struct Fold {
    WeightedRows train;
    WeightedRows held_out;
  };

  MemberFit Fit(const MemberChoice& choice, const std::vector<bool>& positions, const WeightedRows& train,
                const WeightedRows* valid, const MemberSizes* sizes, bool trimmed = true) const;
  std::shared_ptr<const MixtureFlow> FitClasses(const ClassOptions& options, std::uint64_t seed,
                                                const WeightedRows& train) const;
  void AppendScores(const MemberChoice& choice, const std::vector<bool>& positions, MemberFit fit,
                    const WeightedRows& rows, std::vector<double>& scores) const;

  const WeightedRows& rows_;
  const WeightedRows* valid_;
  const ColumnQuestions& columns_;
  ConditionalBase unseen_;
  int threads_;
  std::vector<Fold> folds_;
  std::vector<double> row_weights_;
};

// The flow of a member with a conditional base.
AutoregressiveFlow MakeFlow(const ColumnQuestions& columns, const std::vector<Feature>& order, MemberFit fit,
                            AutoregressiveFlow::Base base);

}  // namespace dtf
