// Reads the parts of a payload that flatbuffers::Verifier has accepted, so that all offsets lead to places within it.
// But several offsets may lead to the same part, by which a small file could grow without limit. Writers write each
// part once, so the parts read must sum to no more than the payload.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/ragged.h"
#include "dtf/error.h"
#include "format/model_generated.h"
#include "format/packed_numbers.h"

namespace dtf {

[[noreturn]] inline void RefuseModel(const std::string& what) { throw Error(ErrorKind::kModelFile, what); }

// Every function throws Error(kModelFile) for content that no writer writes.
class PayloadReader {
 public:
  explicit PayloadReader(std::size_t payload_size) : unread_(payload_size) {}

  std::span<const std::uint8_t> ReadBytes(const flatbuffers::Vector<std::uint8_t>* bytes);
  std::vector<std::uint32_t> ReadNumbers(const flatbuffers::Vector<std::uint8_t>* bytes,
                                         std::uint32_t largest = 0xFFFFFFFF) {
    return UnpackNumbers32(ReadBytes(bytes), largest);
  }
  std::string ReadString(const flatbuffers::String* text);
  std::vector<double> ReadDoubles(const flatbuffers::Vector<double>* doubles);

  // read(table) of each. `what` is what messages call a table; they count from 1.
  template <typename Table, typename Read>
  auto ReadEach(const flatbuffers::Vector<flatbuffers::Offset<Table>>* tables, const std::string& what, Read read) {
    std::vector<decltype(read(std::declval<const Table&>()))> items;
    if (tables == nullptr) return items;
    constexpr std::size_t kSmallestTable = sizeof(flatbuffers::soffset_t);
    Spend((sizeof(flatbuffers::uoffset_t) + kSmallestTable) * tables->size());
    items.reserve(tables->size());
    for (const Table* table : *tables) {
      try {
        items.push_back(read(*table));
      } catch (const Error& error) {
        RefuseModel(what + " " + std::to_string(items.size() + 1) + ": " + error.what());
      }
    }
    return items;
  }

 private:
  void Spend(std::size_t bytes);

  std::size_t unread_;
};

// The list of lists with these values one after the other.
template <typename T>
Ragged<T> MakeRagged(const std::vector<T>& values, const std::vector<std::uint32_t>& lengths) {
  std::uint64_t sum = 0;
  for (const std::uint32_t length : lengths) sum += length;
  if (sum != values.size()) RefuseModel("its lists have other lengths than their values");
  Ragged<T> lists;
  const T* begin = values.data();
  for (const std::uint32_t length : lengths) {
    lists.Append({begin, length});
    begin += length;
  }
  return lists;
}

}  // namespace dtf
