// A mixture of flows over the same columns: P(x) = Σ_m w_m P_m(x). A row's latent codes are the member with the largest
// w_m P_m(x) (the first one of equals), then its latent codes in that member. This map is one-to-one, but not onto: not
// all combinations of a member and codes belong to a row.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "flow/fixed_members.h"
#include "flow/flow.h"
#include "flow/sibling_members.h"

namespace dtf {

class MixtureFlow : public Flow {
 public:
  // members: at least one, all with the same sizes, none a mixture. weights: one each, positive, summing to 1.
  MixtureFlow(std::vector<std::shared_ptr<const Flow>> members, std::vector<double> weights);

  const std::vector<std::shared_ptr<const Flow>>& members() const { return members_; }
  const std::vector<double>& weights() const { return weights_; }

  std::vector<Code> LatentSizes() const override;
  CodeBlock Encode(CodeBlock block) const override;
  CodeBlock Decode(CodeBlock latent) const override;
  void LogProb(CodeBlock block, std::span<double> out) const override;
  bool HasColumnScores() const override { return false; }
  void LogProbPerColumn(CodeBlock block, std::span<const std::span<double>> out) const override;
  void SampleRows(std::uint64_t seed, std::span<const std::uint64_t> numbers, CodeBlock& block) const override;
  std::size_t BlockRows() const override;
  UnseenMass Unseen() const override;
  std::uint64_t NodeCount() const override;
  std::uint64_t ParameterCount() const override;  // the members', shared ones counted once, and the weights

 private:
  // ln (w_m P_m(x)): member m's of row i at [m · rows + i].
  std::vector<double> JointLogProbs(const CodeBlock& block) const;

  std::vector<std::shared_ptr<const Flow>> members_;
  std::vector<double> weights_;
  FixedMembers fixed_;
  SiblingMembers siblings_;
  std::vector<std::size_t> others_;  // members that are scored one by one
  std::vector<double> log_weights_;
  std::vector<double> draw_weights_;  // given that no value is unseen, as in all rows that are sampled
};

}  // namespace dtf
