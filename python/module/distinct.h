// Distinct values, numbered in the order in which they appear.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "dtf/error.h"

namespace dtf::python {

inline constexpr std::int32_t kNoValue = -1;

// A mixture of all bits (the finaliser of MurmurHash3).
inline std::uint64_t Mix(std::uint64_t bits) {
  bits = (bits ^ (bits >> 33)) * 0xff51afd7ed558ccd;
  bits = (bits ^ (bits >> 33)) * 0xc4ceb9fe1a85ec53;
  return bits ^ (bits >> 33);
}

template <typename Word>
std::uint64_t Load(const char* at) {
  Word word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

// Texts of at most 8 bytes, most of a table's, are compared by a length and one number, without a look at their bytes.
class TextKey {
 public:
  // REQUIRES: `text` outlives the key.
  explicit TextKey(std::string_view text) : text_(text), head_(Head(text)) {}

  std::uint64_t Hash() const {
    std::uint64_t hash = Mix(head_ ^ (text_.size() << 56));
    if (text_.size() <= 8) return hash;
    for (std::size_t i = 8; i + 8 < text_.size(); i += 8) hash = Mix(hash ^ Load<std::uint64_t>(text_.data() + i));
    return Mix(hash ^ Load<std::uint64_t>(text_.data() + text_.size() - 8));
  }

  bool operator==(const TextKey& other) const {
    return head_ == other.head_ && text_.size() == other.text_.size() &&
           (text_.size() <= 8 || std::memcmp(text_.data() + 8, other.text_.data() + 8, text_.size() - 8) == 0);
  }

  std::string_view text() const { return text_; }

 private:
  // Of a length up to 8, a number for each text; else the first 8 bytes. Reads nothing beyond the text.
  static std::uint64_t Head(std::string_view text) {
    const char* const first = text.data();
    const std::size_t size = text.size();
    if (size >= 8) return Load<std::uint64_t>(first);
    if (size >= 4) return Load<std::uint32_t>(first) | Load<std::uint32_t>(first + size - 4) << 32;
    if (size == 0) return 0;
    return Load<std::uint8_t>(first) | Load<std::uint8_t>(first + size / 2) << 8 |
           Load<std::uint8_t>(first + size - 1) << 16;
  }

  std::string_view text_;
  std::uint64_t head_;
};

// An object as such, whatever it holds.
class ObjectKey {
 public:
  explicit ObjectKey(const void* object) : object_(object) {}

  std::uint64_t Hash() const { return Mix(reinterpret_cast<std::uintptr_t>(object_)); }
  bool operator==(const ObjectKey&) const = default;

 private:
  const void* object_;
};

// A hash table with linear probing. `Key` has Hash() and ==.
template <typename Key>
class Distinct {
 public:
  // The key's number, if need be a new one.
  std::int32_t NumberOf(const Key& key) {
    std::int32_t& slot = Slot(key);
    if (slot != kNoValue) return slot;
    if (keys_.size() == kMost) throw Error(ErrorKind::kInput, "a column has more than 2^31 - 2 different values");
    const auto number = static_cast<std::int32_t>(keys_.size());
    slot = number;
    keys_.push_back(key);
    if (keys_.size() * 2 > slots_.size()) Grow();
    return number;
  }

  const std::vector<Key>& keys() const { return keys_; }

 private:
  static constexpr std::size_t kMost = 0x7ffffffe;

  // Where the key's number is, or belongs.
  std::int32_t& Slot(const Key& key) {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = key.Hash() & mask;; i = (i + 1) & mask) {
      if (slots_[i] == kNoValue || keys_[static_cast<std::size_t>(slots_[i])] == key) return slots_[i];
    }
  }

  void Grow() {
    slots_.assign(slots_.size() * 2, kNoValue);
    for (std::size_t i = 0; i < keys_.size(); ++i) Slot(keys_[i]) = static_cast<std::int32_t>(i);
  }

  std::vector<std::int32_t> slots_ = std::vector<std::int32_t>(64, kNoValue);  // numbers of keys; a power of 2
  std::vector<Key> keys_;
};

}  // namespace dtf::python
