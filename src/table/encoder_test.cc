#include "table/encoder.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dtf/error.h"
#include "table/schema_builder.h"

namespace dtf {
namespace {

using Cells = std::vector<std::optional<std::string>>;

TextColumn Column(const Cells& cells) {
  TextColumn column;
  for (const auto& cell : cells) {
    if (!cell) {
      column.cells.push_back(kMissingCell);
      continue;
    }
    Code entry = 0;
    while (entry < column.dictionary.size() && column.dictionary[entry] != *cell) ++entry;
    if (entry == column.dictionary.size()) column.dictionary.push_back(*cell);
    column.cells.push_back(entry);
  }
  return column;
}

NamedTable Table(const std::vector<std::string>& names, const std::vector<Cells>& columns) {
  NamedTable table;
  table.rows.source = "t.csv";
  for (const auto& name : names) table.headers.push_back({name});
  for (const auto& cells : columns) table.rows.columns.push_back(Column(cells));
  table.rows.rows = columns[0].size();
  return table;
}

Schema SchemaOf(const NamedTable& table, const SchemaOptions& options = {}) {
  std::vector<std::string> warnings;
  const NamedTable* const tables[] = {&table};
  return BuildSchema(tables, {}, options, warnings);
}

std::vector<Code> Codes(const CodeColumn& column) {
  std::vector<Code> codes;
  for (std::size_t i = 0; i < column.size(); ++i) codes.push_back(column.At(i));
  return codes;
}

std::string MessageOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Schema, OrdersCategoriesByValueOrBytesWithMissingLast) {
  const Schema schema = SchemaOf(Table({"n", "t"}, {{"10", "9", std::nullopt}, {"nan", "", "NA"}}));
  EXPECT_EQ(schema.columns[0].categories, (std::vector<std::string>{"9", "10"}));
  EXPECT_TRUE(schema.columns[0].has_missing);
  EXPECT_EQ(schema.columns[0].size(), 3u);
  EXPECT_EQ(schema.columns[1].categories, (std::vector<std::string>{"", "NA", "nan"}));
  EXPECT_FALSE(schema.columns[1].has_missing);
}

TEST(Schema, HoldsTheCategoriesOfTheDomainTableToo) {
  const NamedTable train = Table({"a", "b"}, {{"x"}, {"1"}});
  const NamedTable domain = Table({"b", "a"}, {{"2", std::nullopt}, {"w", "w"}});
  std::vector<std::string> warnings;
  const NamedTable* const tables[] = {&train, &domain};
  const Schema schema = BuildSchema(tables, {}, {}, warnings);
  EXPECT_EQ(schema.columns[0].categories, (std::vector<std::string>{"w", "x"}));
  EXPECT_EQ(schema.columns[1].categories, (std::vector<std::string>{"1", "2"}));
  EXPECT_TRUE(schema.columns[1].has_missing);
}

TEST(Encoder, TakesTextsThatMeanMissingForMissingCells) {
  const SchemaOptions options{.bins = {{.column = "n", .bins = 2}}, .missing = {{{}, "?"}, {"n", "-1"}, {"w", "z"}}};
  const NamedTable marked =
      Table({"n", "t", "u"}, {{"1", "2", "3", "-1", "?"}, {"a", "?", "a", "-1", "b"}, Cells(5, "v")});
  const NamedTable plain = Table({"n", "t", "u"}, {{"1", "2", "3", {}, {}}, {"a", {}, "a", "-1", "b"}, Cells(5, "v")});
  const Schema schema = SchemaOf(marked, options);
  EXPECT_EQ(schema.columns[1].categories, (std::vector<std::string>{"-1", "a", "b"}));
  EXPECT_EQ(schema.columns[0].missing_texts, (std::vector<std::string>{"-1", "?"}));
  EXPECT_TRUE(schema.columns[0].has_missing && schema.columns[1].has_missing);
  EXPECT_FALSE(schema.columns[2].has_missing);
  const CodeTable codes =
      Encoder(CategoryIndex(schema), marked.headers, "t.csv").Encode(marked.rows, Encoder::Unseen::kError);
  const CodeTable same =
      Encoder(CategoryIndex(schema), plain.headers, "t.csv").Encode(plain.rows, Encoder::Unseen::kError);
  for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(Codes(codes.columns[j]), Codes(same.columns[j]));
  const NamedTable unseen = Table({"n", "t", "u"}, {{"1"}, {"a"}, {"?"}});
  EXPECT_EQ(Codes(Encoder(CategoryIndex(schema), unseen.headers, "t.csv")
                      .Encode(unseen.rows, Encoder::Unseen::kSlot)
                      .columns[2]),
            (std::vector<Code>{schema.columns[2].size()}));
}

TEST(Schema, RefusesOrWarnsOfColumnsThatLookLikeIds) {
  const auto table = [](int rows, int values) {
    Cells cells;
    for (int i = 0; i < rows; ++i) cells.push_back("id" + std::to_string(i % values));
    return Table({"id"}, {cells});
  };
  EXPECT_NE(MessageOf([&] { SchemaOf(table(1500, 1500)); }).find("--allow-unique"), std::string::npos);
  EXPECT_EQ(SchemaOf(table(1500, 1500), {.allow_unique = true}).columns[0].size(), 1500u);
  EXPECT_EQ(SchemaOf(table(5001, 2501)).columns[0].size(), 2501u);  // half, rounded up, is not more than half
  std::vector<std::string> warnings;
  const NamedTable few = table(150, 150);
  const NamedTable* const tables[] = {&few};
  BuildSchema(tables, {}, {}, warnings);
  EXPECT_EQ(warnings.size(), 1u);
}

TEST(Schema, TakesWholeWeightsForRepeatedRowsWhereColumnsLookLikeIds) {
  Cells cells;
  for (int i = 0; i < 1500; ++i) cells.push_back("id" + std::to_string(i));
  const NamedTable table = Table({"id"}, {cells});
  const NamedTable* const tables[] = {&table};
  std::vector<std::string> warnings;
  EXPECT_EQ(BuildSchema(tables, std::vector<double>(1500, 2), {}, warnings).columns[0].size(), 1500u);
  for (const double weight : {1.0, 2.5}) {
    std::vector<double> weights(1500, weight);
    std::fill_n(weights.begin(), 450, 0);
    const auto build = [&] { BuildSchema(tables, weights, {}, warnings); };
    EXPECT_NE(MessageOf(build).find("1050 different values in 1050 rows"), std::string::npos);
  }
}

TEST(Schema, NamesWhatIsWrongWithABinnedColumn) {
  const NamedTable table = Table({"age"}, {{"31", "n/a", "40"}});
  const std::string message = MessageOf([&] { SchemaOf(table, {.bins = {{"age", 2, false}}}); });
  for (const char* part : {"t.csv", "record 2", "`age`", "`n/a`", "--missing"}) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }
}

