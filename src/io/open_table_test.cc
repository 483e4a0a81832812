// Tables in files, through the public functions.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "io/io_test_util.h"

namespace dtf {
namespace {

using Rows = std::vector<Cells>;
using Headers = std::vector<ColumnHeader>;

const Rows kRows = {{"x", "a,b"}, {kMissing, ""}, {"\xC3\xA9", "\r\n"}, {"x", kMissing}};
const Headers kHeaders = {{.name = "k"}, {.name = "a \"name\""}};

void Save(const std::string& path, const Rows& rows = kRows, const Headers& headers = kHeaders) {
  const std::unique_ptr<TableWriter> writer = CreateTable(path, headers, {});
  Batch batch = MakeBatch(rows);
  batch.columns.resize(headers.size());
  writer->Write(batch);
  writer->Finish();
}

Rows Load(const std::string& path, const ReadOptions& options = {}) {
  return RowsOf(ReadAll(*OpenTable(path, options)));
}

std::string Refusal(const std::string& path) {
  return MessageOf([&] { Load(path); });
}

TEST(OpenTable, ReadsBackWhatCreateTableWrote) {
  const TestDirectory directory;
  for (const char* name :
       {"t.csv", "t.tsv", "t.csv.gz", "t.TSV.GZ", "t.data", "t.parquet", "t.arrow", "in,put b.csv"}) {
    const std::string path = directory / name;
    Save(path);
    EXPECT_EQ(Load(path), kRows) << name;
    const auto reader = OpenTable(path, {});
    EXPECT_EQ(reader->columns(), kHeaders) << name;
    EXPECT_EQ(reader->source(), path);
    EXPECT_EQ(Load(path, Choose({"k"}, {})), (Rows{{"a,b"}, {""}, {"\r\n"}, {kMissing}})) << name;
    EXPECT_EQ(Load(path, MarkMissing({{kMissing, "x"}}))[3], (Cells{kMissing, kMissing})) << name;
    const std::string blame = MessageOf([&] { Load(path, Choose({"z"}, {})); }, ErrorKind::kUsage);
    EXPECT_NE(blame.find("no column `z`"), std::string::npos) << name;
    Save(path, {});
    EXPECT_EQ(Load(path), Rows()) << name;
  }
  EXPECT_EQ(ReadBytes(directory / "t.tsv"), "k\t\"a \"\"name\"\"\"\n");
}

TEST(OpenTable, TakesTheDelimiterItIsTold) {
  const TestDirectory directory;
  ReadOptions options;
  options.delimiter = ';';
  EXPECT_EQ(Load(WriteBytes(directory / "t.tsv", "a;b\n1,2;3\t4\n"), options), (Rows{{"1,2", "3\t4"}}));
  for (const char bad : {'"', '\n', '\r', '\0', '\xA7'}) {
    options.delimiter = bad;
    EXPECT_NE(MessageOf([&] { Load(directory / "t.tsv", options); }, ErrorKind::kUsage).find("delimiter"),
              std::string::npos);
  }
}

TEST(OpenTable, SaysWhyAFileCannotBeRead) {
  const TestDirectory directory;
  for (const std::string name : {"t.csv", "t.csv.gz", "t.parquet", "t.arrow"}) {
    const std::string path = directory / name;
    EXPECT_EQ(Refusal(path), "cannot read " + path + ": No such file or directory");
    WriteBytes(path, "");
    EXPECT_EQ(Refusal(path), path + " is empty");
    std::filesystem::remove(path);
    std::filesystem::create_directory(path);
    EXPECT_EQ(Refusal(path), "cannot read " + path + ": Is a directory");
  }
}

TEST(OpenTable, ReadsGzipWhateverItsName) {
  const TestDirectory directory;
  Save(directory / "t.csv.gz");
  std::filesystem::rename(directory / "t.csv.gz", directory / "t.csv");
  EXPECT_EQ(Load(directory / "t.csv"), kRows);
  const std::string path = WriteBytes(directory / "plain.csv.gz", "a\nx\n");
  EXPECT_EQ(Refusal(path), path + " is not a gzip file, although its name ends in .gz");
}

TEST(OpenTable, ReadsAllMembersOfAGzipFile) {
  const TestDirectory directory;
  Save(directory / "a.csv.gz", {{"1"}, {"2"}}, {{.name = "n"}});
  Save(directory / "b.csv.gz", {{"4"}}, {{.name = "3"}});
  const std::string joined =
      WriteBytes(directory / "t.csv.gz", ReadBytes(directory / "a.csv.gz") + ReadBytes(directory / "b.csv.gz"));
  EXPECT_EQ(Load(joined), (Rows{{"1"}, {"2"}, {"3"}, {"4"}}));
}

TEST(OpenTable, RefusesDamagedGzip) {
  const TestDirectory directory;
  Rows rows;
  for (int i = 0; i < 5000; ++i) rows.push_back({std::to_string(i * i % 9973)});
  Save(directory / "whole.csv.gz", rows, {{.name = "n"}});
  const std::string whole = ReadBytes(directory / "whole.csv.gz");
  const std::string path = directory / "t.csv.gz";
  for (const std::size_t size :
       {std::size_t{2}, std::size_t{10}, whole.size() / 2, whole.size() - 8, whole.size() - 1}) {
    WriteBytes(path, whole.substr(0, size));
    EXPECT_EQ(Refusal(path), path + ": the gzip data is cut off") << size;
  }
  std::string damaged = whole;
  damaged[whole.size() - 6] ^= 1;  // in the checksum
  WriteBytes(path, damaged);
  EXPECT_EQ(Refusal(path), path + ": the gzip data is damaged");
  WriteBytes(path, whole + "n\n1\n");
  EXPECT_EQ(Refusal(path), path + ": something that is not gzip follows the compressed data");
}

TEST(OpenTable, ReadsStandardInput) {
  const TestDirectory directory;
  const int saved = dup(STDIN_FILENO);
  const auto redirect = [&](const std::string& path) {
    const int file = open(path.c_str(), O_RDONLY);
    ASSERT_GE(file, 0);
    dup2(file, STDIN_FILENO);
    close(file);
  };
  Save(directory / "t.csv.gz");
  redirect(directory / "t.csv.gz");
  EXPECT_EQ(Load("-"), kRows);
  redirect("/dev/null");
  EXPECT_EQ(Refusal("-"), "standard input is empty");
  Save(directory / "t.parquet");
  redirect(directory / "t.parquet");
  EXPECT_NE(Refusal("-").find("standard input holds Parquet data"), std::string::npos);
  dup2(saved, STDIN_FILENO);
  close(saved);
}

TEST(OpenTable, RefusesParquetAndArrowThatAreNone) {
  const TestDirectory directory;
  for (const std::string name : {"t.parquet", "t.arrow"}) {
    const std::string path = WriteBytes(directory / name, "a,b\n1,2\n3,4\n5,6\n");
    EXPECT_EQ(Refusal(path).find(path + " cannot be read as "), 0u) << Refusal(path);
  }
  const std::string fifo = directory / "f.parquet";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_EQ(Refusal(fifo), fifo + ": Parquet can only be read from a regular file");
}

TEST(CreateTable, LeavesTheOldFileUntilItIsFinished) {
  const TestDirectory directory;
  for (const char* name : {"t.csv", "t.csv.gz", "t.parquet", "t.arrow"}) {
    const std::string path = WriteBytes(directory / name, "old");
    {
      const auto writer = CreateTable(path, kHeaders, {});
      writer->Write(MakeBatch(kRows));
    }
    EXPECT_EQ(ReadBytes(path), "old");
    EXPECT_THROW(CreateTable(directory / "no/dir/" + name, kHeaders, {}), Error);
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory / ""), {}), 4);
}

