#include "format/packed_numbers.h"

#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "dtf/error.h"

namespace dtf {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes Pack(const std::vector<std::uint64_t>& numbers) {
  Bytes bytes;
  for (const std::uint64_t number : numbers) {
    std::uint8_t packed[10];
    const std::uint8_t* end = PackNumber(number, packed);
    EXPECT_EQ(static_cast<std::size_t>(end - packed), PackedSize(number));
    bytes.insert(bytes.end(), packed, packed + PackedSize(number));
  }
  return bytes;
}

std::string WhyRefused(const Bytes& bytes) {
  try {
    UnpackNumbers64(bytes);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kModelFile);
    return error.what();
  }
  return "";
}

TEST(PackedNumbers, AreLeb128) {
  EXPECT_EQ(Pack({0, 1, 127, 128, 300}), (Bytes{0, 1, 0x7F, 0x80, 1, 0xAC, 2}));
  EXPECT_EQ(Pack({~std::uint64_t{0}}), (Bytes{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1}));
}

TEST(PackedNumbers, ComeBack) {
  std::vector<std::uint64_t> numbers = {0};
  for (int bit = 0; bit < 64; ++bit) {
    const std::uint64_t power = std::uint64_t{1} << bit;
    numbers.insert(numbers.end(), {power - 1, power, power + 1});
  }
  numbers.push_back(~std::uint64_t{0});
  EXPECT_EQ(UnpackNumbers64(Pack(numbers)), numbers);
  EXPECT_EQ(UnpackNumbers32(Pack({5, 0xFFFFFFFF})), (std::vector<std::uint32_t>{5, 0xFFFFFFFF}));
  EXPECT_TRUE(UnpackNumbers64({}).empty());
}

TEST(PackedNumbers, HaveASign) {
  EXPECT_EQ(PackSign(0), 0u);
  EXPECT_EQ(PackSign(-1), 1u);
  EXPECT_EQ(PackSign(1), 2u);
  constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();
  for (const std::int32_t number : {0, 1, -1, 63, -64, 1 << 30, -(1 << 30), kLeast, -1 - kLeast}) {
    EXPECT_EQ(UnpackSign(PackSign(number)), number);
  }
}

TEST(PackedNumbers, RefuseWhatIsNoList) {
  EXPECT_EQ(WhyRefused({1, 0x80}), "a list of numbers is cut off");
  EXPECT_EQ(WhyRefused({0x80, 0}), "a number is not in its shortest form");
  EXPECT_EQ(WhyRefused({0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 2}), "a number needs more than 64 bits");
  EXPECT_EQ(WhyRefused(Bytes(20, 0xFF)), "a list of numbers is cut off");
  Bytes endless(20, 0xFF);
  endless.push_back(1);
  EXPECT_EQ(WhyRefused(endless), "a number needs more than 64 bits");
  EXPECT_THROW(UnpackNumbers32(Pack({std::uint64_t{1} << 32})), Error);
  EXPECT_THROW(UnpackNumbers32(Pack({8}), 7), Error);
}

}  // namespace
}  // namespace dtf