TEST(MatchColumns, GoesByNameAndNamesTheFault) {
  const std::vector<ColumnHeader> headers = {{"b"}, {"a"}, {"w"}};
  EXPECT_EQ(MatchColumns({"a", "b"}, headers, "t", "w"), (std::vector<std::size_t>{1, 0}));
  EXPECT_NE(MessageOf([&] { MatchColumns({"a", "b"}, headers, "t"); }).find("`w`"), std::string::npos);
  EXPECT_NE(MessageOf([&] { MatchColumns({"a", "b", "c"}, headers, "t", "w"); }).find("`c`"), std::string::npos);
  EXPECT_NE(MessageOf([&] { MatchColumns({"a"}, {{"a"}, {"a"}}, "t"); }).find("twice"), std::string::npos);
}

TEST(Encoder, MatchesValuesByTextWhateverTheDictionary) {
  const NamedTable train = Table({"a", "b"}, {{"x", "y", std::nullopt}, {"1", "2", "1"}});
  const Schema schema = SchemaOf(train);
  const NamedTable other = Table({"b", "a"}, {{"2", "7", std::nullopt, "1"}, {"y", std::nullopt, "z", "x"}});
  const CategoryIndex index(schema);
  const Encoder encoder(index, other.headers, other.rows.source);
  const CodeTable codes = encoder.Encode(other.rows, Encoder::Unseen::kSlot);
  EXPECT_EQ(Codes(codes.columns[0]), (std::vector<Code>{1, 2, 3, 0}));  // missing is 2, the unseen slot 3
  EXPECT_EQ(Codes(codes.columns[1]), (std::vector<Code>{1, 2, 2, 0}));  // never missing: 2 is the unseen slot
}

TEST(Encoder, TakesBatchesWithDictionariesOfTheirOwn) {
  const Schema schema = SchemaOf(Table({"a"}, {{"x", "y", "z"}}));
  NamedTable stream = Table({"a"}, {{"z"}});
  const CategoryIndex index(schema);
  const Encoder encoder(index, stream.headers, "stream");
  EXPECT_EQ(Codes(encoder.Encode(stream.rows, Encoder::Unseen::kError).columns[0]), (std::vector<Code>{2}));
  stream.rows.columns[0].dictionary = {"z", "x"};
  stream.rows.columns[0].cells = {1};
  EXPECT_EQ(Codes(encoder.Encode(stream.rows, Encoder::Unseen::kError).columns[0]), (std::vector<Code>{0}));
  stream.rows.columns[0].dictionary = {"y"};
  stream.rows.columns[0].cells = {0};
  stream.rows.epoch = 1;
  EXPECT_EQ(Codes(encoder.Encode(stream.rows, Encoder::Unseen::kError).columns[0]), (std::vector<Code>{1}));
}

