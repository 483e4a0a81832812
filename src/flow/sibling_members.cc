#include "flow/sibling_members.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "base/exponential.h"
#include "base/logarithm.h"
#include "count/answers.h"
#include "count/plane_rows.h"
#include "flow/test_planes.h"

namespace dtf {
namespace {

// Rows and members that are summed at a time: their sums stay in the second-level cache.
constexpr std::size_t kMostSums = std::size_t{1} << 14;
constexpr std::size_t kLeastRows = 16;
constexpr std::size_t kMostRows = 256;
// Nats of f and of d; factors beyond go another way. So many factors may be multiplied before the exponent is taken
// out.
constexpr double kMostNats = 80;
constexpr int kMostFactors = 4;

CodeBlock RowsOf(const CodeBlock& block, std::size_t first, std::size_t rows) {
  CodeBlock part(rows, block.columns());
  for (std::size_t j = 0; j < block.columns(); ++j) std::ranges::copy(block[j].subspan(first, rows), part[j].begin());
  return part;
}

}  // namespace

// Of each row and member: the product of the factors, as a number and an exponent of 2, and what is added to its -ln.
class SiblingMembers::Sums {
 public:
  Sums(std::size_t rows, std::size_t members)
      : members_(members),
        products_(rows * members, 1),
        exponents_(rows * members, 0),
        nats_(rows * members, 0),
        of_all_(rows, 0),
        factors_(rows, 0) {}

  // Each member's factor 1 + own · odds[member].
  void Multiply(std::size_t row, double own, const std::vector<double>& odds) {
    double* products = products_.data() + row * members_;
    for (std::size_t k = 0; k < members_; ++k) products[k] *= 1 + own * odds[k];
    if (++factors_[row] == kMostFactors) TakeExponents(row);
  }

  void AddToAll(std::size_t row, double nats) { of_all_[row] += nats; }
  void Add(std::size_t row, std::size_t member, double nats) { nats_[row * members_ + member] += nats; }

  double Nats(std::size_t row, std::size_t member) const {
    const std::size_t at = row * members_ + member;
    return of_all_[row] + nats_[at] + (Ln(products_[at]) + static_cast<double>(exponents_[at]) * kLn2);
  }

 private:
  static constexpr double kLn2 = 0.6931471805599453;

  void TakeExponents(std::size_t row) {
    factors_[row] = 0;
    double* products = products_.data() + row * members_;
    std::int64_t* exponents = exponents_.data() + row * members_;
    constexpr std::uint64_t kOne = std::uint64_t{1023} << 52;
    for (std::size_t k = 0; k < members_; ++k) {  // products are at least 1
      const auto bits = std::bit_cast<std::uint64_t>(products[k]);
      exponents[k] += static_cast<std::int64_t>((bits - kOne) >> 52);
      products[k] = std::bit_cast<double>((bits & ((std::uint64_t{1} << 52) - 1)) | kOne);
    }
  }

