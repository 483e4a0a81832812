// Writes the parts of a payload. Callers write each part by a statement of its own: were parts written as arguments of
// one call, the compiler would choose their order, and so the bytes of the file.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/ragged.h"
#include "dtf/error.h"
#include "format/frame.h"
#include "format/model_generated.h"
#include "format/packed_numbers.h"

namespace dtf {

class PayloadWriter {
 public:
  using Bytes = flatbuffers::Offset<flatbuffers::Vector<std::uint8_t>>;

  flatbuffers::FlatBufferBuilder& builder() { return builder_; }

  // Throws when the payload would become too large with `bytes` more and a table around them.
  void MakeRoom(std::size_t bytes) {
    constexpr std::size_t kTable = 128;
    if (bytes > kMaxPayload - kTable || builder_.GetSize() > kMaxPayload - kTable - bytes) {
      throw Error(ErrorKind::kModelFile, "it is larger than 2 GB");
    }
  }

  // A list of bytes; `fill` is given the place for them.
  template <typename Fill>
  Bytes WriteBytes(std::size_t size, Fill fill) {
    MakeRoom(size);
    std::uint8_t* place = nullptr;
    const Bytes bytes = builder_.CreateUninitializedVector(size, &place);
    fill(place);
    return bytes;
  }

  // numbers[i] through `to_number`.
  template <typename Numbers, typename ToNumber = std::identity>
  Bytes WriteNumbers(const Numbers& numbers, ToNumber to_number = {}) {
    std::size_t size = 0;
    for (const auto& number : numbers) size += PackedSize(to_number(number));
    return WriteBytes(size, [&](std::uint8_t* out) {
      for (const auto& number : numbers) out = PackNumber(to_number(number), out);
    });
  }

  template <typename T>
  Bytes WriteLengths(const Ragged<T>& lists) {
    std::vector<std::uint64_t> lengths(lists.size());
    for (std::size_t i = 0; i < lists.size(); ++i) lengths[i] = lists[i].size();
    return WriteNumbers(lengths);
  }

  flatbuffers::Offset<flatbuffers::String> WriteString(const std::string& text) {
    MakeRoom(text.size());
    return builder_.CreateString(text);
  }

  flatbuffers::Offset<flatbuffers::Vector<double>> WriteDoubles(const std::vector<double>& numbers) {
    MakeRoom(sizeof(double) * numbers.size());
    return builder_.CreateVector(numbers);
  }

  // write(item) of each, which gives the offset of a table.
  template <typename Item, typename Write>
  auto WriteEach(const std::vector<Item>& items, Write write) {
    std::vector<decltype(write(items.front()))> tables;
    tables.reserve(items.size());
    for (const Item& item : items) tables.push_back(write(item));
    MakeRoom(sizeof(flatbuffers::uoffset_t) * tables.size());
    return builder_.CreateVector(tables);
  }

 private:
  flatbuffers::FlatBufferBuilder builder_;
};

}  // namespace dtf