TEST(CreateTable, ReportsAFullDisk) {
  const TestDirectory directory;
  for (const std::string name : {"full.csv", "full.csv.gz", "full.parquet", "full.arrow"}) {
    const std::string path = directory / name;
    std::filesystem::create_symlink("/dev/full", path);
    EXPECT_EQ(MessageOf([&] { Save(path); }, ErrorKind::kOther), "cannot write " + path + ": No space left on device");
  }
}

// Texts of typed columns, and the types themselves, survive the formats that have types.
TEST(CreateTable, KeepsTypes) {
  const TestDirectory directory;
  const Headers headers = {{"text", "string"},
                           {"bool", "bool"},
                           {"i8", "int8"},
                           {"u64", "uint64"},
                           {"half", "halffloat"},
                           {"float", "float"},
                           {"double", "double"},
                           {"small", "decimal128(5, 2)"},
                           {"large", "decimal256(60, 10)"},
                           {"date", "date32[day]"},
                           {"time", "time32[ms]"},
                           {"fine", "time64[ns]"},
                           {"stamp", "timestamp[us]"},
                           {"zoned", "timestamp[ns, tz=Europe/Rome]"},
                           {"nothing", "null"}};
  const Rows rows = {{"1.0", "true", "-128", "18446744073709551615", "1.5", "0.1", "0.1", "-0.05",
                      "12345678901234567890123456789012345678901234567890.5", "2020-01-31", "10:00:00.5",
                      "23:59:59.999999999", "1969-12-31T23:59:59.999999", "2020-01-31T10:00:00Z", kMissing},
                     Cells(headers.size(), kMissing),
                     {"", "false", "127", "0", "-2", "inf", "-1000000000000000000000", "999.99", "0", "0001-01-01",
                      "00:00:00", "00:00:00", "9999-12-31T00:00:00", "1970-01-01T00:00:00.000000001Z", kMissing}};
  for (const char* name : {"t.parquet", "t.arrow"}) {
    Save(directory / name, rows, headers);
    EXPECT_EQ(Load(directory / name), rows) << name;
    EXPECT_EQ(OpenTable(directory / name, {})->columns(), headers) << name;
  }
  Save(directory / "u.arrow", {{"x"}}, {{"a", "a type nobody knows"}});
  EXPECT_EQ(OpenTable(directory / "u.arrow", {})->columns(), Headers{{.name = "a"}});
}

