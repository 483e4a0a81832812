#include "learn/weighted_rows.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <tuple>

namespace dtf {
namespace {

std::uint64_t CopyUnits(const WeightedRows& rows) {
  return rows.copy_units > 0 ? rows.copy_units : static_cast<std::uint64_t>(1 / rows.unit);
}

// Each of a row's first copies is held out by a hash of its own; of those from this number on, as nearly the wanted
// share is held out as can be.
constexpr std::uint64_t kManyCopies = 1024;
// Shares of the hashes are in units of 2^-63.
constexpr int kShareBits = 63;

// A mixing of 64 bits in which each bit of the input sways each bit of the output (the finalizer of SplitMix64).
std::uint64_t Mix(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

std::vector<std::uint64_t> HashRows(const CodeTable& codes) {
  std::vector<std::uint64_t> hashes(codes.rows, 0);
  for (const CodeColumn& column : codes.columns) {
    column.Visit([&](auto cells) {
      for (std::size_t i = 0; i < cells.size(); ++i) hashes[i] = Mix(hashes[i] ^ cells[i]);
    });
  }
  return hashes;
}

// Which share of the hashes is held out: [begin, end) of [0, 1).
struct HashRange {
  HashRange(double from, double to)
      : begin(static_cast<std::uint64_t>(from * 0x1p63)), end(static_cast<std::uint64_t>(to * 0x1p63)) {}

  std::uint64_t begin;
  std::uint64_t end;
};

// Of the numbers 0, …, last - 1, how many are below `share` when their kShareBits bits are reversed (van der Corput's
// sequence, which fills each range evenly) and then swapped where `hash` has ones.
std::uint64_t CountReversed(std::uint64_t hash, std::uint64_t last, std::uint64_t share) {
  std::uint64_t count = 0;
  std::uint64_t high = 0;  // the reversed bits of `last` above the one in work
  for (int bit = kShareBits - 1; bit >= 0; --bit) {
    if ((last >> bit & 1) == 0) continue;
    // The numbers that have the bits above, 0 here, and any lower ones: reversed, one for each value of their highest
    // `bit` bits.
    const std::uint64_t step = std::uint64_t{1} << (kShareBits - bit);
    const std::uint64_t lowest = (high ^ hash) & (step - 1);
    if (lowest < share) count += std::min(std::uint64_t{1} << bit, (share - lowest - 1) / step + 1);
    high |= step >> 1;
  }
  return count;
}

// How many of the copies first, …, last - 1 of a row with this hash are held out. Each copy's number alone decides.
std::uint64_t HeldOutCopies(std::uint64_t hash, std::uint64_t first, std::uint64_t last, HashRange range) {
  std::uint64_t chosen = 0;
  for (; first < std::min(last, kManyCopies); ++first) {
    const std::uint64_t copy_hash = Mix(hash ^ Mix(first)) >> 1;
    chosen += copy_hash >= range.begin && copy_hash < range.end ? 1 : 0;
  }
  if (first == last) return chosen;
  const auto below = [&](std::uint64_t share) {
    return CountReversed(hash >> 1, last, share) - CountReversed(hash >> 1, first, share);
  };
  return chosen + below(range.end) - below(range.begin);
}

// The rows in an order that does not depend on theirs: by hash, equal ones together, the lightest of these first.
std::vector<std::uint32_t> OrderByContent(const WeightedRows& rows, std::span<const std::uint64_t> hashes) {
  std::vector<std::uint32_t> order(rows.codes.rows);
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(hashes[a], rows.WeightOf(a), a) < std::tuple(hashes[b], rows.WeightOf(b), b);
  });
  return order;
}

std::pair<WeightedRows, WeightedRows> HoldOut(const WeightedRows& rows, HashRange range) {
  const std::vector<std::uint64_t> hashes = HashRows(rows.codes);
  const std::vector<std::uint32_t> order = OrderByContent(rows, hashes);

  // A weight that is no whole number of copies has a rest, which counts as one more copy.
  const std::uint64_t copy_units = CopyUnits(rows);
  std::vector<std::uint64_t> train(rows.codes.rows);
  std::vector<std::uint64_t> held_out(rows.codes.rows);
  std::uint64_t copies = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint32_t row = order[i];
    if (i == 0 || hashes[row] != hashes[order[i - 1]]) copies = 0;
    const std::uint64_t weight = rows.WeightOf(row);
    const std::uint64_t whole = weight / copy_units;
    const std::uint64_t rest = weight % copy_units;
    held_out[row] = copy_units * HeldOutCopies(hashes[row], copies, copies + whole, range);
    copies += whole;
    if (rest > 0) {
      held_out[row] += rest * HeldOutCopies(hashes[row], copies, copies + 1, range);
      ++copies;
    }
    train[row] = weight - held_out[row];
  }
  return {rows.Reweighted(train), rows.Reweighted(held_out)};
}

// The greatest unit that these weights are whole numbers of: 1/2 and 1 need two bits, not the seventeen they have in
// steps of 2^-16, and counting takes time by the bit.
void CoarsenUnit(WeightedRows& rows) {
  std::uint64_t bits = 0;
  for (const std::uint64_t weight : rows.weights) bits |= weight;
  const int shift = std::countr_zero(bits);
  for (std::uint64_t& weight : rows.weights) weight >>= shift;
  rows.unit = std::ldexp(rows.unit, shift);
}

}  // namespace

double WeightedRows::CopyRows() const { return unit * static_cast<double>(CopyUnits(*this)); }

double WeightedRows::TotalRows() const {
  if (weights.empty()) return static_cast<double>(codes.rows);
  return unit * static_cast<double>(std::accumulate(weights.begin(), weights.end(), std::uint64_t{0}));
}

