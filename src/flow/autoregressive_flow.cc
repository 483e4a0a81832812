#include "flow/autoregressive_flow.h"

#include <algorithm>
#include <utility>

#include "base/logarithm.h"
#include "base/random.h"

namespace dtf {
namespace {

// A block of so many rows is eight words of a plane: one vector register, and each question's cost is spread over many
// rows. Of very wide tables fewer, as the block must not become too large.
constexpr std::size_t kBlockRows = 512;
constexpr std::size_t kMostBlockCells = std::size_t{1} << 22;

}  // namespace

AutoregressiveFlow::AutoregressiveFlow(std::vector<Code> column_sizes, std::vector<Feature> order,
                                       std::vector<CodeTest> tests, std::vector<Conditioner> conditioners, Base base)
    : Flow(std::move(column_sizes)) {
  conditioners_.reserve(conditioners.size());
  for (std::size_t j = 0; j < conditioners.size(); ++j) {
    conditioners_.push_back(std::make_shared<const CompiledConditioner>(std::move(conditioners[j]), sizes()[j]));
  }
  Common common{.order = std::move(order), .tests = TestIndex(std::move(tests), sizes()), .base = std::move(base)};
  if (const auto* independent = std::get_if<IndependentBase>(&common.base)) {
    common.unseen = independent->unseen();
  } else {
    const auto& conditional = std::get<ConditionalBase>(common.base);
    for (std::size_t j = 0; j < sizes().size(); ++j) {
      const double unseen = conditional.Unseen(j, sizes()[j]);
      common.log_seen.push_back(Ln(1 - unseen));
      common.log_unseen.push_back(Ln(unseen));
      common.unseen.AddColumn(unseen);
    }
  }
  common_ = std::make_shared<const Common>(std::move(common));
}

AutoregressiveFlow::AutoregressiveFlow(const AutoregressiveFlow& sibling, std::vector<std::vector<Logit>> biases)
    : Flow(sibling.sizes()), common_(sibling.common_), conditioners_(sibling.conditioners_) {
  for (std::size_t j = 0; j < biases.size(); ++j) {
    if (biases[j].empty()) continue;
    conditioners_[j] = std::make_shared<const CompiledConditioner>(*sibling.conditioners_[j], std::move(biases[j]));
  }
}

std::size_t AutoregressiveFlow::BlockRows() const {
  return std::clamp(kMostBlockCells / sizes().size() / 64 * 64, std::size_t{64}, kBlockRows);
}

CodeBlock AutoregressiveFlow::Encode(CodeBlock block) const {
  TestPlanes planes(common_->tests, block.rows());
  for (Feature j = 0; j < block.columns(); ++j) planes.Fill(j, block[j]);
  ConditionerScratch scratch;
  for (Feature j = 0; j < block.columns(); ++j) conditioners_[j]->ToRanks(planes.matrix(), scratch, block[j]);
  return block;
}

CodeBlock AutoregressiveFlow::Decode(CodeBlock latent) const {
  TestPlanes planes(common_->tests, latent.rows());
  ConditionerScratch scratch;
  for (const Feature j : order()) {
    conditioners_[j]->FromRanks(planes.matrix(), scratch, latent[j]);
    planes.Fill(j, latent[j]);
  }
  return latent;
}

void AutoregressiveFlow::ForEachConditionalScore(
    const CodeBlock& block, const std::function<void(std::size_t, std::span<const double>)>& f) const {
  TestPlanes planes(common_->tests, block.rows());
  for (Feature j = 0; j < block.columns(); ++j) planes.Fill(j, block[j]);
  ConditionerScratch scratch;
  std::vector<double> scores(64 * planes.words());
  for (Feature j = 0; j < block.columns(); ++j) {
    const auto codes = block[j];
    conditioners_[j]->FindNats(codes, planes.matrix(), scratch, scores);
    for (std::size_t i = 0; i < codes.size(); ++i) {
      scores[i] = codes[i] < sizes()[j] ? common_->log_seen[j] - scores[i] : common_->log_unseen[j];
    }
    f(j, std::span(scores).first(codes.size()));
  }
}

void AutoregressiveFlow::ForEachColumnScore(CodeBlock block,
                                            const std::function<void(std::size_t, std::span<const double>)>& f) const {
  const auto* independent = std::get_if<IndependentBase>(&base());
  if (independent == nullptr) {
    ForEachConditionalScore(block, f);
    return;
  }
  const CodeBlock latent = Encode(std::move(block));
  std::vector<double> scores(latent.rows());
  for (std::size_t j = 0; j < latent.columns(); ++j) {
    for (std::size_t i = 0; i < latent.rows(); ++i) scores[i] = independent->LogProb(j, latent[j][i]);
    f(j, scores);
  }
}

void AutoregressiveFlow::LogProb(CodeBlock block, std::span<double> out) const {
  std::fill_n(out.begin(), block.rows(), 0.0);
  ForEachColumnScore(std::move(block), [&](std::size_t, std::span<const double> scores) {
    for (std::size_t i = 0; i < scores.size(); ++i) out[i] += scores[i];
  });
}

void AutoregressiveFlow::LogProbPerColumn(CodeBlock block, std::span<const std::span<double>> out) const {
  ForEachColumnScore(std::move(block),
                     [&](std::size_t j, std::span<const double> scores) { std::ranges::copy(scores, out[j].begin()); });
}

bool AutoregressiveFlow::HasFixedColumns() const {
  return std::holds_alternative<ConditionalBase>(base()) &&
         std::ranges::all_of(conditioners_, [](const auto& compiled) { return compiled->is_fixed(); });
}

double AutoregressiveFlow::FixedScore(std::size_t column, Code code) const {
  return code < sizes()[column] ? common_->log_seen[column] - conditioners_[column]->FixedNats(code)
                                : common_->log_unseen[column];
}

bool AutoregressiveFlow::IsSibling(const AutoregressiveFlow& other) const {
  const auto* own_base = std::get_if<ConditionalBase>(&base());
  const auto* other_base = std::get_if<ConditionalBase>(&other.base());
  if (own_base == nullptr || other_base == nullptr || *own_base != *other_base) return false;
  if (SharesQuestions(other)) return true;
  if (sizes() != other.sizes() || order() != other.order() || tests() != other.tests()) return false;
  return std::ranges::equal(conditioners_, other.conditioners_,
                            [](const auto& a, const auto& b) { return a->IsSibling(*b); });
}

void AutoregressiveFlow::SampleRows(std::uint64_t seed, std::span<const std::uint64_t> numbers,
                                    CodeBlock& block) const {
  const auto* independent = std::get_if<IndependentBase>(&base());
  if (independent == nullptr) {
    SampleConditional(seed, numbers, block);
    return;
  }
  independent->SampleRows(seed, numbers, block);
  block = Decode(std::move(block));
}

void AutoregressiveFlow::SampleConditional(std::uint64_t seed, std::span<const std::uint64_t> numbers,
                                           CodeBlock& block) const {
  TestPlanes planes(common_->tests, block.rows());
  AnswerDraws draws(seed, numbers);
  ConditionerScratch scratch;
  for (const Feature j : order()) {
    draws.StartColumn(j);
    conditioners_[j]->Draw(planes.matrix(), draws, scratch, block[j]);
    planes.Fill(j, block[j]);
  }
}

std::uint64_t AutoregressiveFlow::NodeCount() const {
  std::uint64_t nodes = 0;
  for (const auto& compiled : conditioners_) {
    for (const Question& question : compiled->questions()) {
      for (const LogitTree& tree : question.trees) nodes += tree.nodes.size() + tree.leaves.size();
    }
  }
  return nodes;
}

std::uint64_t AutoregressiveFlow::ParameterCount() const {
  std::uint64_t parameters = NodeCount();
  for (const auto& compiled : conditioners_) {
    for (const Question& question : compiled->questions()) parameters += 1 + question.terms.size();
  }
  return parameters;
}

}  // namespace dtf