TEST(Encoder, CountsKnownAndUnknownValues) {
  SchemaOptions options;
  options.bins = {{"size", 2, false}};
  const Schema schema = SchemaOf(
      Table({"size", "tree", "tall"}, {{"1", "2", "3"}, {"oak", "fir", "oak"}, {"yes", std::nullopt, "no"}}), options);
  const CategoryIndex index(schema);
  // Missing is a category of `tall` only.
  const NamedTable table =
      Table({"tall", "size", "tree"},
            {{"Yes", std::nullopt, "no", "No"}, {"x", "7", "8", "9"}, {"Oak", std::nullopt, std::nullopt, "fir"}});
  const auto counts = Encoder(index, table.headers, table.rows.source).CountValues(table.rows);
  ASSERT_EQ(counts.size(), 3u);
  const std::size_t known[] = {3, 1, 1};
  const std::size_t unknown[] = {1, 3, 2};
  for (std::size_t j = 0; j < counts.size(); ++j) {
    EXPECT_EQ(counts[j].known, known[j]) << j;
    EXPECT_EQ(counts[j].unknown, unknown[j]) << j;
  }
}

TEST(Encoder, DescribesColumnsOfWhichNoValueIsKnown) {
  const Schema schema = SchemaOf(Table({"tree", "size"}, {{"oak"}, {"1"}}));
  const auto lines = [&](ValueCounts tree, ValueCounts size) {
    return DescribeUnknownColumns(schema, std::vector<ValueCounts>{tree, size}, "t.csv");
  };
  const auto one = lines({.known = 0, .unknown = 10}, {.known = 1, .unknown = 99});
  ASSERT_EQ(one.size(), 1u);
  EXPECT_NE(one[0].find("t.csv, column `tree`"), std::string::npos) << one[0];
  EXPECT_TRUE(lines({.known = 0, .unknown = 9}, {}).empty());
}

TEST(Encoder, NamesRowColumnAndValueOfWhatIsUnseen) {
  const Schema schema = SchemaOf(Table({"tree"}, {{"oak", "fir"}}));
  const NamedTable other = Table({"tree"}, {{"oak", "fig"}});
  const CategoryIndex index(schema);
  const Encoder encoder(index, other.headers, other.rows.source);
  const std::string message = MessageOf([&] { encoder.Encode(other.rows, Encoder::Unseen::kError); });
  for (const char* part : {"t.csv", "record 2", "`tree`", "`fig`"}) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }
}

TEST(Encoder, LetsAnythingStandInRowsOfWeightZero) {
  SchemaOptions options;
  options.bins = {{"size", 2, false}};
  const Schema schema = SchemaOf(Table({"size", "tree"}, {{"1", "2", "3"}, {"oak", "fir", "oak"}}), options);
  const NamedTable other = Table({"size", "tree"}, {{"1", "tall", "3"}, {"oak", "oak", "fig"}});
  const CategoryIndex index(schema);
  const Encoder encoder(index, other.headers, other.rows.source);
  const CodeTable codes = encoder.Encode(other.rows, Encoder::Unseen::kError, std::vector<double>{1, 0, 0});
  EXPECT_EQ(Codes(codes.columns[0])[1], schema.columns[0].size());
  EXPECT_EQ(Codes(codes.columns[1])[2], schema.columns[1].size());
  const auto encode = [&](const std::vector<double>& weights) {
    return MessageOf([&] { encoder.Encode(other.rows, Encoder::Unseen::kError, weights); });
  };
  EXPECT_NE(encode({0, 2, 0}).find("`tall`"), std::string::npos);
  EXPECT_NE(encode({0, 0, 1}).find("`fig`"), std::string::npos);
}

TEST(DecodeTable, GivesBackTheTexts) {
  const NamedTable train = Table({"a"}, {{"", "x", std::nullopt}});
  const Schema schema = SchemaOf(train);
  const CategoryIndex index(schema);
  const Encoder encoder(index, train.headers, train.rows.source);
  const Batch back = DecodeTable(schema, encoder.Encode(train.rows, Encoder::Unseen::kError));
  for (std::size_t i = 0; i < 3; ++i) {
    const Code before = train.rows.columns[0].cells[i];
    const Code after = back.columns[0].cells[i];
    ASSERT_EQ(before == kMissingCell, after == kMissingCell);
    if (after != kMissingCell) {
      EXPECT_EQ(back.columns[0].dictionary[after], train.rows.columns[0].dictionary[before]);
    }
  }
}

}  // namespace
}  // namespace dtf
