#include "format/frame.h"

#include <algorithm>
#include <array>
#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "dtf/error.h"

namespace dtf {
namespace {

// Not text, and changed by whatever converts line ends or drops the eighth bit.
constexpr std::array<std::uint8_t, 8> kMagic = {0x89, 'D', 'T', 'F', '\r', '\n', 0x1A, '\n'};
constexpr std::size_t kVersionAt = 8;
constexpr std::size_t kReservedAt = 12;
constexpr std::size_t kLengthAt = 16;
constexpr std::size_t kChecksumAt = 24;

void PutNumber(std::uint64_t number, std::uint8_t* at, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) at[i] = static_cast<std::uint8_t>(number >> (8 * i));
}

std::uint64_t GetNumber(const std::uint8_t* at, std::size_t size) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < size; ++i) number |= std::uint64_t{at[i]} << (8 * i);
  return number;
}

// Writes the checksum of a header and its payload to `out`.
void PutChecksum(const std::uint8_t* header, std::span<const std::uint8_t> payload, std::uint8_t* out) {
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  XXH3_128bits_update(&state, header, kChecksumAt);
  XXH3_128bits_update(&state, payload.data(), payload.size());
  const XXH128_hash_t hash = XXH3_128bits_digest(&state);
  PutNumber(hash.low64, out, 8);
  PutNumber(hash.high64, out + 8, 8);
}

}  // namespace

std::string FramePayload(std::span<const std::uint8_t> payload, std::uint32_t format) {
  std::array<std::uint8_t, kHeaderSize> header{};
  std::copy(kMagic.begin(), kMagic.end(), header.begin());
  PutNumber(format, &header[kVersionAt], 4);
  PutNumber(payload.size(), &header[kLengthAt], 8);
  PutChecksum(header.data(), payload, &header[kChecksumAt]);
  std::string file;
  file.reserve(kHeaderSize + payload.size());
  file.append(reinterpret_cast<const char*>(header.data()), kHeaderSize);
  file.append(reinterpret_cast<const char*>(payload.data()), payload.size());
  return file;
}

std::uint64_t FramedSize(std::span<const std::byte> bytes, const std::string& source) {
  const auto refuse = [&](const std::string& reason) { throw Error(ErrorKind::kModelFile, source + " " + reason); };
  const auto* header = reinterpret_cast<const std::uint8_t*>(bytes.data());
  if (bytes.size() < kMagic.size() || !std::equal(kMagic.begin(), kMagic.end(), header)) {
    refuse("is not a dtf model file");
  }
  if (bytes.size() < kHeaderSize) refuse("is damaged: it ends after " + std::to_string(bytes.size()) + " bytes");
  const std::uint64_t version = GetNumber(header + kVersionAt, 4);
  if (version > kFormatVersion) {
    refuse("was written by a newer dtf (format " + std::to_string(version) + "; this one reads up to " +
           std::to_string(kFormatVersion) + ")");
  }
  const std::uint64_t length = GetNumber(header + kLengthAt, 8);
  if (length > kMaxPayload) refuse("is damaged: its header tells of " + std::to_string(length) + " bytes after it");
  return kHeaderSize + length;
}

std::span<const std::uint8_t> UnframePayload(std::span<const std::byte> bytes, const std::string& source) {
  const auto refuse = [&](const std::string& reason) { throw Error(ErrorKind::kModelFile, source + " " + reason); };
  const std::uint64_t size = FramedSize(bytes, source);
  if (bytes.size() > size) {
    refuse("is damaged: more follows the " + std::to_string(size - kHeaderSize) +
           " bytes that it should have after its header");
  }
  if (bytes.size() < size) {
    refuse("is damaged: it should have " + std::to_string(size - kHeaderSize) + " bytes after its header, and has " +
           std::to_string(bytes.size() - kHeaderSize));
  }
  const auto* header = reinterpret_cast<const std::uint8_t*>(bytes.data());
  const std::span payload(header + kHeaderSize, bytes.size() - kHeaderSize);
  std::array<std::uint8_t, kHeaderSize - kChecksumAt> checksum;
  PutChecksum(header, payload, checksum.data());
  if (!std::equal(checksum.begin(), checksum.end(), header + kChecksumAt)) {
    refuse("is damaged: its checksum does not match");
  }
  if (GetNumber(header + kVersionAt, 4) == 0 || GetNumber(header + kReservedAt, 4) != 0)
    refuse("is damaged: its header is not of any format");
  if (payload.size() > kMaxPayload) refuse("is damaged: it is larger than any model file");
  return payload;
}

}  // namespace dtf