std::vector<std::uint64_t> WeightedRows::CountCategories(Feature column, Code size) const {
  std::vector<std::uint64_t> counts(size + std::size_t{1});
  codes.columns[column].Visit([&](auto cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) counts[cells[i]] += WeightOf(i);
  });
  counts.pop_back();
  return counts;
}

std::vector<double> WeightedRows::CategoryWeights(Feature column, Code size) const {
  std::vector<double> in_rows;
  for (const std::uint64_t count : CountCategories(column, size)) in_rows.push_back(unit * static_cast<double>(count));
  return in_rows;
}

WeightedRows WeightedRows::Reweighted(std::span<const std::uint64_t> new_weights) const {
  std::vector<std::size_t> chosen;
  WeightedRows result{.codes = {}, .weights = {}, .unit = unit, .copy_units = copy_units};
  for (std::size_t i = 0; i < new_weights.size(); ++i) {
    if (new_weights[i] == 0) continue;
    chosen.push_back(i);
    if (!weights.empty()) result.weights.push_back(new_weights[i]);
  }
  result.codes = codes.Select(chosen);
  return result;
}

WeightedRows WeightedRows::EvenSample(std::size_t most) const {
  if (codes.rows <= most) return *this;
  const std::size_t step = (codes.rows + most - 1) / most;
  std::vector<std::uint64_t> sampled(codes.rows);
  for (std::size_t i = 0; i < sampled.size(); i += step) sampled[i] = WeightOf(i);
  return Reweighted(sampled);
}

std::vector<double> RoundToSteps(std::span<const double> weights) {
  std::vector<double> rounded;
  for (const double weight : weights) rounded.push_back(kWeightStep * std::floor(weight / kWeightStep + 0.5));
  return rounded;
}

WeightedRows MakeWeightedRows(CodeTable codes, std::span<const double> weights) {
  const bool all_whole = std::all_of(weights.begin(), weights.end(), [](double w) { return w == std::floor(w); });
  WeightedRows rows{.codes = std::move(codes), .weights = {}, .unit = all_whole ? 1 : kWeightStep};
  for (const double weight : weights) {
    rows.weights.push_back(static_cast<std::uint64_t>(std::floor(weight / rows.unit + 0.5)));
  }
  if (all_whole && std::all_of(weights.begin(), weights.end(), [](double w) { return w == 1; })) {
    rows.weights.clear();
    return rows;
  }
  if (!all_whole) {
    CoarsenUnit(rows);
    rows.copy_units = *std::max_element(rows.weights.begin(), rows.weights.end());
  }
  return rows.Reweighted(rows.weights);
}

CoarseWeights Coarsen(const WeightedRows& rows, std::uint64_t most, std::uint32_t least) {
  CoarseWeights coarse{.weights = {}, .unit = rows.unit};
  if (rows.weights.empty()) return coarse;
  const std::uint64_t total = std::accumulate(rows.weights.begin(), rows.weights.end(), std::uint64_t{0});
  int shift = 0;
  while ((total + (std::uint64_t{1} << shift) / 2) >> shift > most) ++shift;
  coarse.unit = std::ldexp(rows.unit, shift);
  if (shift == 0) {
    coarse.weights.assign(rows.weights.begin(), rows.weights.end());
    return coarse;
  }
  coarse.weights.resize(rows.weights.size());
  std::uint64_t so_far = (std::uint64_t{1} << shift) / 2;
  std::uint64_t given = 0;
  for (const std::uint32_t row : OrderByContent(rows, HashRows(rows.codes))) {
    so_far += rows.weights[row];
    const std::uint64_t due = so_far >> shift;
    coarse.weights[row] = std::max(static_cast<std::uint32_t>(due - given), least);
    given = due;
  }
  return coarse;
}

std::pair<WeightedRows, WeightedRows> HoldOut(const WeightedRows& rows, double fraction) {
  return HoldOut(rows, HashRange(0, fraction));
}

std::pair<WeightedRows, WeightedRows> HoldOutFold(const WeightedRows& rows, int fold, int folds) {
  return HoldOut(rows, HashRange(static_cast<double>(fold) / folds, static_cast<double>(fold + 1) / folds));
}

HalvedRows Halve(const WeightedRows& rows) {
  const std::uint64_t copy_units = CopyUnits(rows);
  std::uint64_t copies = 0;
  std::vector<std::size_t> chosen[2];
  std::vector<std::uint64_t> weights[2];
  for (std::size_t i = 0; i < rows.codes.rows; ++i) {
    const std::uint64_t weight = rows.WeightOf(i);
    const std::uint64_t whole = weight / copy_units;
    const std::uint64_t rest = weight % copy_units;
    std::uint64_t first = copy_units * ((copies + whole + 1) / 2 - (copies + 1) / 2);  // even ones of these copies
    copies += whole;
    if (rest > 0 && copies++ % 2 == 0) first += rest;
    for (const auto& [half, part] : {std::pair{0, first}, {1, weight - first}}) {
      if (part == 0) continue;
      chosen[half].push_back(i);
      weights[half].push_back(part);
    }
  }
  HalvedRows halved{.rows = rows, .first_half = chosen[0].size()};
  chosen[0].insert(chosen[0].end(), chosen[1].begin(), chosen[1].end());
  halved.rows.codes = rows.codes.Select(chosen[0]);
  if (!rows.weights.empty()) {
    halved.rows.weights = std::move(weights[0]);
    halved.rows.weights.insert(halved.rows.weights.end(), weights[1].begin(), weights[1].end());
  }
  return halved;
}

}  // namespace dtf
