#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "dtf/io.h"
#include "io/text_index.h"

namespace dtf {
namespace {

constexpr std::size_t kRowsPerBatch = std::size_t{1} << 16;
constexpr std::size_t kCellsPerBatch = std::size_t{1} << 22;

// One column of the result. While the reader is in its first epoch, its codes are those of the result, too. Once it has
// started a new dictionary, texts are looked up again.
class Merger {
 public:
  void Append(const TextColumn& from, bool is_new_epoch, TextColumn& to) {
    if (is_new_epoch) {
      if (!is_translating_) {
        std::vector<std::string> indexed;
        for (const std::string& text : to.dictionary) index_.FindOrAdd(text, indexed);
      }
      is_translating_ = true;
      translation_.clear();
      known_ = 0;
    }
    for (; known_ < from.dictionary.size(); ++known_) {
      const std::string& text = from.dictionary[known_];
      if (is_translating_) {
        translation_.push_back(index_.FindOrAdd(text, to.dictionary));
      } else {
        to.dictionary.push_back(text);
      }
    }
    if (!is_translating_) {
      to.cells.insert(to.cells.end(), from.cells.begin(), from.cells.end());
      return;
    }
    for (const Code code : from.cells) to.cells.push_back(code == kMissingCell ? code : translation_[code]);
  }

 private:
  std::size_t known_ = 0;  // entries of the epoch's dictionary that are in the result
  bool is_translating_ = false;
  std::vector<Code> translation_;  // of the epoch's codes
  TextIndex index_;                // over the result's dictionary, when translating
};

}  // namespace

Batch ReadAll(TableReader& reader) {
  const std::size_t columns = reader.columns().size();
  Batch all;
  all.source = reader.source();
  all.columns.resize(columns);
  std::vector<Merger> mergers(columns);
  const std::size_t max_rows =
      std::clamp<std::size_t>(kCellsPerBatch / std::max<std::size_t>(1, columns), 1, kRowsPerBatch);
  Batch batch;
  while (reader.Next(batch, max_rows)) {
    if (all.rows == 0) {
      all.first_record = batch.first_record;
      all.epoch = batch.epoch;
    }
    const bool is_new_epoch = batch.epoch != all.epoch;
    for (std::size_t i = 0; i < columns; ++i) mergers[i].Append(batch.columns[i], is_new_epoch, all.columns[i]);
    all.lines.insert(all.lines.end(), batch.lines.begin(), batch.lines.end());
    all.rows += batch.rows;
    all.epoch = batch.epoch;
  }
  return all;
}

}  // namespace dtf
