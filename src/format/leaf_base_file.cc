#include "format/leaf_base_file.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>

#include "format/checks.h"

namespace dtf {
namespace {

constexpr double kMostPriorRows = 0x1p900;
// Of a count at one node: in the lists that are merged, and as an entry of the base.
constexpr double kBytesPerCount = 48;

void Require(bool condition, const std::string& what) {
  if (!condition) RefuseModel("its base's " + what);
}

// Of a leaf's column: ascending codes of its domain. Returns the sum of the counts.
std::uint64_t CheckColumn(std::span<const CodeCount> counts, const CodeSet& domain) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    Require(i == 0 || counts[i - 1].code < counts[i].code, "codes are out of order");
    Require(domain.Contains(counts[i].code), "codes are not all of their leaf's domain");
    Require(counts[i].count > 0, "counts are not all positive");
    Require(counts[i].count < kMaxUnits - sum, "counts sum to 2^53 or more");
    sum += counts[i].count;
  }
  return sum;
}

}  // namespace

flatbuffers::Offset<file::LeafCounts> WriteLeafBase(const LeafBase& base, PayloadWriter& writer) {
  const auto lengths = writer.WriteLengths(base.counts());
  const auto codes = writer.WriteNumbers(base.counts().values(), [](const CodeCount& count) { return count.code; });
  const auto counts = writer.WriteNumbers(base.counts().values(), [](const CodeCount& count) { return count.count; });
  writer.MakeRoom(0);
  return file::CreateLeafCounts(writer.builder(), lengths, codes, counts, base.root().unit(), base.root().alpha(),
                                base.prior_rows());
}

LeafBaseArguments ReadLeafBase(const file::LeafCounts& base, PayloadReader& reader) {
  const std::vector<std::uint32_t> codes = reader.ReadNumbers(base.codes());
  const std::vector<std::uint64_t> counts = UnpackNumbers64(reader.ReadBytes(base.counts()));
  if (codes.size() != counts.size()) RefuseModel("its lists have other lengths than their values");
  std::vector<CodeCount> values(codes.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = {codes[i], counts[i]};
  return {MakeRagged(values, reader.ReadNumbers(base.lengths())), base.unit(), base.alpha(), base.prior_rows()};
}

void CheckLeafBase(const LeafBaseArguments& base, const Tsp& last, const std::vector<Code>& sizes) {
  Require(base.prior_rows > 0 && base.prior_rows <= kMostPriorRows, "prior rows are not a number from 0 to 2^900");
  Require(base.counts.size() == static_cast<std::size_t>(last.leaves()) * sizes.size(),
          "lists are not one for each leaf and column");
  std::uint64_t rows = 0;
  std::size_t list = 0;
  std::vector<Domain> domains(last.size(), Domain(sizes));
  for (std::int32_t node = 0; node < last.size(); ++node) {
    const Domain domain = std::exchange(domains[node], Domain(sizes));
    if (!last.is_leaf(node)) {
      const TspNodes& nodes = last.nodes();
      std::tie(domains[nodes.left[node]], domains[nodes.right[node]]) =
          domain.Split(nodes.feature[node], nodes.left_set[node]);
      continue;
    }
    const std::uint64_t of_leaf = CheckColumn(base.counts[list], domain.Of(0));
    for (Feature j = 0; j < sizes.size(); ++j) {
      Require(CheckColumn(base.counts[list++], domain.Of(j)) == of_leaf, "counts of a leaf's columns differ in sum");
    }
    Require(of_leaf < kMaxUnits - rows, "counts sum to 2^53 or more");
    rows += of_leaf;
  }
  CheckSmoothing(rows, base.unit, base.alpha);
}

double LeafBaseCost(const LeafBaseArguments& base, const Tsp& last, const std::vector<Code>& sizes) {
  const std::size_t columns = sizes.size();
  double counts = 0;
  std::vector<std::uint32_t> below(static_cast<std::size_t>(last.size()) * columns);  // of each node, at the most
  std::size_t list = base.counts.size();
  for (std::int32_t node = last.size() - 1; node >= 0; --node) {
    if (last.is_leaf(node)) list -= columns;
    for (std::size_t j = 0; j < columns; ++j) {
      const auto of = [&](std::int32_t child) { return std::uint64_t{below[child * columns + j]}; };
      const std::uint64_t most = last.is_leaf(node) ? base.counts[list + j].size()
                                                    : of(last.nodes().left[node]) + of(last.nodes().right[node]);
      below[node * columns + j] = static_cast<std::uint32_t>(std::min<std::uint64_t>(most, sizes[j]));
      counts += below[node * columns + j];
    }
  }
  return kBytesPerCount * counts;
}

}  // namespace dtf
