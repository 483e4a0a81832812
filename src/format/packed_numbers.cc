#include "format/packed_numbers.h"

#include <algorithm>

#include "dtf/error.h"

namespace dtf {
namespace {

[[noreturn]] void Refuse(const char* what) { throw Error(ErrorKind::kModelFile, what); }

// Reads a number of several bytes; `in` stands on its first one. REQUIRES: some byte from there on ends a number.
std::uint64_t UnpackLongNumber(const std::uint8_t*& in) {
  std::uint64_t number = 0;
  for (int shift = 0;; shift += 7) {
    const std::uint64_t bits = *in & 0x7F;
    const bool is_last = *in++ < 0x80;
    if (shift == 63 && (bits > 1 || !is_last)) Refuse("a number needs more than 64 bits");
    number |= bits << shift;
    if (!is_last) continue;
    if (bits == 0) Refuse("a number is not in its shortest form");
    return number;
  }
}

template <typename T>
std::vector<T> Unpack(std::span<const std::uint8_t> bytes, T largest) {
  if (!bytes.empty() && bytes.back() >= 0x80) Refuse("a list of numbers is cut off");
  const auto size = std::count_if(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte < 0x80; });
  std::vector<T> numbers(static_cast<std::size_t>(size));
  const std::uint8_t* in = bytes.data();
  for (T& number : numbers) {
    const std::uint64_t read = *in < 0x80 ? *in++ : UnpackLongNumber(in);
    if (read > largest) Refuse("a number is out of its range");
    number = static_cast<T>(read);
  }
  return numbers;
}

}  // namespace

std::vector<std::uint32_t> UnpackNumbers32(std::span<const std::uint8_t> bytes, std::uint32_t largest) {
  return Unpack<std::uint32_t>(bytes, largest);
}

std::vector<std::uint64_t> UnpackNumbers64(std::span<const std::uint8_t> bytes) {
  return Unpack<std::uint64_t>(bytes, ~std::uint64_t{0});
}

}  // namespace dtf
