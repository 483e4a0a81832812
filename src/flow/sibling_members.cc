#include "flow/sibling_members.h"

#include <algorithm>
#include <utility>

namespace dtf {
namespace {

CodeBlock RowsOf(const CodeBlock& block, std::size_t first, std::size_t rows) {
  CodeBlock part(rows, block.columns());
  for (std::size_t j = 0; j < block.columns(); ++j) std::ranges::copy(block[j].subspan(first, rows), part[j].begin());
  return part;
}

}  // namespace

SiblingMembers::SiblingMembers(std::span<const std::shared_ptr<const Flow>> members) {
  Family family;
  const auto end_family = [&] {
    if (family.members.size() > 1) families_.push_back(std::move(family));
    family = {};
  };
  for (std::size_t m = 0; m < members.size(); ++m) {
    const auto* flow = dynamic_cast<const AutoregressiveFlow*>(members[m].get());
    if (flow == nullptr || flow->HasFixedColumns()) {
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

void SiblingMembers::LogProb(const CodeBlock& block, std::span<double> joint) const {
  for (const Family& family : families_) {
    // As many rows as keep all members' sums in the second-level cache.
    const std::size_t block_rows = family.members.front()->BlockRows();
    for (std::size_t first = 0; first < block.rows(); first += block_rows) {
      const std::size_t rows = std::min(block_rows, block.rows() - first);
      std::vector<std::span<double>> out;
      for (std::size_t k = 0; k < family.members.size(); ++k) {
        out.push_back(joint.subspan((family.first + k) * block.rows() + first, rows));
      }
      family.members.front()->LogProbOfSiblings(family.members, RowsOf(block, first, rows), out);
    }
  }
}

}  // namespace dtf
