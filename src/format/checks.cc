#include "format/checks.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <string_view>

#include <flatbuffers/util.h>

#include "dtf/error.h"
#include "tree/compiled_tsp.h"

namespace dtf {
namespace {

constexpr std::size_t kMaxCategories = std::size_t{1} << 31;
constexpr double kMinUnit = 0x1p-16;
constexpr double kMaxAlpha = 0x1p900;  // so that α (k + 1) is finite
constexpr int kMaxDecimals = 17;
constexpr double kMostWeightError = 1e-9;
// Once compiled (compiled_tsp.h), a leaf has for each column that some leaf's rows move there: a place, and a byte for
// each code and direction; or, of a column with many categories, a larger place, and a pointer to each permutation.
constexpr double kPlaceBytes = 4;
constexpr double kSparsePlaceBytes = 24;
constexpr double kSparseBytes = 24;

void Require(bool condition, const std::string& what) {
  if (!condition) throw Error(ErrorKind::kModelFile, what);
}

bool IsUtf8(const std::string& text) {
  const char* at = text.c_str();
  const char* const end = at + text.size();
  while (at != end) {
    if (static_cast<unsigned char>(*at) < 0x80) {
      ++at;
    } else if (flatbuffers::FromUTF8(&at) < 0) {
      return false;
    }
  }
  return true;
}

bool AllDistinct(const std::vector<std::string>& texts) {
  // The two orders that categories come in, so that few lists need sorting.
  if (std::ranges::adjacent_find(texts, std::greater_equal<>()) == texts.end()) return true;
  const auto not_after = [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() > b.size() : a >= b;
  };
  if (std::ranges::adjacent_find(texts, not_after) == texts.end()) return true;
  std::vector<std::string_view> sorted(texts.begin(), texts.end());
  std::ranges::sort(sorted);
  return std::ranges::adjacent_find(sorted) == sorted.end();
}

bool AllFinite(const std::vector<double>& numbers) {
  return std::ranges::all_of(numbers, [](double number) { return std::isfinite(number); });
}

void CheckBins(const Bins& bins, std::size_t categories) {
  Require(bins.cuts.size() + 1 == categories, "does not have one cut fewer than bins");
  Require(bins.low.size() == categories && bins.high.size() == categories, "does not have one range for each bin");
  Require(AllFinite(bins.cuts) && AllFinite(bins.low) && AllFinite(bins.high), "has a bin that is not finite");
  Require(std::ranges::adjacent_find(bins.cuts, std::greater_equal<>()) == bins.cuts.end(), "has cuts out of order");
  Require(std::ranges::equal(bins.low, bins.high, std::less_equal<>()),
          "has a bin whose lowest value is not its least");
  Require(bins.decimals >= 0 && bins.decimals <= kMaxDecimals, "has bins with more than 17 decimals");
}

void CheckMissingTexts(const ColumnSchema& column) {
  const std::vector<std::string>& texts = column.missing_texts;
  Require(std::ranges::all_of(texts, IsUtf8), "has a text for missing that is not UTF-8");
  Require(std::ranges::adjacent_find(texts, std::greater_equal<>()) == texts.end(),
          "has texts for missing out of order");
  const auto means_missing = [&](const std::string& category) { return column.MeansMissing(category); };
  Require(std::ranges::none_of(column.categories, means_missing), "has a category that means missing");
}

void CheckColumn(const ColumnSchema& column) {
  const std::size_t categories = column.categories.size() + (column.has_missing ? 1 : 0);
  Require(categories >= 1, "has no categories");
  Require(categories <= kMaxCategories, "has more than 2^31 categories");
  Require(IsUtf8(column.name) && IsUtf8(column.type), "has a name or type that is not UTF-8");
  Require(std::ranges::all_of(column.categories, IsUtf8), "has a category that is not UTF-8");
  Require(AllDistinct(column.categories), "has the same category twice");
  CheckMissingTexts(column);
  if (column.bins) CheckBins(*column.bins, column.categories.size());
}

// Bytes that the leaves of a compiled tree keep, found on a walk that holds the permutations met on the way down: of a
// column with few categories one map for all of them, of another one each of them.
class PathBytes {
 public:
  PathBytes(const TspNodes& nodes, const std::vector<Code>& sizes) : nodes_(nodes), met_(sizes.size()), sizes_(sizes) {}

  // 0 for what is no tree.
  double OfAllLeaves() {
    const auto size = static_cast<std::int32_t>(nodes_.left.size());
    double bytes = 0;
    std::vector<bool> has_parent(nodes_.left.size());
    std::vector<std::int32_t> open = {0};
    while (!open.empty()) {
      const std::int32_t at = open.back();
      open.pop_back();
      if (at < 0) {
        Leave(~at);
        continue;
      }
      Enter(at);
      open.push_back(~at);
      if (nodes_.left[at] == kNoChild) {
        bytes += here_;
        continue;
      }
      for (const std::int32_t child : {nodes_.left[at], nodes_.right[at]}) {
        if (child <= at || child >= size || has_parent[child]) return 0;
        has_parent[child] = true;
        open.push_back(child);
      }
    }
    return bytes;
  }

