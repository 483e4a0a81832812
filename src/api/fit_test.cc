// What the public functions of a fit promise: stops, bytes, weights.
#include <cstddef>
#include <fstream>
#include <functional>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/directory_test_util.h"
#include "base/random.h"
#include "dtf/error.h"
#include "dtf/fit.h"

namespace dtf {
namespace {

// Columns of three values, each often the one before.
NamedTable MakeTable(std::size_t rows, std::size_t columns) {
  NamedTable table;
  RandomStream random(1, RandomPurpose::kSample, 0);
  table.rows.source = "the table";
  table.rows.rows = rows;
  for (std::size_t j = 0; j < columns; ++j) {
    table.headers.push_back({.name = "c" + std::to_string(j)});
    TextColumn column{.dictionary = {"x", "y", "z"}, .cells = {}};
    for (std::size_t i = 0; i < rows; ++i) {
      const bool copies = j > 0 && random.Below(3) > 0;
      column.cells.push_back(copies ? table.rows.columns[j - 1].cells[i] : static_cast<Code>(random.Below(3)));
    }
    table.rows.columns.push_back(std::move(column));
  }
  return table;
}

TEST(FitStop, EndsTheFitAfterTheStepThatAsked) {
  const NamedTable table = MakeTable(500, 6);
  FitOptions layers;
  layers.layers = "1000";
  FitOptions members;
  members.members = 1000;
  for (const FitOptions& options : {layers, members}) {
    std::stop_source stop;
    int steps = 0;
    const auto listener = [&](const FitProgress&) {
      ++steps;
      return stop.request_stop();
    };
    try {
      Fit({table}, options, listener, stop.get_token());
      ADD_FAILURE() << "the fit went on";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInterrupted);
    }
    EXPECT_EQ(steps, 1);
  }
}

TEST(ModelBytes, AreThoseOfItsFile) {
  const NamedTable table = MakeTable(60, 3);
  const Model model = Fit({table}, {}).model;
  const TestDirectory directory;
  const std::string path = directory / "m.dtf";
  model.Save(path);
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  EXPECT_EQ(model.Serialize(), bytes);
  const Model again = Model::Deserialize(std::as_bytes(std::span(bytes)), "bytes");
  EXPECT_EQ(again.Score(table.headers, table.rows), model.Score(table.headers, table.rows));
}

// What an option says by default it may say aloud, in any spelling.
TEST(ModelBytes, AreTheSameWhenADefaultIsGiven) {
  NamedTable table = MakeTable(60, 3);
  for (TextColumn& column : table.rows.columns) column.dictionary = {"1", "2.5", "30"};
  const auto same = [&](const std::function<void(FitOptions&)>& plain, const std::function<void(FitOptions&)>& given) {
    FitOptions short_options;
    plain(short_options);
    FitOptions long_options = short_options;
    given(long_options);
    return Fit({table}, short_options).model.Serialize() == Fit({table}, long_options).model.Serialize();
  };
  const auto tsp = [](FitOptions& o) { o.model = "tsp"; };
  EXPECT_TRUE(same(tsp, [](FitOptions& o) {
    o.split_values = 1;
    o.valid_fraction = 0.1;
    o.criterion = "glp-aligned";
    o.layers = "auto";
    o.max_depth = 6;
    o.min_split = 20;
    o.features_per_node = 0;
    o.base = "independent";
    o.alpha = 0.01;
  }));
  EXPECT_FALSE(same(tsp, [](FitOptions& o) { o.valid_fraction = 0.2; }));
  EXPECT_TRUE(same([](FitOptions& o) { o.layers = "3"; },
                   [](FitOptions& o) {
                     o.layers = "03";
                     o.valid_fraction = 0;
                   }));
  EXPECT_TRUE(same(
      [](FitOptions& o) {
        o.bins = {"c0=2", "c1=3:width"};
      },
      [](FitOptions& o) {
        o.bins = {"c0=02:quantile", "c1=3:width"};
      }));
  EXPECT_TRUE(same([](FitOptions& o) { o.members = 2; },
                   [](FitOptions& o) {
                     o.model = "autoregressive";
                     o.conditioner = "auto";
                     o.base = "conditional";
                     o.alpha = 0.5;
                     o.valid_fraction = 0.1;
                   }));
  EXPECT_TRUE(same([](FitOptions& o) { o.model = "autoregressive", o.base = "independent"; },
                   [](FitOptions& o) { o.members = 1; }));
}

TEST(RowWeights, ThatWouldBeLostAreRefusedAndThoseThatRoundAreWarnedOf) {
  const NamedTable table = MakeTable(80, 3);
  std::vector<double> weights(80, 1);
  FitOptions options;
  options.layers = "1";
  const auto fit = [&](double third) {
    weights[2] = third;
    return Fit({.train = table, .row_weights = weights}, options);
  };
  EXPECT_TRUE(fit(0).warnings.empty());
  EXPECT_TRUE(fit(0.001).warnings.empty());
  EXPECT_EQ(fit(0x1p-17).model.fit_record().rows, 79 + 0x1p-16);
  ASSERT_EQ(fit(1e-5).warnings.size(), 1u);
  EXPECT_NE(fit(1e-5).warnings[0].find("record 3: the weight 1e-05 counts as"), std::string::npos);
  try {
    fit(1e-9);
    ADD_FAILURE() << "a weight was lost";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_NE(std::string(error.what()).find("record 3: 1e-09 is too small a weight"), std::string::npos);
  }
}

TEST(RowWeights, ThatSumToNextToNothingAreWarnedOf) {
  const NamedTable table = MakeTable(80, 3);
  FitOptions options;
  options.layers = "1";
  const auto warnings = [&](const std::vector<double>& weights) {
    return Fit({.train = table, .row_weights = weights}, options).warnings;
  };
  ASSERT_EQ(warnings(std::vector<double>(80, 0x1p-6)).size(), 1u);
  EXPECT_NE(warnings(std::vector<double>(80, 0x1p-6))[0].find("of 80 rows sum to 1.25"), std::string::npos);
  std::vector<double> of_few(80, 0.0);
  of_few[0] = of_few[1] = 1;  // all that the others say is that they are not there
  EXPECT_TRUE(warnings(of_few).empty());
}

TEST(MissingMarkers, AreKnownToTheModel) {
  const NamedTable train = MakeTable(80, 3);
  NamedTable read = train;  // by a reader that knew them
  for (Code& cell : read.rows.columns[1].cells) cell = cell == 2 ? kMissingCell : cell;
  const std::vector<MissingMarker> markers = {{"c1", "z"}, {{}, "?"}, {"weights", "0"}};
  const Model of_texts = Fit({.train = train, .missing = markers}, {}).model;
  const Model model = Fit({.train = read, .missing = markers}, {}).model;
  EXPECT_EQ(of_texts.Serialize(), model.Serialize());
  EXPECT_EQ(model.schema().columns[1].categories, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(model.schema().columns[1].missing_texts, (std::vector<std::string>{"?", "z"}));
  EXPECT_EQ(model.schema().columns[0].missing_texts, (std::vector<std::string>{"?"}));
  const std::string bytes = model.Serialize();
  const Model again = Model::Deserialize(std::as_bytes(std::span(bytes)), "bytes");
  EXPECT_EQ(again.Score(train.headers, train.rows), model.Score(read.headers, read.rows));
  EXPECT_EQ(again.Encode(train.headers, train.rows), model.Encode(read.headers, read.rows));
}

TEST(RowWeights, AreAsAColumnOfThem) {
  const NamedTable table = MakeTable(80, 3);
  std::vector<double> weights;
  NamedTable weighted = table;
  weighted.headers.push_back({.name = "w"});
  weighted.rows.columns.push_back({.dictionary = {"0", "1", "2.5"}, .cells = {}});
  for (std::size_t i = 0; i < table.rows.rows; ++i) {
    weighted.rows.columns.back().cells.push_back(static_cast<Code>(i % 3));
    weights.push_back(std::stod(weighted.rows.columns.back().dictionary[i % 3]));
  }
  FitOptions options;
  options.model = "tsp";
  const Model by_rows = Fit({.train = table, .row_weights = weights}, options).model;
  options.weights = "w";
  const Model by_column = Fit({weighted}, options).model;
  EXPECT_EQ(by_rows.Score(table.headers, table.rows), by_column.Score(table.headers, table.rows));
  EXPECT_THROW(Fit({.train = table, .row_weights = weights}, options), Error);
}

// 0.6 and the sum of 0.3, 0.2 and 0.1 are alike only in the steps in which weights are kept: where a bin is cut must
// not be up to the order in which they are added.
TEST(RowWeights, CutBinsAlikeInAnyOrderOfTheRows) {
  FitOptions options;
  options.model = "tsp";
  options.bins = {"c=2"};
  const auto fit = [&](const std::vector<Code>& cells, const std::vector<double>& weights) {
    NamedTable table{.headers = {{.name = "c"}}, .rows = {}};
    table.rows.rows = cells.size();
    table.rows.columns = {{.dictionary = {"1", "2"}, .cells = cells}};
    return Fit({.train = table, .row_weights = weights}, options).model.Serialize();
  };
  EXPECT_EQ(fit({0, 1, 1, 1}, {0.6, 0.3, 0.2, 0.1}), fit({1, 1, 1, 0}, {0.1, 0.2, 0.3, 0.6}));
}

}  // namespace
}  // namespace dtf
