// The frame of a model file: a fixed header before the payload. All numbers little-endian.
//   offset  size
//        0     8  magic: 89 44 54 46 0D 0A 1A 0A
//        8     4  format version
//       12     4  0
//       16     8  bytes of the payload, which is the rest of the file
//       24    16  XXH3-128 of bytes 0 to 23 and the payload: its low 64 bits, then its high ones
//       40        payload
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace dtf {

inline constexpr std::uint32_t kFormatVersion = 7;  // the newest that this library reads
inline constexpr std::size_t kHeaderSize = 40;
inline constexpr std::size_t kMaxPayload = 0x7FFF0000;  // FlatBuffers' offsets have 31 bits

// REQUIRES: payload.size() <= kMaxPayload, 1 <= format <= kFormatVersion.
std::string FramePayload(std::span<const std::uint8_t> payload, std::uint32_t format);

// The size in bytes of the file that begins with `header`: its first kHeaderSize bytes, or all if it has fewer. Throws
// as UnframePayload does when they show that it is no model file that can be read.
std::uint64_t FramedSize(std::span<const std::byte> header, const std::string& source);

// The payload, a part of `bytes`. Throws Error(kModelFile), a complete sentence that names `source`, when they are no
// model file, were written by a newer dtf, or have been changed since.
std::span<const std::uint8_t> UnframePayload(std::span<const std::byte> bytes, const std::string& source);

}  // namespace dtf
