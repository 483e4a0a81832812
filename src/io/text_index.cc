#include "io/text_index.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <utility>

namespace dtf {
namespace {

static_assert(std::endian::native == std::endian::little, "KeyOf packs overlapping words");

constexpr std::uint64_t kLongText = std::uint64_t{0xFF} << 56;

template <typename Word>
std::uint64_t Load(const char* at) {
  Word word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

}  // namespace

// The top byte is the length + 1 of a short text, 0xFF for a long one: keys of short texts differ when the texts do.
std::uint64_t TextIndex::KeyOf(std::string_view text) {
  const std::size_t size = text.size();
  if (size > kShort) return std::hash<std::string_view>{}(text) | kLongText;
  std::uint64_t bytes = 0;
  if (size >= 4) {
    bytes = Load<std::uint32_t>(text.data()) | Load<std::uint32_t>(text.data() + size - 4) << 8 * (size - 4);
  } else if (size >= 2) {
    bytes = Load<std::uint16_t>(text.data()) | Load<std::uint16_t>(text.data() + size - 2) << 8 * (size - 2);
  } else if (size == 1) {
    bytes = static_cast<unsigned char>(text[0]);
  }
  return bytes | std::uint64_t{size + 1} << 56;
}

bool TextIndex::Holds(const Slot& slot, std::string_view text, const std::vector<std::string>& texts) const {
  if (slot.key < kLongText) return true;
  if (slot.code == kMissingCell) return std::find(marked_.begin(), marked_.end(), text) != marked_.end();
  return texts[slot.code] == text;
}

Code TextIndex::FindOrAdd(std::string_view text, std::vector<std::string>& texts) {
  const std::uint64_t key = KeyOf(text);
  if (!slots_.empty()) {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = Start(key); slots_[at].key != 0; at = (at + 1) & mask) {
      if (slots_[at].key != key || !Holds(slots_[at], text, texts)) continue;
      return slots_[at].code == kMissingCell ? Meet(text) : slots_[at].code;
    }
  }
  const auto code = static_cast<Code>(texts.size());
  texts.emplace_back(text);
  Insert(key, code);
  return code;
}

void TextIndex::Mark(std::string_view text) {
  if (std::find(marked_.begin(), marked_.end(), text) != marked_.end()) return;
  marked_.emplace_back(text);
  unmet_.emplace_back(text);
  Insert(KeyOf(text), kMissingCell);
}

bool TextIndex::HasMet(std::string_view text) const {
  return std::find(unmet_.begin(), unmet_.end(), text) == unmet_.end();
}

Code TextIndex::Meet(std::string_view text) {
  if (!unmet_.empty()) std::erase(unmet_, text);
  return kMissingCell;
}

void TextIndex::Clear() {
  slots_ = {};
  used_ = 0;
  for (const std::string& text : marked_) Insert(KeyOf(text), kMissingCell);
}

void TextIndex::Insert(std::uint64_t key, Code code) {
  if (4 * (used_ + 1) > 3 * slots_.size()) Grow();
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = Start(key);
  while (slots_[at].key != 0) at = (at + 1) & mask;
  slots_[at] = {key, code};
  ++used_;
}

void TextIndex::Grow() {
  std::vector<Slot> old(std::max<std::size_t>(4, 2 * slots_.size()));
  old.swap(slots_);
  shift_ = old.empty() ? 62 : shift_ - 1;
  used_ = 0;
  for (const Slot& slot : old) {
    if (slot.key != 0) Insert(slot.key, slot.code);
  }
}

}  // namespace dtf
