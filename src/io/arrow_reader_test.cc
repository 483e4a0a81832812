#include "io/arrow_reader.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <arrow/ipc/writer.h>
#include <arrow/util/compression.h>
#include <gtest/gtest.h>
#include <parquet/arrow/writer.h>

#include "io/io_test_util.h"

namespace dtf {
namespace {

using Rows = std::vector<Cells>;
using ArrayPointer = std::shared_ptr<arrow::Array>;

template <typename Builder, typename Value>
ArrayPointer Array(std::unique_ptr<Builder> builder, const std::vector<std::optional<Value>>& values) {
  for (const auto& value : values) {
    EXPECT_TRUE((value ? builder->Append(*value) : builder->AppendNull()).ok());
  }
  return builder->Finish().ValueOrDie();
}

template <typename Builder>
ArrayPointer Texts(const std::vector<std::optional<std::string>>& texts) {
  return Array(std::make_unique<Builder>(), texts);
}

ArrayPointer Dictionary(const std::vector<std::optional<std::int32_t>>& codes,
                        const std::vector<std::optional<std::string>>& texts) {
  return arrow::DictionaryArray::FromArrays(Array(std::make_unique<arrow::Int32Builder>(), codes),
                                            Texts<arrow::StringBuilder>(texts))
      .ValueOrDie();
}

std::shared_ptr<arrow::Table> TableOf(const std::vector<std::pair<std::string, ArrayPointer>>& columns) {
  arrow::FieldVector fields;
  arrow::ArrayVector arrays;
  for (const auto& [name, array] : columns) {
    fields.push_back(arrow::field(name, array->type()));
    arrays.push_back(array);
  }
  return arrow::Table::Make(arrow::schema(fields), arrays);
}

void SaveParquet(const std::vector<std::shared_ptr<arrow::Table>>& row_groups, const std::string& path) {
  auto file = arrow::io::FileOutputStream::Open(path).ValueOrDie();
  auto writer = parquet::arrow::FileWriter::Open(*row_groups[0]->schema(), arrow::default_memory_pool(), file,
                                                 parquet::default_writer_properties(),
                                                 parquet::ArrowWriterProperties::Builder().store_schema()->build())
                    .ValueOrDie();
  for (const auto& group : row_groups) ASSERT_TRUE(writer->WriteTable(*group).ok());
  ASSERT_TRUE(writer->Close().ok());
}

void SaveArrow(const arrow::Table& table, const std::string& path, bool is_stream) {
  auto file = arrow::io::FileOutputStream::Open(path).ValueOrDie();
  auto writer = (is_stream ? arrow::ipc::MakeStreamWriter(file, table.schema())
                           : arrow::ipc::MakeFileWriter(file, table.schema()))
                    .ValueOrDie();
  ASSERT_TRUE(writer->WriteTable(table).ok());
  ASSERT_TRUE(writer->Close().ok());
}

TEST(ArrowReader, TakesAllKindsOfText) {
  const TestDirectory directory;
  const Cells texts = {"a text that is not short", "", kMissing};
  const auto table = TableOf({{"s", Texts<arrow::StringBuilder>(texts)},
                              {"l", Texts<arrow::LargeStringBuilder>(texts)},
                              {"v", Texts<arrow::StringViewBuilder>(texts)},
                              {"d", Dictionary({1, 0, kMissing}, {"", "a text that is not short"})},
                              {"n", Dictionary({0, 1, 2}, {"a text that is not short", "", kMissing})}});
  // Parquet has no null inside a dictionary.
  SaveParquet({table->RemoveColumn(4).ValueOrDie()}, directory / "t.parquet");
  SaveArrow(*table, directory / "t.arrow", false);
  SaveArrow(*table, directory / "stream.arrow", true);
  for (const char* name : {"t.parquet", "t.arrow", "stream.arrow"}) {
    const auto reader = OpenTable(directory / name, {});
    EXPECT_EQ(reader->columns().size(), name == std::string("t.parquet") ? 4u : 5u);
    for (const ColumnHeader& column : reader->columns()) EXPECT_EQ(column.type, "string") << column.name;
    const Rows rows = RowsOf(ReadAll(*reader));
    ASSERT_EQ(rows.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(rows[i], Cells(reader->columns().size(), texts[i])) << name;
  }
}

TEST(ArrowReader, DoesNotMixTheDictionariesOfRowGroups) {
  const TestDirectory directory;
  SaveParquet({TableOf({{"city", Dictionary({0, 1, 0}, {"rome", "bonn"})}}),
               TableOf({{"city", Dictionary({0, 1, kMissing, 2}, {"oslo", "rome", "cork"})}}),
               TableOf({{"city", Dictionary({1}, {"never used", "oslo"})}})},
              directory / "t.parquet");
  const Rows rows = {{"rome"}, {"bonn"}, {"rome"}, {"oslo"}, {"rome"}, {kMissing}, {"cork"}, {"oslo"}};
  const auto reader = OpenTable(directory / "t.parquet", {});
  const Batch all = ReadAll(*reader);
  EXPECT_EQ(RowsOf(all), rows);
  EXPECT_EQ(all.columns[0].dictionary, (std::vector<std::string>{"rome", "bonn", "oslo", "cork"}));
  EXPECT_EQ(DescribeRow(all, 2), reader->source() + ", record 3");

  // In pieces that end inside row groups.
  const auto again = OpenTable(directory / "t.parquet", {});
  Rows pieces;
  for (Batch batch; again->Next(batch, 2);) {
    EXPECT_EQ(batch.first_record, pieces.size());
    EXPECT_LE(batch.rows, 2u);
    for (const Cells& row : RowsOf(batch)) pieces.push_back(row);
  }
  EXPECT_EQ(pieces, rows);
}

TEST(ArrowReader, WritesNumbersInTheirOneText) {
  const TestDirectory directory;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto table = TableOf(
      {{"d", Array<arrow::DoubleBuilder, double>(std::make_unique<arrow::DoubleBuilder>(), {1.0, -0.0, nan, kMissing})},
       {"i", Array<arrow::Int16Builder, std::int16_t>(std::make_unique<arrow::Int16Builder>(), {1, -7, 0, kMissing})},
       {"e", arrow::DictionaryArray::FromArrays(
                 Array<arrow::Int8Builder, std::int8_t>(std::make_unique<arrow::Int8Builder>(), {1, 0, kMissing, 1}),
                 Array<arrow::Int64Builder, std::int64_t>(std::make_unique<arrow::Int64Builder>(), {10, 20}))
                 .ValueOrDie()},
       {"t", Array<arrow::TimestampBuilder, std::int64_t>(
                 std::make_unique<arrow::TimestampBuilder>(arrow::timestamp(arrow::TimeUnit::MILLI, "Asia/Tokyo"),
                                                           arrow::default_memory_pool()),
                 {0, -1, 1'580'464'800'000, kMissing})}});
  SaveArrow(*table, directory / "t.arrow", false);
  const auto reader = OpenTable(directory / "t.arrow", {});
  EXPECT_EQ(RowsOf(ReadAll(*reader)), (Rows{{"1", "1", "20", "1970-01-01T00:00:00Z"},
                                            {"0", "-7", "10", "1969-12-31T23:59:59.999Z"},
                                            {kMissing, "0", kMissing, "2020-01-31T10:00:00Z"},
                                            {kMissing, kMissing, "20", kMissing}}));
  EXPECT_EQ(reader->columns()[2].type, "int64");
  EXPECT_EQ(reader->columns()[3].type, "timestamp[ms, tz=Asia/Tokyo]");
  EXPECT_EQ(RowsOf(ReadAll(*OpenTable(directory / "t.arrow", MarkMissing({{"i", "-7"}}))))[1][1], kMissing);
}

TEST(ArrowReader, RefusesColumnsWithoutTexts) {
  const TestDirectory directory;
  const ArrayPointer numbers =
      Array<arrow::Int64Builder, std::int64_t>(std::make_unique<arrow::Int64Builder>(), {1, 2});
  const ArrayPointer pairs =
      arrow::StructArray::Make({numbers, numbers}, std::vector<std::string>{"x", "y"}).ValueOrDie();
  const ArrayPointer bytes = Texts<arrow::BinaryBuilder>({"x", "y"});
  const auto table = TableOf({{"a", numbers}, {"pair", pairs}, {"bytes", bytes}, {"z", numbers}});
  SaveParquet({table}, directory / "t.parquet");
  SaveArrow(*table, directory / "t.arrow", true);
  for (const char* name : {"t.parquet", "t.arrow"}) {
    const std::string path = directory / name;
    EXPECT_EQ(MessageOf([&] { OpenTable(path, {}); }),
              path +
                  ", column `pair`: cells of type struct<x: int64, y: int64> cannot be read; leave the column out "
                  "(--drop)");
    EXPECT_NE(MessageOf([&] { OpenTable(path, Choose({"pair"}, {})); }).find("column `bytes`: cells of type binary"),
              std::string::npos);
    // In a Parquet file the columns inside of `pair` are counted as well.
    EXPECT_EQ(RowsOf(ReadAll(*OpenTable(path, Choose({}, {"z"})))), (Rows{{"1"}, {"2"}}));
  }
}

TEST(ArrowReader, RefusesColumnsOfOneName) {
  const TestDirectory directory;
  const ArrayPointer texts = Texts<arrow::StringBuilder>({"x"});
  SaveArrow(*TableOf({{"a", texts}, {"b", texts}, {"a", texts}}), directory / "t.arrow", false);
  EXPECT_NE(MessageOf([&] { OpenTable(directory / "t.arrow", {}); }).find("columns 1 and 3 are both called `a`"),
            std::string::npos);
}

TEST(ArrowReader, NamesTheCellThatIsNotUtf8) {
  const TestDirectory directory;
  SaveParquet({TableOf({{"a", Texts<arrow::StringBuilder>({"x", "caf\xE9"})}})}, directory / "t.parquet");
  EXPECT_NE(MessageOf([&] {
              ReadAll(*OpenTable(directory / "t.parquet", {}));
            }).find("record 2, column `a`: byte 0xE9 is not UTF-8"),
            std::string::npos);
}

TEST(ArrowReader, RefusesAStreamWithoutItsEnd) {
  const TestDirectory directory;
  const auto table = TableOf({{"d", Dictionary({0, 1, 1, kMissing}, {"x", "y"})}});
  SaveArrow(*arrow::ConcatenateTables({table, table}).ValueOrDie(), directory / "whole.arrow", true);
  const std::string whole = ReadBytes(directory / "whole.arrow");
  const std::string mark("\xFF\xFF\xFF\xFF\0\0\0\0", 8);
  ASSERT_EQ(whole.substr(whole.size() - 8), mark);
  const std::string path = directory / "t.arrow";
  const auto read = [&](const std::string& bytes) {
    WriteBytes(path, bytes);
    return RowsOf(ReadAll(*OpenTable(path, {})));
  };
  const Rows rows = read(whole);
  EXPECT_EQ(rows.size(), 8u);
  EXPECT_EQ(read(whole + "more"), rows);
  EXPECT_EQ(read(whole.substr(0, whole.size() - 8) + std::string(4, '\0')), rows);  // the mark before Arrow 0.15
  // In the middle of the mark, where it begins, and where the second batch would begin.
  const std::size_t second_batch = whole.rfind("\xFF\xFF\xFF\xFF", whole.size() - 9);
  for (const std::size_t size :
       {whole.size() - 1, whole.size() - 4, whole.size() - 7, whole.size() - 8, second_batch}) {
    EXPECT_THROW(read(whole.substr(0, size)), Error) << whole.size() - size;
  }
  EXPECT_NE(MessageOf([&] { read(whole.substr(0, second_batch)); }).find("its end is missing"), std::string::npos);
}

TEST(ArrowReader, RefusesASizeBeyondAllMemory) {
  const TestDirectory directory;
  const std::vector<std::int64_t> numbers(1000, 5);
  auto options = arrow::ipc::IpcWriteOptions::Defaults();
  options.codec = arrow::util::Codec::Create(arrow::Compression::LZ4_FRAME).ValueOrDie();
  arrow::Int64Builder builder;
  ASSERT_TRUE(builder.AppendValues(numbers).ok());
  const auto table = TableOf({{"i", builder.Finish().ValueOrDie()}});
  const std::string path = directory / "t.arrow";
  {
    auto file = arrow::io::FileOutputStream::Open(path).ValueOrDie();
    auto writer = arrow::ipc::MakeStreamWriter(file, table->schema(), options).ValueOrDie();
    ASSERT_TRUE(writer->WriteTable(*table).ok());
    ASSERT_TRUE(writer->Close().ok());
  }
  std::string bytes = ReadBytes(path);
  const std::string size("\x40\x1F\0\0\0\0\0\0", 8);  // of the 8,000 bytes, before they were compressed
  const std::size_t at = bytes.find(size + "\x04\x22\x4D\x18");
  ASSERT_NE(at, std::string::npos);
  bytes[at + 6] = 1;
  WriteBytes(path, bytes);
  EXPECT_NE(MessageOf([&] { ReadAll(*OpenTable(path, {})); }).find("too large for the memory"), std::string::npos);
}

// Whatever is done to a file, it is read or refused.
TEST(ArrowReader, SurvivesDamagedFiles) {
  const TestDirectory directory;
  const auto table = TableOf({{"s", Texts<arrow::StringBuilder>({"alpha", "", kMissing, "beta"})},
                              {"d", Dictionary({0, 1, 1, kMissing}, {"x", "y"})}});
  SaveParquet({table, table}, directory / "t.parquet");
  SaveArrow(*table, directory / "t.arrow", false);
  SaveArrow(*table, directory / "stream.arrow", true);
  for (const std::string name : {"t.parquet", "t.arrow", "stream.arrow"}) {
    const std::string whole = ReadBytes(directory / name);
    const std::string path = directory / ("damaged " + name);
    std::size_t refused = 0;
    for (std::size_t i = 0; i < whole.size(); i += 7) {
      std::string damaged = whole;
      damaged[i] = static_cast<char>(damaged[i] ^ (i % 3 == 0 ? 0xFF : 1 << i % 8));
      WriteBytes(path, i % 2 == 0 ? damaged : whole.substr(0, i));
      try {
        ReadAll(*OpenTable(path, {}));
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kInput) << error.what();
        ++refused;
      }
    }
    EXPECT_GT(refused, whole.size() / 7 / 4) << name;
  }
}

}  // namespace
}  // namespace dtf
