// Gzip streams, of one or more members.
#pragma once

#include <memory>
#include <string_view>

#include "io/byte_sink.h"
#include "io/byte_source.h"

namespace dtf {

inline constexpr std::string_view kGzipMagic = "\x1f\x8b";

// The text that `source` holds in compressed form. Reading it throws Error(kInput) when the stream is damaged, ends
// too early, or something else follows it.
std::unique_ptr<ByteSource> MakeGunzip(std::unique_ptr<ByteSource> source);

// Compresses what is written to it.
std::unique_ptr<ByteSink> MakeGzip(std::unique_ptr<ByteSink> sink);

}  // namespace dtf
