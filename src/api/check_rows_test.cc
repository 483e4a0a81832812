// Rows of a wrong shape are refused by every public function that takes some.
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dtf/error.h"
#include "dtf/fit.h"
#include "dtf/model.h"

namespace dtf {
namespace {

NamedTable MakeTable() {
  NamedTable table{.headers = {{.name = "a"}, {.name = "b"}}, .rows = {}};
  table.rows.source = "the table";
  table.rows.rows = 4;
  table.rows.columns = {{.dictionary = {"x", "y"}, .cells = {0, 1, 0, 1}},
                        {.dictionary = {"z"}, .cells = {0, 0, 0, 0}}};
  return table;
}

Model FitModel() {
  FitOptions options;
  options.model = "tsp";
  return Fit({.train = MakeTable()}, options).model;
}

void ExpectRefused(const std::function<void()>& call, const std::string& words) {
  try {
    call();
    ADD_FAILURE() << "not refused: " << words;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST(CheckRows, RefusesBatchesOfAWrongShape) {
  const Model model = FitModel();
  const auto expect_refused = [&](const std::function<void(NamedTable&)>& harm, const std::string& words) {
    NamedTable table = MakeTable();
    harm(table);
    const auto& headers = table.headers;
    const Batch& rows = table.rows;
    ExpectRefused([&] { Fit({.train = table}, {}); }, words);
    ExpectRefused([&] { Fit({.train = MakeTable(), .valid = &table}, {}); }, words);
    ExpectRefused([&] { Crossval(table, {}, {.folds = 2}); }, words);
    ExpectRefused([&] { model.Score(headers, rows); }, words);
    ExpectRefused([&] { model.ScorePerColumn(headers, rows); }, words);
    ExpectRefused([&] { model.CountValues(headers, rows); }, words);
    ExpectRefused([&] { model.Encode(headers, rows); }, words);
  };
  expect_refused([](NamedTable& table) { table.rows.columns.pop_back(); }, "1 columns, but there are 2 headers");
  expect_refused([](NamedTable& table) { table.rows.columns[1].cells.pop_back(); },
                 "`b` of a batch of 4 rows has 3 cells");
  expect_refused([](NamedTable& table) { table.rows.columns[0].cells[2] = 2; },
                 "record 3: column `a` of a batch has entry 2");
  expect_refused([](NamedTable& table) { table.rows.lines = {2, 3}; }, "the lines of 2");
}

TEST(CheckRows, RefusesWeightsOfOtherRows) {
  const NamedTable table = MakeTable();
  const std::vector<double> weights = {1, 1, 1};
  ExpectRefused([&] { Fit({.train = table, .row_weights = weights}, {}); }, "has 4 rows, but there are 3 weights");
  ExpectRefused([&] { FitModel().Score(table.headers, table.rows, 0, weights); }, "4 rows, but there are 3 weights");
}

TEST(CheckRows, RefusesWhatIsNoLatent) {
  const Model model = FitModel();
  EXPECT_EQ(model.Decode({{0, 1}, {0, 0}}).rows, 2u);
  ExpectRefused([&] { model.Decode({}); }, "have 0 columns, but the model has 2");
  ExpectRefused([&] { model.Decode({{0}, {0}, {0}}); }, "have 3 columns, but the model has 2");
  ExpectRefused([&] { model.Decode({{0, 1}, {0}}); }, "`b` has 1 rows, but the first one has 2");
  ExpectRefused([&] { model.Decode({{0, 1}, {0, 1}}); }, "`b`, row 2: 1 is no latent code");
}

}  // namespace
}  // namespace dtf
