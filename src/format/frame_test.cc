#include "format/frame.h"

#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <gtest/gtest.h>

#include "dtf/error.h"

namespace dtf {
namespace {

std::string WhyRefused(const std::string& file) {
  try {
    UnframePayload(std::as_bytes(std::span(file)), "m.dtf");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kModelFile);
    return error.what();
  }
  return "";
}

const std::vector<std::uint8_t> kPayload = {1, 2, 3, 255};

TEST(Frame, IsLaidOutByteByByte) {
  const std::string file = FramePayload(kPayload, 1);
  EXPECT_EQ(file.substr(0, 24), std::string("\x89"
                                            "DTF\r\n\x1a\n"
                                            "\1\0\0\0"
                                            "\0\0\0\0"
                                            "\4\0\0\0\0\0\0\0",
                                            24));
  EXPECT_EQ(file.substr(40), "\1\2\3\xff");
  const std::string covered = file.substr(0, 24) + file.substr(40);
  const XXH128_hash_t hash = XXH3_128bits(covered.data(), covered.size());
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(static_cast<std::uint8_t>(file[24 + i]), static_cast<std::uint8_t>(hash.low64 >> (8 * i)));
    EXPECT_EQ(static_cast<std::uint8_t>(file[32 + i]), static_cast<std::uint8_t>(hash.high64 >> (8 * i)));
  }
}

TEST(Frame, GivesThePayloadBack) {
  const std::string file = FramePayload(kPayload, 1);
  const auto payload = UnframePayload(std::as_bytes(std::span(file)), "m.dtf");
  EXPECT_EQ(std::vector(payload.begin(), payload.end()), kPayload);
  EXPECT_EQ(WhyRefused(FramePayload({}, 2)), "");
}

TEST(Frame, SaysWhatIsWrong) {
  const std::string file = FramePayload(kPayload, 1);
  EXPECT_EQ(WhyRefused(""), "m.dtf is not a dtf model file");
  EXPECT_EQ(WhyRefused("a,b\n1,2\n"), "m.dtf is not a dtf model file");
  EXPECT_EQ(WhyRefused(file.substr(0, 39)), "m.dtf is damaged: it ends after 39 bytes");
  EXPECT_EQ(WhyRefused(file.substr(0, 43)), "m.dtf is damaged: it should have 4 bytes after its header, and has 3");
  EXPECT_EQ(WhyRefused(file + "x"), "m.dtf is damaged: more follows the 4 bytes that it should have after its header");
  std::string changed = file;
  changed[41] = 'x';
  EXPECT_EQ(WhyRefused(changed), "m.dtf is damaged: its checksum does not match");
  changed = file;
  changed[8] = static_cast<char>(kFormatVersion + 1);
  EXPECT_EQ(WhyRefused(changed), "m.dtf was written by a newer dtf (format " + std::to_string(kFormatVersion + 1) +
                                     "; this one reads up to " + std::to_string(kFormatVersion) + ")");
}

}  // namespace
}  // namespace dtf
