#include "flow/mixture_flow.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/exponential.h"
#include "base/logarithm.h"
#include "base/random.h"
#include "base/softmax.h"
#include "flow/answer_draws.h"

namespace dtf {
namespace {

// A mixture's block has so many times the rows of a member's: then the part of it that one member encodes or samples,
// and the rows that reach a rare question, are still enough for fast work.
constexpr std::size_t kBlocks = 16;
// Of very many columns or members fewer: 64 MB of codes, 128 MB of scores.
constexpr std::size_t kMostCells = std::size_t{1} << 24;

using Rows = std::vector<std::size_t>;

// The rows of each member.
std::vector<Rows> Share(std::span<const Code> member_of, std::size_t members) {
  std::vector<Rows> rows(members);
  for (std::size_t i = 0; i < member_of.size(); ++i) rows[member_of[i]].push_back(i);
  return rows;
}

// Columns [first_column, first_column + columns) of some rows.
CodeBlock Gather(const CodeBlock& block, const Rows& rows, std::size_t first_column, std::size_t columns) {
  CodeBlock gathered(rows.size(), columns);
  for (std::size_t j = 0; j < columns; ++j) {
    const auto from = block[first_column + j];
    const auto to = gathered[j];
    for (std::size_t i = 0; i < rows.size(); ++i) to[i] = from[rows[i]];
  }
  return gathered;
}

// The other way round.
void Scatter(const CodeBlock& gathered, const Rows& rows, std::size_t first_column, CodeBlock& block) {
  for (std::size_t j = 0; j < gathered.columns(); ++j) {
    const auto from = gathered[j];
    const auto to = block[first_column + j];
    for (std::size_t i = 0; i < rows.size(); ++i) to[rows[i]] = from[i];
  }
}

}  // namespace

MixtureFlow::MixtureFlow(std::vector<std::shared_ptr<const Flow>> members, std::vector<double> weights)
    : Flow(members.front()->sizes()),
      members_(std::move(members)),
      weights_(std::move(weights)),
      fixed_(members_),
      siblings_(members_) {
  const std::vector<std::size_t> siblings = siblings_.positions();
  for (std::size_t m = 0; m < members_.size(); ++m) {
    if (std::ranges::binary_search(fixed_.positions(), m) || std::ranges::binary_search(siblings, m)) continue;
    others_.push_back(m);
  }
  for (const double weight : weights_) log_weights_.push_back(Ln(weight));
  const double log_seen = Unseen().log_seen;
  for (std::size_t m = 0; m < members_.size(); ++m) {
    draw_weights_.push_back(weights_[m] * Exp(members_[m]->Unseen().log_seen - log_seen));
  }
}

std::vector<Code> MixtureFlow::LatentSizes() const {
  std::vector<Code> latent = sizes();
  latent.insert(latent.begin(), static_cast<Code>(members_.size()));
  return latent;
}

std::size_t MixtureFlow::BlockRows() const {
  std::size_t rows = 0;
  for (const auto& member : members_) rows = std::max(rows, member->BlockRows());
  const std::size_t wanted = std::max(rows, std::min(rows * kBlocks, kMostCells / sizes().size() / 64 * 64));
  return std::min(wanted, std::max(std::size_t{64}, kMostCells / members_.size() / 64 * 64));
}

std::vector<double> MixtureFlow::JointLogProbs(const CodeBlock& block) const {
  const std::size_t rows = block.rows();
  std::vector<double> joint(members_.size() * rows);
  fixed_.LogProb(block, joint);
  siblings_.LogProb(block, joint);
  for (const std::size_t m : others_) members_[m]->LogProb(block, std::span(joint).subspan(m * rows, rows));
  for (std::size_t m = 0; m < members_.size(); ++m) {
    for (double& log_prob : std::span(joint).subspan(m * rows, rows)) log_prob += log_weights_[m];
  }
  return joint;
}

void MixtureFlow::LogProb(CodeBlock block, std::span<double> out) const {
  const std::size_t rows = block.rows();
  const std::vector<double> joint = JointLogProbs(block);
  for (std::size_t i = 0; i < rows; ++i) {
    out[i] = std::min(0.0, LnSumExp(members_.size(), [&](std::size_t m) { return joint[m * rows + i]; }));
  }
}

void MixtureFlow::LogProbPerColumn(CodeBlock /*block*/, std::span<const std::span<double>> /*out*/) const {
  throw std::logic_error("the probability of a mixture is no product over columns");
}

CodeBlock MixtureFlow::Encode(CodeBlock block) const {
  const std::size_t rows = block.rows();
  const std::vector<double> joint = JointLogProbs(block);
  CodeBlock latent(rows, block.columns() + 1);
  for (std::size_t i = 0; i < rows; ++i) {
    Code best = 0;
    for (Code m = 1; m < members_.size(); ++m) {
      if (joint[m * rows + i] > joint[best * rows + i]) best = m;
    }
    latent[0][i] = best;
  }
  const std::vector<Rows> shares = Share(std::as_const(latent)[0], members_.size());
  for (std::size_t m = 0; m < members_.size(); ++m) {
    if (!shares[m].empty())
      Scatter(members_[m]->Encode(Gather(block, shares[m], 0, block.columns())), shares[m], 1, latent);
  }
  return latent;
}

CodeBlock MixtureFlow::Decode(CodeBlock latent) const {
  const std::size_t columns = latent.columns() - 1;
  CodeBlock block(latent.rows(), columns);
  const std::vector<Rows> shares = Share(std::as_const(latent)[0], members_.size());
  for (std::size_t m = 0; m < members_.size(); ++m) {
    if (!shares[m].empty()) Scatter(members_[m]->Decode(Gather(latent, shares[m], 1, columns)), shares[m], 0, block);
  }
  return block;
}

void MixtureFlow::SampleRows(std::uint64_t seed, std::span<const std::uint64_t> numbers, CodeBlock& block) const {
  std::vector<Code> member_of(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    double rest = RandomStream(seed, RandomPurpose::kSample, numbers[i], kMemberStream).Uniform();
    Code member = 0;
    while (member + 1 < members_.size() && rest >= draw_weights_[member]) rest -= draw_weights_[member++];
    member_of[i] = member;
  }
  const std::vector<Rows> shares = Share(member_of, members_.size());
  for (std::size_t m = 0; m < members_.size(); ++m) {
    if (shares[m].empty()) continue;
    std::vector<std::uint64_t> own_numbers;
    for (const std::size_t row : shares[m]) own_numbers.push_back(numbers[row]);
    CodeBlock sample(shares[m].size(), block.columns());
    members_[m]->SampleRows(seed, own_numbers, sample);
    Scatter(sample, shares[m], 0, block);
  }
}

UnseenMass MixtureFlow::Unseen() const {
  double mass = 0;
  double most = members_.front()->Unseen().log_seen;
  for (const auto& member : members_) most = std::max(most, member->Unseen().log_seen);
  double seen = 0;  // in units of e^most
  for (std::size_t m = 0; m < members_.size(); ++m) {
    const UnseenMass unseen = members_[m]->Unseen();
    mass += weights_[m] * unseen.mass;
    seen += weights_[m] * Exp(unseen.log_seen - most);
  }
  return {mass, most + Ln(seen)};
}

std::uint64_t MixtureFlow::NodeCount() const {
  std::uint64_t nodes = 0;
  for (const auto& member : members_) nodes += member->NodeCount();
  return nodes;
}

std::uint64_t MixtureFlow::ParameterCount() const {
  std::uint64_t parameters = members_.size();
  for (const auto& member : members_) parameters += member->ParameterCount();
  return parameters - siblings_.SharedParameters();
}

}  // namespace dtf
