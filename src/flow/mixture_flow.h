// A mixture of flows over the same columns: P(x) = Σ_m w_m P_m(x). A row's latent codes are the member that is most
// likely to have brought it forth (of equals the first one), then its codes in that member: still one-to-one, though
// not every pair of a member and codes is some row's.
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
  std::uint64_t ParameterCount() const override;  // the members', what they share once, and the weights

 private:
  // ln (w_m P_m(x)): member m's of row i at [m · rows + i].
  std::vector<double> JointLogProbs(const CodeBlock& block) const;

  std::vector<std::shared_ptr<const Flow>> members_;
  std::vector<double> weights_;
  FixedMembers fixed_;
  SiblingMembers siblings_;
  std::vector<std::size_t> others_;  // members that are scored one by one
  std::vector<double> log_weights_;
  std::vector<double> draw_weights_;  // of rows without a value never seen: only these are sampled
};

}  // namespace dtf
