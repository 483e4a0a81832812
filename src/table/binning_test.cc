#include "table/binning.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dtf/error.h"

namespace dtf {
namespace {

std::vector<WeightedNumber> Numbers(const std::vector<std::string>& texts) {
  std::vector<WeightedNumber> numbers;
  for (const auto& text : texts) numbers.push_back({*ParseNumber(text), text, 1});
  return numbers;
}

ColumnSchema Cut(const std::vector<std::string>& texts, int bins, bool equal_width) {
  ColumnSchema column;
  CutIntoBins(Numbers(texts), {"x", bins, equal_width}, column);
  return column;
}

TEST(BinsRequest, IsReadFromAnOption) {
  EXPECT_EQ(ParseBinsRequest("age=8").bins, 8);
  EXPECT_FALSE(ParseBinsRequest("age=8:quantile").equal_width);
  EXPECT_TRUE(ParseBinsRequest("a=b=3:width").equal_width);
  EXPECT_EQ(ParseBinsRequest("a=b=3:width").column, "a=b");
  for (const char* wrong : {"age", "age=", "age=1", "age=x", "age=4:depth", "age=4.5", "age=-3"}) {
    EXPECT_THROW(ParseBinsRequest(wrong), Error) << wrong;
  }
}

TEST(ParseNumber, TakesFiniteNumbersOnly) {
  EXPECT_EQ(ParseNumber("-2.50"), -2.5);
  EXPECT_EQ(ParseNumber("1e3"), 1000);
  for (const char* wrong : {"", " 1", "1 ", "1,5", "nan", "inf", "1e999", "x", "0x10"}) {
    EXPECT_FALSE(ParseNumber(wrong)) << wrong;
  }
}

TEST(CutIntoBins, QuantilesHoldAboutEqualWeight) {
  const ColumnSchema column = Cut({"1", "2", "3", "4", "5", "6", "7", "8"}, 4, false);
  EXPECT_EQ(column.bins->cuts, (std::vector<double>{3, 5, 7}));
  EXPECT_EQ(column.bins->low, (std::vector<double>{1, 3, 5, 7}));
  EXPECT_EQ(column.bins->high, (std::vector<double>{2, 4, 6, 8}));
  EXPECT_EQ(column.size(), 4u);
}

TEST(CutIntoBins, AHeavyValueTakesUpSeveralQuantiles) {
  std::vector<WeightedNumber> numbers = Numbers({"0", "1", "2"});
  numbers[1].weight = 98;
  ColumnSchema column;
  CutIntoBins(numbers, {"x", 10, false}, column);
  EXPECT_EQ(column.bins->low, (std::vector<double>{0, 2}));
}

TEST(CutIntoBins, WidthsAreEqualAndNoBinIsEmpty) {
  const ColumnSchema column = Cut({"0", "1", "2", "9.5", "10"}, 5, true);
  EXPECT_EQ(column.bins->cuts.size() + 1, column.categories.size());
  EXPECT_EQ(column.bins->low, (std::vector<double>{0, 2, 9.5}));
  EXPECT_EQ(column.bins->decimals, 1);
}

TEST(CutIntoBins, EachRepresentativeLiesInItsBin) {
  for (const bool equal_width : {false, true}) {
    const ColumnSchema column = Cut({"-3", "0.5", "0.25", "7", "12", "100", "6", "5.75"}, 3, equal_width);
    for (Code bin = 0; bin < column.size(); ++bin) {
      EXPECT_EQ(BinOf(*column.bins, *ParseNumber(column.categories[bin])), bin);
      EXPECT_EQ(BinOf(*column.bins, column.bins->low[bin]), bin);
      EXPECT_EQ(BinOf(*column.bins, column.bins->high[bin]), bin);
    }
    EXPECT_EQ(BinOf(*column.bins, -1e9), 0u);
    EXPECT_EQ(BinOf(*column.bins, 1e9), column.size() - 1);
  }
}

TEST(CutIntoBins, WidthsAreEqualAmongTheLargestNumbersToo) {
  const ColumnSchema column = Cut({"-1e308", "0", "1e308", "1.6e308"}, 4, true);
  EXPECT_EQ(column.bins->low, (std::vector<double>{-1e308, 0, 1e308}));
  EXPECT_NEAR(column.bins->cuts[0] / 1e308, -0.35, 1e-12);
  EXPECT_NEAR(column.bins->cuts[1] / 1e308, 0.95, 1e-12);
}

ColumnSchema OneBin(const Bins& bins, const std::string& median) {
  return {.name = "x", .type = "double", .categories = {median}, .bins = bins};
}

// Uniform draws from the last bin of a long tail would lie much too high.
TEST(BinDraws, KeepsTheMedianAndAboutTheMeanOfASkewedColumn) {
  std::vector<std::string> texts;
  double mean = 0;
  std::mt19937_64 engine(5);
  std::normal_distribution<double> normal(3, 1.2);
  for (int i = 0; i < 5000; ++i) {
    const double value = std::round(100 * std::exp(normal(engine))) / 100;
    texts.push_back(FormatNumber(value));
    mean += value / 5000;
  }
  const ColumnSchema column = Cut(texts, 10, false);
  const BinDraws draws(column);
  double drawn_mean = 0;
  double uniform_mean = 0;
  for (Code bin = 0; bin < column.categories.size(); ++bin) {
    const double median = *ParseNumber(column.categories[bin]);
    uniform_mean += (column.bins->low[bin] + column.bins->high[bin]) / 20;
    int below = 0;
    for (int i = 0; i < 2000; ++i) {
      RandomStream random(7, RandomPurpose::kBins, i, bin);
      const double value = *ParseNumber(draws.Draw(bin, random));
      below += value <= median ? 1 : 0;
      drawn_mean += value / 20000;
    }
    EXPECT_NEAR(below, 1000, 150) << bin;
  }
  EXPECT_LT(std::abs(drawn_mean - mean), 0.4 * std::abs(uniform_mean - mean));
}

// Quantiles of what is drawn are about the numbers' own, also within the bins.
TEST(BinDraws, KeepsQuantilesOfUniformAndExponentialNumbers) {
  std::mt19937_64 engine(6);
  for (const bool exponential : {false, true}) {
    std::vector<double> numbers;
    std::vector<std::string> texts;
    for (int i = 0; i < 5000; ++i) {
      const double uniform = std::uniform_real_distribution<double>(0, 1)(engine);
      numbers.push_back(std::round(10000 * (exponential ? -std::log(1 - uniform) : std::pow(uniform, 1.02))) / 10000);
      texts.push_back(FormatNumber(numbers.back()));
    }
    std::ranges::sort(numbers);
    const ColumnSchema column = Cut(texts, exponential ? 10 : 2, false);
    const BinDraws draws(column);
    std::vector<double> drawn;
    for (int i = 0; i < 20000; ++i) {
      RandomStream random(8, RandomPurpose::kBins, i);
      const auto bin = static_cast<Code>(static_cast<std::size_t>(i) % column.categories.size());
      drawn.push_back(*ParseNumber(draws.Draw(bin, random)));
    }
    std::ranges::sort(drawn);
    for (const double share : {0.01, 0.05, 0.1, 0.3, 0.6, 0.9}) {
      const double quantile = numbers[static_cast<std::size_t>(share * 5000)];
      const auto below = std::ranges::lower_bound(drawn, quantile) - drawn.begin();
      EXPECT_NEAR(static_cast<double>(below) / 20000, share, 0.15 * share + 0.005) << exponential;
    }
  }
}

TEST(BinDraws, TellsWholeNumbersApartHoweverLarge) {
  const double base = 1'700'000'000'000'000;
  const ColumnSchema column = OneBin({{}, {base}, {base + 3}, 0}, FormatNumber(base + 1));
  const BinDraws draws(column);
  std::map<std::string, int> seen;
  for (int i = 0; i < 8000; ++i) {
    RandomStream random(9, RandomPurpose::kBins, i);
    ++seen[draws.Draw(0, random)];
  }
  ASSERT_EQ(seen.size(), 4u);
  for (const auto& [text, count] : seen) EXPECT_GT(count, 1000) << text;
}

TEST(BinDraws, GivesValuesOfTheBinHoweverWideItIs) {
  const ColumnSchema column = OneBin({{}, {-1.5e308}, {1.66e308}, 17}, "0.08e308");
  const BinDraws draws(column);
  int negative = 0;
  for (int i = 0; i < 1000; ++i) {
    RandomStream random(3, RandomPurpose::kBins, i);
    const auto value = ParseNumber(draws.Draw(0, random));
    ASSERT_TRUE(value && *value >= -1.5e308 && *value <= 1.66e308);
    negative += *value < 0 ? 1 : 0;
  }
  EXPECT_NEAR(negative, 475, 80);  // five standard deviations
}

TEST(BinDraws, GivesEachValueOfThePrecisionAlike) {
  const ColumnSchema column = OneBin({{}, {1}, {1.4}, 1}, "1.2");
  const BinDraws draws(column);
  std::vector<int> seen(5, 0);
  for (int i = 0; i < 10000; ++i) {
    RandomStream random(3, RandomPurpose::kBins, i);
    const std::string text = draws.Draw(0, random);
    const std::vector<std::string> values = {"1", "1.1", "1.2", "1.3", "1.4"};
    const auto found = std::find(values.begin(), values.end(), text);
    ASSERT_NE(found, values.end()) << text;
    ++seen[found - values.begin()];
  }
  for (const int count : seen) EXPECT_NEAR(count, 2000, 200);  // five standard deviations
}

}  // namespace
}  // namespace dtf
