#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "io/batch_builder.h"
#include "io/csv_reader.h"
#include "io/io_test_util.h"

namespace dtf {
namespace {

// Hands out one row a batch, and starts its dictionaries anew as it is told.
class ScriptedReader : public TableReader {
 public:
  struct Step {
    bool is_new_epoch;
    std::optional<std::string> cell;
  };
  explicit ScriptedReader(std::vector<Step> steps) : steps_(std::move(steps)) {}

  const std::string& source() const override { return columns_[0].name; }
  const std::vector<ColumnHeader>& columns() const override { return columns_; }
  const std::vector<MissingMarker>& missing() const override { return missing_; }
  bool HasMet(std::size_t) const override { return false; }
  bool Next(Batch& batch, std::size_t) override {
    const Step* step = at_ < steps_.size() ? &steps_[at_] : nullptr;
    batch.columns.resize(1);
    batch.rows = step == nullptr ? 0 : 1;
    batch.columns[0].cells.clear();
    if (step == nullptr) return false;
    batch.first_record = at_++;
    if (step->is_new_epoch) {
      ++batch.epoch;
      batch.columns[0].dictionary.clear();
    }
    auto& dictionary = batch.columns[0].dictionary;
    const auto found = std::find(dictionary.begin(), dictionary.end(), step->cell);
    batch.columns[0].cells.push_back(step->cell ? static_cast<Code>(found - dictionary.begin()) : kMissingCell);
    if (step->cell && found == dictionary.end()) dictionary.push_back(*step->cell);
    return true;
  }

 private:
  std::vector<Step> steps_;
  std::size_t at_ = 0;
  std::vector<ColumnHeader> columns_ = {{.name = "a"}};
  std::vector<MissingMarker> missing_;
};

TEST(ReadAll, HasOneDictionaryOverAllEpochs) {
  ScriptedReader reader({{false, "x"},
                         {false, "y"},
                         {true, "y"},
                         {false, kMissing},
                         {false, "z"},
                         {false, "x"},
                         {true, "w"},
                         {false, "z"}});
  const Batch batch = ReadAll(reader);
  EXPECT_EQ(RowsOf(batch), (std::vector<Cells>{{"x"}, {"y"}, {"y"}, {kMissing}, {"z"}, {"x"}, {"w"}, {"z"}}));
  EXPECT_EQ(batch.columns[0].dictionary, (std::vector<std::string>{"x", "y", "z", "w"}));
  EXPECT_EQ(batch.first_record, 0u);
}

// More distinct texts than a streaming reader keeps.
TEST(ReadAll, OutlastsTheLimitOfDictionaries) {
  const std::size_t rows = BatchBuilder::kMaxEntries + 200'000;
  std::string text = "id,k\n";
  for (std::size_t i = 0; i < rows; ++i) text += std::to_string(i) + (i % 2 == 0 ? ",even\n" : ",odd\n");

  CsvReader stream(std::make_unique<TextSource>(text), ',', {});
  Batch batch;
  std::size_t records = 0;
  while (stream.Next(batch, 1 << 16)) {
    ASSERT_EQ(batch.first_record, records);
    ASSERT_LE(batch.columns[0].dictionary.size(), BatchBuilder::kMaxEntries + (1 << 16));
    for (std::size_t i = 0; i < batch.rows; ++i, ++records) {
      ASSERT_EQ(batch.columns[0].dictionary[batch.columns[0].cells[i]], std::to_string(records));
    }
  }
  EXPECT_EQ(records, rows);
  EXPECT_GT(batch.epoch, 0u);

  CsvReader reader(std::make_unique<TextSource>(text), ',', {});
  const Batch all = ReadAll(reader);
  ASSERT_EQ(all.rows, rows);
  EXPECT_EQ(all.columns[0].dictionary.size(), rows);
  EXPECT_EQ(all.columns[1].dictionary.size(), 2u);
  for (std::size_t i = 0; i < rows; ++i)
    ASSERT_EQ(all.columns[0].dictionary[all.columns[0].cells[i]], std::to_string(i));
}

TEST(ReadAll, HasColumnsWithoutRows) {
  CsvReader reader(std::make_unique<TextSource>("a,b\n"), ',', {});
  const Batch batch = ReadAll(reader);
  EXPECT_EQ(batch.rows, 0u);
  EXPECT_EQ(batch.columns.size(), 2u);
}

}  // namespace
}  // namespace dtf
