#include "io/csv_reader.h"

#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "io/choose_columns.h"
#include "io/io_test_util.h"

namespace dtf {
namespace {

struct Parsed {
  std::vector<std::string> names;
  std::vector<Cells> rows;
  std::vector<std::uint64_t> lines;
};

Parsed Parse(const std::string& text, const ReadOptions& options = {}, char delimiter = ',', std::size_t buffer = 4096,
             std::size_t piece = 4096) {
  CsvReader reader(std::make_unique<TextSource>(text, piece), delimiter, options, buffer);
  const Batch batch = ReadAll(reader);
  return {NamesOf(reader), RowsOf(batch), batch.lines};
}

std::string Refusal(const std::string& text, const ReadOptions& options = {}) {
  return MessageOf([&] { Parse(text, options); });
}

using Rows = std::vector<Cells>;
using Lines = std::vector<std::uint64_t>;
using Strings = std::vector<std::string>;

const ReadOptions kNoHeader = NoHeader();

TEST(CsvReader, KeepsBlanksAndTellsEmptyFromMissing) {
  const Parsed parsed = Parse("a, b \n x , \n\"\",\n,\"\"\n\" q \",NA\n");
  EXPECT_EQ(parsed.rows, (Rows{{" x ", " "}, {"", kMissing}, {kMissing, ""}, {" q ", "NA"}}));
  EXPECT_EQ(parsed.names, (Strings{"a", " b "}));
  EXPECT_EQ(parsed.lines, (Lines{2, 3, 4, 5}));
}

TEST(CsvReader, KeepsLineBreaksInsideQuotesByteForByte) {
  const Parsed parsed = Parse("a,b\r\n\"1\n2\",x\r\n\"1\r\n2\",\"\r\"\r\n\"\n\n\",y\r\n");
  EXPECT_EQ(parsed.rows, (Rows{{"1\n2", "x"}, {"1\r\n2", "\r"}, {"\n\n", "y"}}));
  EXPECT_EQ(parsed.lines, (Lines{2, 4, 7}));
}

TEST(CsvReader, TakesDoubledQuotesAndDelimitersInQuotes) {
  const Parsed parsed = Parse("\"a \"\"b\"\"\",c\n\"x,\"\"\",\"\"\"\"\n");
  EXPECT_EQ(parsed.names, (Strings{"a \"b\"", "c"}));
  EXPECT_EQ(parsed.rows, (Rows{{"x,\"", "\""}}));
}

TEST(CsvReader, EndsLinesAtLfCrlfAndCr) {
  const Rows rows = {{"1", "2"}, {"3", "4"}};
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    for (const std::string& last : {std::string(), end}) {
      const Parsed parsed = Parse("a,b" + end + "1,2" + end + "\"3\",4" + last);
      EXPECT_EQ(parsed.rows, rows);
      EXPECT_EQ(parsed.lines, (Lines{2, 3}));
    }
  }
}

// The whole text must come out the same wherever a read or the buffer ends.
TEST(CsvReader, DoesNotDependOnBufferBorders) {
  const std::string text =
      "\xEF\xBB\xBF\"na\r\nme\",b\r\n\"1\r\n2\",\"\"\"x\"\r\n,\"\"\r\n\r\n\"\r\",\"\n\"\r\n\xC3\xA9t\xC3\xA9,z\r\n";
  const Parsed whole = Parse(text);
  EXPECT_EQ(whole.names, (Strings{"na\r\nme", "b"}));
  EXPECT_EQ(whole.rows, (Rows{{"1\r\n2", "\"x"}, {kMissing, ""}, {"\r", "\n"}, {"été", "z"}}));
  EXPECT_EQ(whole.lines, (Lines{3, 5, 7, 10}));
  for (std::size_t buffer = 1; buffer < text.size() + 2; ++buffer) {
    for (const std::size_t piece : {std::size_t{1}, std::size_t{2}, std::size_t{3}, text.size()}) {
      const Parsed parsed = Parse(text, {}, ',', buffer, piece);
      EXPECT_EQ(parsed.rows, whole.rows) << buffer << " " << piece;
      EXPECT_EQ(parsed.lines, whole.lines) << buffer << " " << piece;
    }
  }
}

TEST(CsvReader, KeepsACrlfInQuotesAtTheBordersOfItsOwnBuffer) {
  for (const std::size_t border : {LineReader::kBufferBytes, 2 * LineReader::kBufferBytes}) {
    for (int shift = -2; shift <= 2; ++shift) {
      const std::string head = "fill,b\n";
      const std::string fill(border - head.size() - 4 + static_cast<std::size_t>(shift + 2), 'k');
      const std::string text = head + fill + ",\"u\r\nl\"\r\nx,\"u\r\nl\"\n";
      const Parsed parsed = Parse(text, {}, ',', LineReader::kBufferBytes, LineReader::kBufferBytes);
      EXPECT_EQ(parsed.rows, (Rows{{fill, "u\r\nl"}, {"x", "u\r\nl"}})) << shift;
    }
  }
}

TEST(CsvReader, SkipsAByteOrderMarkOnlyAtTheStart) {
  EXPECT_EQ(Parse("\xEF\xBB\xBFsize,k\n1,2\n").names, (Strings{"size", "k"}));
  EXPECT_EQ(Parse("\xEF\xBB\xBF\"size, cm\",k\n1,2\n").names, (Strings{"size, cm", "k"}));
  EXPECT_EQ(Parse("a\n\xEF\xBB\xBFx\n").rows, (Rows{{"\xEF\xBB\xBFx"}}));
}

TEST(CsvReader, SkipsBlankLinesButNotInOneColumn) {
  EXPECT_EQ(Parse("\n\na,b\n\n1,2\n\r\n\n3,4\n\n").lines, (Lines{5, 8}));
  EXPECT_EQ(Parse("a\nx\n\n").rows, (Rows{{"x"}, {kMissing}}));
  EXPECT_EQ(Parse("a\n\nx").rows, (Rows{{kMissing}, {"x"}}));
  EXPECT_EQ(Parse("a\r\n\r\nx\r\n\"\"\r\n").rows, (Rows{{kMissing}, {"x"}, {""}}));
}

TEST(CsvReader, NamesColumnsOfATableWithoutHeader) {
  const Parsed parsed = Parse("x,\n\"\",y\n", kNoHeader);
  EXPECT_EQ(parsed.names, (Strings{"c1", "c2"}));
  EXPECT_EQ(parsed.rows, (Rows{{"x", kMissing}, {"", "y"}}));
  EXPECT_EQ(parsed.lines, (Lines{1, 2}));
  EXPECT_EQ(Parse("\n\nx\n\n", kNoHeader).rows, (Rows{{kMissing}, {kMissing}, {"x"}, {kMissing}}));
  EXPECT_EQ(Parse("\n\nx\n\n", kNoHeader).lines, (Lines{1, 2, 3, 4}));
  EXPECT_EQ(Parse("\n\nx,y\n", kNoHeader).lines, (Lines{3}));
  EXPECT_EQ(Parse("\n\n", kNoHeader).rows, (Rows{{kMissing}, {kMissing}}));
}

TEST(CsvReader, TakesAHeaderWithoutRows) {
  for (const std::string text : {"a,b", "a,b\n", "a,b\r\n", "a,b\n\n"}) {
    const Parsed parsed = Parse(text);
    EXPECT_EQ(parsed.names, (Strings{"a", "b"}));
    EXPECT_TRUE(parsed.rows.empty());
  }
}

TEST(CsvReader, ComparesNamesByteByByte) {
  EXPECT_EQ(Parse("a,A, a,\n1,2,3,4\n").names, (Strings{"a", "A", " a", ""}));
  EXPECT_EQ(Refusal("p,q,p\n"), "t.csv, line 1: columns 1 and 3 are both called `p`; rename one of them");
  EXPECT_EQ(Refusal("\n,q,\"\"\n"), "t.csv, line 2: columns 1 and 3 have no name; give each its own");
}

TEST(CsvReader, RefusesRowsOfAnotherWidth) {
  EXPECT_EQ(Refusal("a,b,c\n1,2,3\n\"4\n5\",6\n"), "t.csv, line 3 (record 2): 2 fields, but the header has 3 columns");
  EXPECT_EQ(Refusal("a,b\n1\n"), "t.csv, line 2 (record 1): 1 field, but the header has 2 columns");
  EXPECT_EQ(Refusal("a,b\n1,2,3\n"),
            "t.csv, line 2 (record 1): 3 fields, but the header has 2 columns; a cell that holds the delimiter has to "
            "be in quotes");
  EXPECT_NE(Refusal("1,2\n3\n", kNoHeader).find("the first row has 2 columns"), std::string::npos);
}

TEST(CsvReader, NamesTheLineWhereAnUnclosedQuoteWasOpened) {
  EXPECT_EQ(Refusal("a,b\n1,2\n3,\"x\n4,5\n6,7\n"),
            "t.csv, line 3 (record 2): the quote that opens cell 2 is never closed");
  EXPECT_EQ(Refusal("a,b\n\"1\n2\",\"3\n"), "t.csv, line 3 (record 1): the quote that opens cell 2 is never closed");
  EXPECT_EQ(Refusal("a,\"b\n1,2"), "t.csv, line 1: the quote that opens cell 2 is never closed");
  EXPECT_EQ(Refusal("a,b\n1,\""), "t.csv, line 2 (record 1): the quote that opens cell 2 is never closed");
}

TEST(CsvReader, RefusesTextBesideQuotes) {
  EXPECT_EQ(Refusal("a,b\n1,\"x\"y\n"),
            "t.csv, line 2 (record 1), column `b`: text after the closing quote of a cell; a quote that belongs to the "
            "cell has to be doubled");
  EXPECT_NE(Refusal("a,b\n\"x\" ,1\n").find("column `a`: text after the closing quote"), std::string::npos);
  EXPECT_NE(Refusal("a,b\n1,\"x\n\ny\"z\n").find("line 4 (record 1), column `b`: text after"), std::string::npos);
  EXPECT_NE(Refusal("a,b\n1,\"x\n\ny\"z\n").find("(the cell starts on line 2)"), std::string::npos);
  EXPECT_NE(Refusal("a,b\n1,5\"\n").find("line 2 (record 1), column `b`: a quote inside a cell"), std::string::npos);
  EXPECT_NE(Refusal("a,b\n1, \"x\"\n").find("column `b`: a quote inside a cell"), std::string::npos);
  EXPECT_NE(Refusal("a,\"b\"c\n").find("line 1, cell 2: text after"), std::string::npos);
}

TEST(CsvReader, RefusesWhatIsNotUtf8) {
  EXPECT_EQ(Refusal("k,town\n\"1\n2\",ok\n3,ok\n4,caf\xE9\n"),
            "t.csv, line 5 (record 3), column `town`: byte 0xE9 is not UTF-8; convert the text first, for example by "
            "iconv -f latin1 -t utf8");
  EXPECT_NE(Refusal("a,\"b\xF1\"\n").find("line 1, name of column 2: byte 0xF1"), std::string::npos);
  EXPECT_NE(Refusal("\xFF\xFE"
                    "a\n")
                .find("UTF-16"),
            std::string::npos);
  // A column that is left out may hold what it likes.
  EXPECT_EQ(Parse("a,b\n\xE9,1\n", Choose({"a"}, {})).rows, (Rows{{"1"}}));
}

TEST(CsvReader, RefusesWhatIsNoTable) {
  EXPECT_EQ(Refusal(""), "t.csv is empty");
  EXPECT_EQ(Refusal("\xEF\xBB\xBF"), "t.csv is empty");
  EXPECT_EQ(Refusal("\n\r\n"), "t.csv has no header, only blank lines");
  EXPECT_NE(Refusal("PAR1\x15\x04").find("Parquet"), std::string::npos);
  EXPECT_NE(Refusal(std::string("ARROW1\0\0", 8)).find("Arrow"), std::string::npos);
  EXPECT_EQ(Parse("PAR1,ARROW1\n1,2\n").names, (Strings{"PAR1", "ARROW1"}));
}

TEST(CsvReader, RefusesTooManyColumns) {
  const std::string commas(CsvReader::kMaxColumns, ',');
  EXPECT_EQ(Refusal(commas + "\n", kNoHeader), "t.csv, line 1: more than 1000000 columns");
  ReadOptions options = NoHeader();
  options.keep = {"c1000000"};
  EXPECT_EQ(Parse(commas.substr(1), options).rows, (Rows{{kMissing}}));
}

TEST(CsvReader, MarksTextsAsMissing) {
  const std::string text = "a,b\nNA,NA\n\"NA\",?\nna, NA\n,\"\"\nsomewhat longer,x\n";
  EXPECT_EQ(Parse(text).rows[0], (Cells{"NA", "NA"}));
  const ReadOptions in_one = MarkMissing({{"a", "NA"}, {"a", "somewhat longer"}});
  EXPECT_EQ(Parse(text, in_one).rows,
            (Rows{{kMissing, "NA"}, {kMissing, "?"}, {"na", " NA"}, {kMissing, ""}, {kMissing, "x"}}));
  const ReadOptions in_all = MarkMissing({{kMissing, "NA"}, {kMissing, ""}, {"b", "?"}, {"b", "NA"}});
  EXPECT_EQ(
      Parse(text, in_all).rows,
      (Rows{
          {kMissing, kMissing}, {kMissing, kMissing}, {"na", " NA"}, {kMissing, kMissing}, {"somewhat longer", "x"}}));
}

TEST(ParseMarkers, FindsTheLongestNameThatFits) {
  const std::vector<std::string> columns = {"a", "a=b", "=", "c="};
  const auto parse = [&](const std::string& text) {
    const MissingMarker marker = ParseMarkers("t.csv", columns, {text})[0];
    return std::pair(marker.column.value_or("everywhere"), marker.text);
  };
  using Pair = std::pair<std::string, std::string>;
  EXPECT_EQ(parse("a=x"), Pair("a", "x"));
  EXPECT_EQ(parse("a="), Pair("a", ""));
  EXPECT_EQ(parse("a=b"), Pair("a", "b"));
  EXPECT_EQ(parse("a=b=x=y"), Pair("a=b", "x=y"));
  EXPECT_EQ(parse("==x"), Pair("=", "x"));
  EXPECT_EQ(parse("c==x"), Pair("c=", "x"));
  EXPECT_EQ(parse("=x=y"), Pair("everywhere", "x=y"));
  EXPECT_EQ(parse("a"), Pair("everywhere", "a"));
  EXPECT_EQ(parse(""), Pair("everywhere", ""));
  EXPECT_NE(MessageOf([&] { parse("c=x"); }, ErrorKind::kUsage).find("--missing c=x: t.csv has no column `c`"),
            std::string::npos);
}

TEST(CsvReader, ChoosesColumns) {
  const std::string text = "a,b,c\n1,2,3\n\"4\",5,6\n";
  EXPECT_EQ(Parse(text, Choose({"b"}, {})).rows, (Rows{{"1", "3"}, {"4", "6"}}));
  EXPECT_EQ(Parse(text, Choose({}, {"c", "a"})).names, (Strings{"a", "c"}));
  EXPECT_EQ(Parse(text, Choose({"a"}, {"c"})).names, (Strings{"c"}));
  EXPECT_NE(Refusal("a,b\n1,2,3\n", Choose({"b"}, {})).find("3 fields"), std::string::npos);
}

// The table may be well: it is the option that makes no sense for it.
TEST(CsvReader, BlamesAnOptionForAColumnThatIsNotThere) {
  const auto blame = [](const ReadOptions& options) {
    return MessageOf([&] { Parse("a,b,c\n1,2,3\n", options); }, ErrorKind::kUsage);
  };
  EXPECT_EQ(blame(Choose({"x"}, {})), "--drop: t.csv has no column `x`; its columns are `a`, `b`, `c`");
  EXPECT_EQ(blame(Choose({}, {"A"})), "--keep: t.csv has no column `A`; its columns are `a`, `b`, `c`");
  EXPECT_EQ(blame(MarkMissing({{"x", "NA"}})),
            "--missing x=NA: t.csv has no column `x`; its columns are `a`, `b`, `c`");
  EXPECT_NE(blame(Choose({"b"}, {"b"})).find("column `b` is to be kept and dropped"), std::string::npos);
  EXPECT_NE(blame(Choose({"a", "b", "c"}, {})).find("no column is left"), std::string::npos);
}

TEST(CsvReader, HandsOutRowsInPieces) {
  CsvReader reader(std::make_unique<TextSource>("a\nx\ny\nx\nz\ny\n"), ',', {});
  Batch batch;
  ASSERT_TRUE(reader.Next(batch, 2));
  EXPECT_EQ(RowsOf(batch), (Rows{{"x"}, {"y"}}));
  ASSERT_TRUE(reader.Next(batch, 2));
  EXPECT_EQ(RowsOf(batch), (Rows{{"x"}, {"z"}}));
  EXPECT_EQ(batch.first_record, 2u);
  EXPECT_EQ(batch.columns[0].dictionary, (Strings{"x", "y", "z"}));
  EXPECT_EQ(DescribeRow(batch, 1), "t.csv, line 5");
  const std::uint64_t epoch = batch.epoch;
  batch = Batch();  // nothing of the texts so far is in it
  ASSERT_TRUE(reader.Next(batch, 2));
  EXPECT_EQ(RowsOf(batch), (Rows{{"y"}}));
  EXPECT_NE(batch.epoch, epoch);
  EXPECT_FALSE(reader.Next(batch, 2));
  EXPECT_EQ(batch.rows, 0u);
  batch.lines.clear();
  batch.first_record = 2;
  EXPECT_EQ(DescribeRow(batch, 0), "t.csv, record 3");
}

// With quotes everywhere a line takes another way through the program than with quotes only where they are needed.
TEST(CsvReader, ReadsQuotedAndPlainCellsAlike) {
  std::mt19937 random(7);
  const Strings texts = {"a", "bb", "two words", "\xC3\xA9", "1.50", " lead", "x;y", "\t", "somewhat longer text"};
  for (int round = 0; round < 50; ++round) {
    const std::size_t width = 1 + random() % 5;
    std::string plain;
    std::string quoted;
    for (std::size_t row = 0; row < 20; ++row) {
      for (std::size_t i = 0; i < width; ++i) {
        const std::string& text = texts[random() % texts.size()];
        const std::string separator = i + 1 < width ? "," : "\n";
        plain += text + separator;
        quoted += (random() % 2 == 0 ? text : "\"" + text + "\"") + separator;
      }
    }
    EXPECT_EQ(Parse(plain, kNoHeader).rows, Parse(quoted, kNoHeader).rows) << quoted;
  }
}

}  // namespace
}  // namespace dtf
