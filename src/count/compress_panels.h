// Narrows packed planes over a node's rows to packed planes over some of these rows, which keep their order.
#pragma once

#include <cstdint>
#include <span>

#include "count/planes.h"

namespace dtf {

// `to` gets the items of `from` over the rows of `mask`: PlaneWords(rows kept) words. `mask`: from.words() words, at
// least one bit set. REQUIRES: from.bits() == 1, and `to` is another object.
void CompressPanels(const PlanePanels& from, std::span<const std::uint64_t> mask, PlanePanels& to);

// The same for planes that lie one after the other, which take less time together, and for one plane.
void CompressPlanes(PlaneMatrix from, std::span<const std::uint64_t> mask, std::uint64_t* to);
void CompressPlane(const std::uint64_t* plane, std::span<const std::uint64_t> mask, std::uint64_t* out);

}  // namespace dtf
