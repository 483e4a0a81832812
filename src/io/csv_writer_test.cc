#include "io/csv_writer.h"

#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "io/csv_reader.h"
#include "io/io_test_util.h"

namespace dtf {
namespace {

class StringSink : public ByteSink {
 public:
  explicit StringSink(std::string* text) : text_(text) {}
  void Write(std::string_view bytes) override { *text_ += bytes; }
  void Finish() override { *text_ += "<end>"; }

 private:
  std::string* text_;
};

using Rows = std::vector<Cells>;

std::string Format(const std::vector<std::string>& names, const Rows& rows, char delimiter = ',', bool header = true) {
  std::string text;
  std::vector<ColumnHeader> headers;
  for (const std::string& name : names) headers.push_back({.name = name});
  CsvWriter writer(std::make_unique<StringSink>(&text), delimiter, header, headers);
  Batch batch = MakeBatch(rows);
  batch.columns.resize(names.size());
  writer.Write(batch);
  writer.Finish();
  EXPECT_TRUE(text.ends_with("<end>"));
  return text.substr(0, text.size() - 5);
}

TEST(CsvWriter, QuotesWhereNeededAndTheEmptyTextAlways) {
  const Rows rows = {{"x", ""}, {kMissing, " y "}, {"a,b", "q\"q"}, {"l\nf", "c\rr"}, {"\t;'", kMissing}};
  EXPECT_EQ(Format({"n", "m,"}, rows), "n,\"m,\"\nx,\"\"\n, y \n\"a,b\",\"q\"\"q\"\n\"l\nf\",\"c\rr\"\n\t;',\n");
  EXPECT_EQ(Format({"n", "m"}, {{"a,b", "t\tt"}}, '\t'), "n\tm\na,b\t\"t\tt\"\n");
  EXPECT_EQ(Format({"n", "m"}, {{"a", "b"}}, ',', false), "a,b\n");
  EXPECT_EQ(Format({"", "m"}, {}), "\"\",m\n");
}

TEST(CsvWriter, AMissingCellOfOneColumnIsABlankLine) {
  EXPECT_EQ(Format({"n"}, {{"x"}, {kMissing}, {""}, {kMissing}}), "n\nx\n\n\"\"\n\n");
}

TEST(CsvWriter, FollowsDictionariesThatGrowAndThatStartAnew) {
  std::string text;
  CsvWriter writer(std::make_unique<StringSink>(&text), ',', false, {{.name = "a"}});
  Batch batch = MakeBatch({{"x"}, {kMissing}});
  writer.Write(batch);
  batch.columns[0].dictionary.push_back("a text that is longer than the others");
  batch.columns[0].cells = {1, 0};
  writer.Write(batch);
  batch = MakeBatch({{"new"}, {"x"}});
  batch.epoch = 1;
  writer.Write(batch);
  EXPECT_EQ(text, "x\n\na text that is longer than the others\nx\nnew\nx\n");
}

TEST(CsvWriter, WritesCellsLargerThanItsBuffer) {
  const std::string large(3 << 20, 'x');
  EXPECT_EQ(Format({large, "b"}, {{"s", large}, {large, "s"}}), large + ",b\ns," + large + "\n" + large + ",s\n");
}

TEST(CsvWriter, WritesWhatReadsBackToTheSameCells) {
  std::mt19937 random(11);
  const std::vector<std::string> pieces = {"\"", ",", "\n", "\r", "\r\n", " ", "x", "\t", "\xEF\xBB\xBF", "NA", ""};
  for (int round = 0; round < 300; ++round) {
    const auto text = [&] {
      std::string text_of_pieces;
      for (std::size_t i = random() % 5; i > 0; --i) text_of_pieces += pieces[random() % pieces.size()];
      return text_of_pieces;
    };
    const std::size_t width = 1 + random() % 3;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < width; ++i) names.push_back(text() + std::to_string(i));
    if (random() % 2 == 0) names[0] = "";
    Rows rows(1 + random() % 6, Cells(width));
    for (Cells& row : rows) {
      for (auto& cell : row) cell = random() % 4 == 0 ? kMissing : std::optional(text());
    }
    const bool header = random() % 2 == 0;
    const char delimiter = random() % 2 == 0 ? ',' : '\t';
    const std::string written = Format(names, rows, delimiter, header);
    CsvReader reader(std::make_unique<TextSource>(written), delimiter, header ? ReadOptions() : NoHeader());
    EXPECT_EQ(RowsOf(ReadAll(reader)), rows) << written;
    if (header) {
      EXPECT_EQ(NamesOf(reader), names) << written;
    }
  }
}

}  // namespace
}  // namespace dtf
