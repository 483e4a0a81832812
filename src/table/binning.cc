#include "table/binning.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/exponential.h"
#include "base/logarithm.h"
#include "dtf/error.h"

namespace dtf {
namespace {

constexpr int kMostBins = 100000;
constexpr int kMostDecimals = 17;

int DecimalsOf(std::string_view text) {
  if (text.find_first_of("eE") != std::string_view::npos) return kMostDecimals;
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos) return 0;
  return static_cast<int>(std::min<std::size_t>(text.size() - point - 1, kMostDecimals));
}

std::vector<double> QuantileCuts(const std::vector<WeightedNumber>& numbers, int bins) {
  double total = 0;
  for (const auto& number : numbers) total += number.weight;
  std::vector<double> cuts;
  double before = 0;  // weight of the numbers below this one
  int next = 1;
  for (const auto& number : numbers) {
    if (before > 0 && before >= total * next / bins) {
      cuts.push_back(number.value);
      while (next < bins && before >= total * next / bins) ++next;
      if (next == bins) break;
    }
    before += number.weight;
  }
  return cuts;
}

std::vector<double> WidthCuts(const std::vector<WeightedNumber>& numbers, int bins) {
  const double low = numbers.front().value;
  const double high = numbers.back().value;
  // So that `high` times the number of bins is finite.
  const double scale = std::abs(high) > 0x1p1000 ? 0x1p-20 : 1;
  std::vector<double> cuts;
  for (int b = 1; b < bins; ++b) {
    cuts.push_back(low * (1 - static_cast<double>(b) / bins) + high * scale * b / bins / scale);
  }
  return cuts;
}

// The text at which the bin's cumulative weight passes half.
const std::string& Median(const WeightedNumber* first, const WeightedNumber* last) {
  double total = 0;
  for (const auto* number = first; number != last; ++number) total += number->weight;
  double before = 0;
  for (; first + 1 != last; ++first) {
    before += first->weight;
    if (before >= total / 2) break;
  }
  return first->text;
}

std::string Format(double value, int decimals) {
  std::array<char, 512> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, decimals);
  std::string text(buffer.data(), end.ptr);
  if (decimals > 0) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
  }
  return text == "-0" ? "0" : text;
}

// Of a uniform number in [0, 1) another one there, by a power of it or of what it lacks, so that half of them lie below
// `half`.
double Bend(double uniform, double half) {
  constexpr double kLeast = 0x1p-10;
  const double ln2 = -Ln(0.5);
  if (half <= 0.5) return Exp(Ln(uniform) * -Ln(std::max(half, kLeast)) / ln2);
  return 1 - Exp(Ln(1 - uniform) * -Ln(std::max(1 - half, kLeast)) / ln2);
}

// A number of which half lie below the median. Positive ones with a long tail are drawn by their logarithms.
double DrawBetween(double low, double median, double high, RandomStream& random) {
  const double width = high / 2 - low / 2;  // which may be too large for a number
  if (!(width > 0)) return low;
  const double half = (median / 2 - low / 2) / width;
  const double uniform = random.Uniform();
  if (low <= 0 || half >= 0.5) return std::lerp(low, high, Bend(uniform, half));
  const double log_width = Ln(high) - Ln(low);
  return low * Exp(log_width * Bend(uniform, (Ln(median) - Ln(low)) / log_width));
}

}  // namespace

BinsRequest ParseBinsRequest(const std::string& text) {
  const Error usage(
      ErrorKind::kUsage,
      "--bins " + text + ": write COL=K, COL=K:quantile or COL=K:width, with K from 2 to " + std::to_string(kMostBins));
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos) throw usage;
  BinsRequest request{.column = text.substr(0, equals)};
  const char* first = text.data() + equals + 1;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(first, last, request.bins);
  if (error != std::errc() || request.bins < 2 || request.bins > kMostBins) throw usage;
  const std::string_view how(end, last);
  if (how != "" && how != ":quantile" && how != ":width") throw usage;
  request.equal_width = how == ":width";
  return request;
}

std::optional<double> ParseNumber(std::string_view text) {
  double value = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc() || end != last || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::string FormatNumber(double value) {
  std::array<char, 32> buffer{};
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr};
}

void CutIntoBins(std::vector<WeightedNumber> numbers, const BinsRequest& request, ColumnSchema& column) {
  std::sort(numbers.begin(), numbers.end(), [](const WeightedNumber& a, const WeightedNumber& b) {
    return a.value != b.value ? a.value < b.value : a.text < b.text;
  });
  Bins bins;
  for (const auto& number : numbers) bins.decimals = std::max(bins.decimals, DecimalsOf(number.text));
  const auto cuts = request.equal_width ? WidthCuts(numbers, request.bins) : QuantileCuts(numbers, request.bins);
  const WeightedNumber* first = numbers.data();
  const WeightedNumber* const end = first + numbers.size();
  for (std::size_t b = 0; b <= cuts.size() && first != end; ++b) {
    const WeightedNumber* last = first;
    while (last != end && (b == cuts.size() || last->value < cuts[b])) ++last;
    if (last == first) continue;  // an empty bin is joined to the next
    if (!bins.low.empty()) bins.cuts.push_back(cuts[b - 1]);
    bins.low.push_back(first->value);
    bins.high.push_back((last - 1)->value);
    column.categories.push_back(Median(first, last));
    first = last;
  }
  column.bins = bins;
  column.ordered = true;
}

Code BinOf(const Bins& bins, double value) {
  return static_cast<Code>(std::upper_bound(bins.cuts.begin(), bins.cuts.end(), value) - bins.cuts.begin());
}

std::string DrawFromBin(const ColumnSchema& column, Code bin, RandomStream& random) {
  const double low = column.bins->low[bin];
  const double high = column.bins->high[bin];
  const double median = ParseNumber(column.categories[bin]).value_or(low);
  const int decimals = column.bins->decimals;
  double step = 1;
  for (int i = 0; i < decimals; ++i) step /= 10;
  const bool is_rounded = decimals < kMostDecimals && (high - low) / step < 0x1p52;
  if (!is_rounded) step = 0;
  // Up to high + step, so that the last value is as likely as its neighbours.
  const double value = DrawBetween(low, median + step / 2, high + step, random);
  if (!is_rounded) return FormatNumber(std::clamp(value, low, high));
  return Format(std::min(high, low + std::floor((value - low) / step) * step), decimals);
}

}  // namespace dtf
