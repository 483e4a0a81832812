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
    : Flow(std::move(column_sizes)),
      order_(std::move(order)),
      tests_(std::make_shared<const TestIndex>(std::move(tests), sizes())),
      base_(std::move(base)) {
  conditioners_.reserve(conditioners.size());
  for (std::size_t j = 0; j < conditioners.size(); ++j) {
    conditioners_.emplace_back(std::move(conditioners[j]), sizes()[j]);
  }
  if (const auto* independent = std::get_if<IndependentBase>(&base_)) {
    unseen_mass_ = independent->UnseenMass();
    return;
  }
  const auto& conditional = std::get<ConditionalBase>(base_);
  for (const Code size : sizes()) {
    const double alpha = conditional.alpha;
    const double unseen = conditional.closed ? 0 : alpha / (conditional.rows + alpha * (size + 1.0));
    log_seen_.push_back(Ln(1 - unseen));
    log_unseen_.push_back(Ln(unseen));
    unseen_mass_ += (1 - unseen_mass_) * unseen;
  }
}

AutoregressiveFlow::AutoregressiveFlow(const AutoregressiveFlow& sibling, std::vector<std::vector<Logit>> biases)
    : Flow(sibling.sizes()),
      order_(sibling.order_),
      tests_(sibling.tests_),
      base_(sibling.base_),
      log_seen_(sibling.log_seen_),
      log_unseen_(sibling.log_unseen_),
      unseen_mass_(sibling.unseen_mass_) {
  conditioners_.reserve(biases.size());
  for (std::size_t j = 0; j < biases.size(); ++j) {
    conditioners_.emplace_back(sibling.conditioners_[j], std::move(biases[j]));
  }
}

std::size_t AutoregressiveFlow::BlockRows() const {
  return std::clamp(kMostBlockCells / sizes().size() / 64 * 64, std::size_t{64}, kBlockRows);
}

CodeBlock AutoregressiveFlow::Encode(CodeBlock block) const {
  TestPlanes planes(*tests_, block.rows());
  for (Feature j = 0; j < block.columns(); ++j) planes.Fill(j, block[j]);
  ConditionerScratch scratch;
  for (Feature j = 0; j < block.columns(); ++j) conditioners_[j].ToRanks(planes.matrix(), scratch, block[j]);
  return block;
}

CodeBlock AutoregressiveFlow::Decode(CodeBlock latent) const {
  TestPlanes planes(*tests_, latent.rows());
  ConditionerScratch scratch;
  for (const Feature j : order_) {
    conditioners_[j].FromRanks(planes.matrix(), scratch, latent[j]);
    planes.Fill(j, latent[j]);
  }
  return latent;
}

void AutoregressiveFlow::ForEachConditionalScore(
    const CodeBlock& block, const std::function<void(std::size_t, std::span<const double>)>& f) const {
  TestPlanes planes(*tests_, block.rows());
  for (Feature j = 0; j < block.columns(); ++j) planes.Fill(j, block[j]);
  ConditionerScratch scratch;
  std::vector<double> scores(64 * planes.words());
  for (Feature j = 0; j < block.columns(); ++j) {
    const auto codes = block[j];
    conditioners_[j].FindNats(codes, planes.matrix(), scratch, scores);
    for (std::size_t i = 0; i < codes.size(); ++i) {
      scores[i] = codes[i] < sizes()[j] ? log_seen_[j] - scores[i] : log_unseen_[j];
    }
    f(j, std::span(scores).first(codes.size()));
  }
}

void AutoregressiveFlow::ForEachColumnScore(CodeBlock block,
                                            const std::function<void(std::size_t, std::span<const double>)>& f) const {
  const auto* independent = std::get_if<IndependentBase>(&base_);
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
  return std::holds_alternative<ConditionalBase>(base_) &&
         std::ranges::all_of(conditioners_, [](const CompiledConditioner& compiled) { return compiled.is_fixed(); });
}

double AutoregressiveFlow::FixedScore(std::size_t column, Code code) const {
  return code < sizes()[column] ? log_seen_[column] - conditioners_[column].FixedNats(code) : log_unseen_[column];
}

bool AutoregressiveFlow::IsSibling(const AutoregressiveFlow& other) const {
  const auto* base = std::get_if<ConditionalBase>(&base_);
  const auto* other_base = std::get_if<ConditionalBase>(&other.base_);
  if (base == nullptr || other_base == nullptr || *base != *other_base) return false;
  if (SharesQuestions(other)) return true;
  if (sizes() != other.sizes() || order_ != other.order_ || tests() != other.tests()) return false;
  return std::ranges::equal(conditioners_, other.conditioners_,
                            [](const auto& a, const auto& b) { return a.IsSibling(b); });
}

void AutoregressiveFlow::SampleRows(std::uint64_t seed, std::span<const std::uint64_t> numbers,
                                    CodeBlock& block) const {
  const auto* independent = std::get_if<IndependentBase>(&base_);
  if (independent == nullptr) {
    SampleConditional(seed, numbers, block);
    return;
  }
  independent->SampleRows(seed, numbers, block);
  block = Decode(std::move(block));
}

void AutoregressiveFlow::SampleConditional(std::uint64_t seed, std::span<const std::uint64_t> numbers,
                                           CodeBlock& block) const {
  TestPlanes planes(*tests_, block.rows());
  AnswerDraws draws(seed, numbers);
  ConditionerScratch scratch;
  for (const Feature j : order_) {
    draws.StartColumn(j);
    conditioners_[j].Draw(planes.matrix(), draws, scratch, block[j]);
    planes.Fill(j, block[j]);
  }
}

std::uint64_t AutoregressiveFlow::NodeCount() const {
  std::uint64_t nodes = 0;
  for (const CompiledConditioner& compiled : conditioners_) {
    for (const Question& question : compiled.questions()) {
      for (const LogitTree& tree : question.trees) nodes += tree.nodes.size() + tree.leaves.size();
    }
  }
  return nodes;
}

std::uint64_t AutoregressiveFlow::ParameterCount() const {
  std::uint64_t parameters = NodeCount();
  for (const CompiledConditioner& compiled : conditioners_) {
    for (const Question& question : compiled.questions()) parameters += 1 + question.terms.size();
  }
  return parameters;
}

}  // namespace dtf
