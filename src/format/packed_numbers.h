// Lists of whole numbers as bytes: each number in LEB128 (seven bits a byte, the lowest first; the top bit is set in
// all bytes of a number but its last), in its shortest form. Small numbers, the rule in a model, take one byte; byte
// order and alignment do not matter; one list has one encoding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dtf {

// Bytes that `number` takes: 1 to 10.
inline std::size_t PackedSize(std::uint64_t number) {
  std::size_t size = 1;
  for (; number >= 0x80; number >>= 7) ++size;
  return size;
}

// Writes `number` to `out`, and returns the position after it. REQUIRES: room for PackedSize(number) bytes.
inline std::uint8_t* PackNumber(std::uint64_t number, std::uint8_t* out) {
  for (; number >= 0x80; number >>= 7) *out++ = static_cast<std::uint8_t>(number | 0x80);
  *out++ = static_cast<std::uint8_t>(number);
  return out;
}

// A signed number as an unsigned one: 0, -1, 1, -2, … become 0, 1, 2, 3, …
constexpr std::uint32_t PackSign(std::int32_t number) {
  return (static_cast<std::uint32_t>(number) << 1) ^ static_cast<std::uint32_t>(number >> 31);
}
constexpr std::int32_t UnpackSign(std::uint32_t packed) {
  return static_cast<std::int32_t>((packed >> 1) ^ (0 - (packed & 1)));
}

// The numbers in `bytes`, each at most `largest`. Takes eight bytes of memory for each of `bytes` or less. Throws
// Error(kModelFile) when a number is larger, not in its shortest form, or cut off.
std::vector<std::uint32_t> UnpackNumbers32(std::span<const std::uint8_t> bytes, std::uint32_t largest = 0xFFFFFFFF);
std::vector<std::uint64_t> UnpackNumbers64(std::span<const std::uint8_t> bytes);

}  // namespace dtf