  std::size_t members_;
  std::vector<double> products_;
  std::vector<std::int64_t> exponents_;
  std::vector<double> nats_;
  std::vector<double> of_all_;
  std::vector<int> factors_;  // since exponents were taken out
};

SiblingMembers::SiblingMembers(std::span<const std::shared_ptr<const Flow>> members) {
  Family family;
  const auto end_family = [&] {
    if (family.members.size() >= kLeastOfFamily) {
      FindOdds(family);
      families_.push_back(std::move(family));
    }
    family = {};
  };
  for (std::size_t m = 0; m < members.size(); ++m) {
    const auto* flow = dynamic_cast<const AutoregressiveFlow*>(members[m].get());
    if (flow == nullptr || flow->HasFixedColumns() || flow->NodeCount() > 0) {
      end_family();
      continue;
    }
    if (!family.members.empty() && !family.members.front()->IsSibling(*flow)) end_family();
    if (family.members.empty()) family.first = m;
    family.members.push_back(flow);
  }
  end_family();
}

std::vector<std::size_t> SiblingMembers::positions() const {
  std::vector<std::size_t> positions;
  for (const Family& family : families_) {
    for (std::size_t k = 0; k < family.members.size(); ++k) positions.push_back(family.first + k);
  }
  return positions;
}

std::uint64_t SiblingMembers::SharedParameters() const {
  std::uint64_t shared = 0;
  for (const Family& family : families_) {
    const AutoregressiveFlow& first = *family.members.front();
    std::uint64_t biases = 0;
    for (const Code size : first.sizes()) biases += size - 1u;
    shared += (family.members.size() - 1) * (first.ParameterCount() - biases);
  }
  return shared;
}

void SiblingMembers::FindOdds(Family& family) {
  const AutoregressiveFlow& first = *family.members.front();
  family.odds.resize(first.sizes().size());
  for (Feature j = 0; j < first.sizes().size(); ++j) {
    for (std::size_t asked = 0; asked < first.compiled(j).asked(); ++asked) {
      Odds& odds = family.odds[j].emplace_back();
      for (const AutoregressiveFlow* member : family.members) {
        const double nats = kLogitUnit * (static_cast<double>(member->compiled(j).bias(asked)) -
                                          static_cast<double>(first.compiled(j).bias(asked)));
        if (!(std::abs(nats) <= kMostNats)) {
          odds = {};
          break;
        }
        odds.if_yes.push_back(Exp(-nats));
        odds.if_no.push_back(Exp(nats));
      }
    }
  }
}

void SiblingMembers::AddBlock(const Family& family, const CodeBlock& block, Sums& sums) {
  const AutoregressiveFlow& first = *family.members.front();
  TestPlanes planes(first.test_index(), block.rows());
  for (Feature j = 0; j < block.columns(); ++j) planes.Fill(j, block[j]);
  ConditionerScratch scratch;
  for (Feature j = 0; j < block.columns(); ++j) {
    const auto add = [&](std::size_t asked, const std::uint64_t* rows, const std::uint64_t* yes) {
      const Odds& odds = family.odds[j][asked];
      const Logit bias = first.compiled(j).bias(asked);
      for (const std::size_t i : PlaneRows({rows, planes.words()})) {
        const bool is_yes = (yes[i / 64] >> (i % 64) & 1) != 0;
        const Logit logit = is_yes ? scratch.logits[i] : -scratch.logits[i];
        const double nats = kLogitUnit * logit;
        if (std::abs(nats) <= kMostNats && !odds.if_yes.empty()) {
          sums.Multiply(i, Exp(-nats), is_yes ? odds.if_yes : odds.if_no);
          continue;
        }
        for (std::size_t k = 0; k < family.members.size(); ++k) {
          const std::int64_t more = std::int64_t{family.members[k]->compiled(j).bias(asked)} - bias;
          sums.Add(i, k, AnswerNats(static_cast<Logit>(is_yes ? logit + more : logit - more)));
        }
      }
    };
    first.compiled(j).VisitAnswers(block[j], planes.matrix(), scratch, add);
    for (std::size_t i = 0; i < block.rows(); ++i) {
      const Code code = block[j][i];
      sums.AddToAll(i, -first.LogMass(j, code));
      if (!first.compiled(j).has_fixed_parts() || code >= first.sizes()[j]) continue;
      for (std::size_t k = 0; k < family.members.size(); ++k) {
        sums.Add(i, k, family.members[k]->compiled(j).FixedNats(code));
      }
    }
  }
}

void SiblingMembers::LogProb(const CodeBlock& block, std::span<double> joint) const {
  for (const Family& family : families_) {
    const std::size_t most = std::clamp(kMostSums / family.members.size(), kLeastRows, kMostRows);
    for (std::size_t first = 0; first < block.rows(); first += most) {
      const std::size_t rows = std::min(most, block.rows() - first);
      Sums sums(rows, family.members.size());
      AddBlock(family, RowsOf(block, first, rows), sums);
      for (std::size_t k = 0; k < family.members.size(); ++k) {
        double* out = joint.data() + (family.first + k) * block.rows() + first;
        for (std::size_t i = 0; i < rows; ++i) out[i] = std::min(0.0, -sums.Nats(i, k));
      }
    }
  }
}

}  // namespace dtf