TEST(CreateTable, RefusesCellsThatAreNotOfTheirColumnsType) {
  const TestDirectory directory;
  const std::string path = directory / "t.parquet";
  EXPECT_EQ(MessageOf(
                [&] {
                  Save(path, {{"1"}, {"abc"}}, {{"n", "int64"}});
                },
                ErrorKind::kOther),
            "cannot write " + path + ": column `n` has the type int64, but a cell is `abc`");
  const std::vector<std::pair<const char*, const char*>> unfit = {{"int8", "128"},
                                                                  {"uint8", "-1"},
                                                                  {"int32", "1.5"},
                                                                  {"int64", ""},
                                                                  {"bool", "True"},
                                                                  {"double", "nan"},
                                                                  {"double", "1e999"},
                                                                  {"decimal128(3, 1)", "2.55"},
                                                                  {"float", "1,5"},
                                                                  {"null", "x"},
                                                                  {"decimal128(3, 1)", "1000"},
                                                                  {"date32[day]", "2020-02-30"},
                                                                  {"time32[s]", "1:00"},
                                                                  {"timestamp[s]", "2020-01-01T00:00:00.5"}};
  for (const auto& cell : unfit) {
    const std::string message = MessageOf([&] { Save(path, {{cell.second}}, {{"n", cell.first}}); }, ErrorKind::kOther);
    EXPECT_NE(message.find("`" + std::string(cell.second) + "`"), std::string::npos) << message;
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(CreateTable, WritesManyBatchesAsOneTable) {
  const TestDirectory directory;
  for (const char* name : {"t.csv", "t.parquet", "t.arrow"}) {
    const auto writer = CreateTable(directory / name, {{"n", "int32"}, {"s", "string"}}, {});
    Rows expected;
    for (int i = 0; i < 5; ++i) {
      Batch batch = MakeBatch({{std::to_string(i), "x"}, {std::to_string(-i), kMissing}});
      batch.epoch = static_cast<std::uint64_t>(i);
      writer->Write(batch);
      for (const Cells& row : RowsOf(batch)) expected.push_back(row);
    }
    writer->Finish();
    EXPECT_EQ(Load(directory / name), expected) << name;
  }
}

}  // namespace
}  // namespace dtf
