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

BinDraws::BinDraws(const ColumnSchema& column) {
  const Bins& bins = *column.bins;
  decimals_ = bins.decimals;
  for (int i = 0; i < decimals_; ++i) step_ /= 10;
  for (std::size_t b = 0; b < bins.low.size(); ++b) {
    const double median = ParseNumber(column.categories[b]).value_or(bins.low[b]);
    bins_.push_back(Prepare(bins.low[b], std::clamp(median, bins.low[b], bins.high[b]), bins.high[b]));
  }
}

BinDraws::Bin BinDraws::Prepare(double low, double median, double high) const {
  Bin bin{.low = low, .high = high};
  bin.is_rounded = decimals_ < kMostDecimals && (high - low) / step_ < 0x1p52;
  // One step beyond the last value, so that rounding down gives it as often as its neighbours.
  const double step = bin.is_rounded ? step_ : 0;
  bin.end = high + step;
  const double middle = median + step / 2;
  double half = bin.end > low ? (middle / 2 - low / 2) / (bin.end / 2 - low / 2) : 0.5;  // halves: no overflow
  if (low > 0 && bin.end > 2 * low) {
    const double of_logs = (Ln(middle) - Ln(low)) / (Ln(bin.end) - Ln(low));
    bin.by_logs = std::abs(of_logs - 0.5) < std::abs(half - 0.5);
    if (bin.by_logs) half = of_logs;
  }
  constexpr double kLeast = 0x1p-10;
  bin.from_end = half > 0.5;
  bin.power = Ln(std::max(bin.from_end ? 1 - half : half, kLeast)) / Ln(0.5);
  return bin;
}

std::string BinDraws::Draw(Code code, RandomStream& random) const {
  const Bin& bin = bins_[code];
  double share = random.Uniform();
  if (bin.power != 1) share = bin.from_end ? 1 - Exp(bin.power * Ln(1 - share)) : Exp(bin.power * Ln(share));
  const double drawn =
      bin.by_logs ? bin.low * Exp((Ln(bin.end) - Ln(bin.low)) * share) : std::lerp(bin.low, bin.end, share);
  const double value = std::clamp(drawn, bin.low, bin.high);
  if (!bin.is_rounded) return FormatNumber(value);
  return Format(std::min(bin.high, bin.low + std::floor((std::max(drawn, bin.low) - bin.low) / step_) * step_),
                decimals_);
}

}  // namespace dtf
