// Tables on their way between Python and the library.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "dtf/table.h"

namespace dtf::python {

using Codes = nanobind::ndarray<nanobind::numpy, Code, nanobind::ndim<1>>;

// An array that owns `values`, without a copy.
template <typename Value, typename... Shape>
nanobind::ndarray<nanobind::numpy, Value, nanobind::ndim<sizeof...(Shape)>> ToNumpy(std::vector<Value> values,
                                                                                    Shape... shape) {
  auto* const kept = new std::vector<Value>(std::move(values));
  nanobind::capsule owner(kept, [](void* pointer) noexcept { delete static_cast<std::vector<Value>*>(pointer); });
  return {kept->data(), {static_cast<std::size_t>(shape)...}, owner};
}

// The batch's columns, each as its dictionary and the positions in it; of a missing cell 2^32 - 1.
nanobind::list ToPython(Batch batch);

}  // namespace dtf::python