 private:
  void Enter(std::int32_t node) {
    for (const Feature feature : nodes_.moved[node]) {
      if (feature < sizes_.size()) here_ += MoreBytes(feature, met_[feature]++);
    }
  }
  void Leave(std::int32_t node) {
    for (const Feature feature : nodes_.moved[node]) {
      if (feature < sizes_.size()) here_ -= MoreBytes(feature, --met_[feature]);
    }
  }

  // For one more permutation of a column below so many.
  double MoreBytes(Feature feature, std::uint32_t met) const {
    if (sizes_[feature] > kMostDenseCategories) return kSparseBytes;
    return met == 0 ? 2 * (sizes_[feature] + 1.0) : 0;
  }

  const TspNodes& nodes_;
  std::vector<std::uint32_t> met_;  // permutations of each column on the way to the node
  const std::vector<Code>& sizes_;
  double here_ = 0;
};

// Of the places that a compiled tree has for each leaf and moved column.
double PlaceBytes(const TspNodes& nodes, const std::vector<Code>& sizes) {
  std::vector<Feature> moved = nodes.moved.values();
  std::ranges::sort(moved);
  moved.erase(std::unique(moved.begin(), moved.end()), moved.end());
  double of_leaf = 0;
  for (const Feature feature : moved) {
    const bool is_sparse = feature < sizes.size() && sizes[feature] > kMostDenseCategories;
    of_leaf += is_sparse ? kSparsePlaceBytes : kPlaceBytes;
  }
  return of_leaf * static_cast<double>(nodes.left.size() + 1) / 2;
}

bool IsNll(double nll) { return !std::isnan(nll); }

}  // namespace

void CheckSchema(const Schema& schema) {
  Require(!schema.columns.empty(), "it has no columns");
  std::vector<std::string> names;
  for (const ColumnSchema& column : schema.columns) {
    names.push_back(column.name);
    try {
      CheckColumn(column);
    } catch (const Error& error) {
      throw Error(ErrorKind::kModelFile, "column " + std::to_string(names.size()) + " " + error.what());
    }
  }
  Require(AllDistinct(names), "two columns have the same name");
}

void CheckRecord(const FitRecord& record) {
  for (const auto& [name, value] : record.options) {
    Require(IsUtf8(name) && IsUtf8(value), "the fit record has an option that is not UTF-8");
  }
  Require(std::isfinite(record.rows) && record.rows >= 0, "the fit record has an impossible number of rows");
  Require(IsNll(record.train_nll), "the fit record has a likelihood that is not a number");
  for (const LearningCurvePoint& point : record.curve) {
    Require(point.layers >= 0, "the fit record has a negative number of layers");
    Require(IsNll(point.train_nll.value_or(0)) && IsNll(point.valid_nll.value_or(0)),
            "the fit record has a likelihood that is not a number");
  }
}

void CheckWeights(std::span<const double> weights) {
  Require(!weights.empty(), "the mixture has no members");
  double sum = 0;
  for (const double weight : weights) {
    Require(std::isfinite(weight) && weight > 0, "a member's weight is not a positive number");
    sum += weight;
  }
  Require(std::abs(sum - 1) <= kMostWeightError, "the members' weights do not sum to 1");
}

void CheckSmoothing(std::uint64_t units, double unit, double alpha) {
  int exponent = 0;
  Require(unit >= kMinUnit && unit <= 1 && std::frexp(unit, &exponent) == 0.5,
          "the unit of counts is not a power of two from 2^-16 to 1");
  Require(alpha >= 0 && alpha <= kMaxAlpha, "alpha is not a number from 0 to 2^900");
  Require(units > 0 || alpha > 0, "there are no counts, and alpha is 0");
}

void CheckBase(const Ragged<std::uint64_t>& counts, double unit, double alpha) {
  std::uint64_t rows = 0;
  for (std::size_t j = 0; j < counts.size(); ++j) {
    const auto of_column = counts[j];
    std::uint64_t sum = 0;
    for (const std::uint64_t count : of_column) {
      Require(count < kMaxUnits - sum, "the counts of column " + std::to_string(j + 1) + " sum to 2^53 or more");
      sum += count;
    }
    if (j == 0) rows = sum;
    Require(sum == rows, "the counts of column " + std::to_string(j + 1) + " do not sum to those of column 1");
  }
  CheckSmoothing(rows, unit, alpha);
}

double LoadingCost(const TspNodes& nodes, const std::vector<Code>& sizes) {
  const std::size_t size = nodes.left.size();
  if (nodes.right.size() != size || nodes.feature.size() != size || nodes.moved.size() != size) return 0;
  if (size == 0) return 0;
  return PathBytes(nodes, sizes).OfAllLeaves() + PlaceBytes(nodes, sizes);
}

}  // namespace dtf
