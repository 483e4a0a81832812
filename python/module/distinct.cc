// Columns dictionary-encoded where pyarrow would take longer: texts in Arrow's buffers, and arrays of Python objects.
#include "distinct.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include "module.h"
#include "table.h"

namespace dtf::python {
namespace nb = nanobind;
namespace {

template <typename T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// The distinct texts of a column that comes in chunks, whose buffers must stay where they are.
class TextEncoder {
 public:
  // One chunk as Arrow lays it out. `offsets`: of n texts n + 1, into `bytes`. `valid`: a bit for each text, the first
  // being number `first_bit`; none where no text is missing.
  template <typename Offset>
  void Add(Array<Offset> offsets, Array<std::uint8_t> bytes, std::optional<Array<std::uint8_t>> valid,
           std::size_t first_bit) {
    const nb::gil_scoped_release release;
    const auto* const data = reinterpret_cast<const char*>(bytes.data());
    const Offset* const at = offsets.data();
    const std::uint8_t* const bits = valid ? valid->data() : nullptr;
    const std::size_t count = offsets.size() - 1;
    positions_.reserve(positions_.size() + count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t bit = first_bit + i;
      const bool missing = bits != nullptr && (bits[bit / 8] >> (bit % 8) & 1) == 0;
      const std::string_view text(data + at[i], static_cast<std::size_t>(at[i + 1] - at[i]));
      positions_.push_back(missing ? kNoValue : distinct_.NumberOf(TextKey(text)));
    }
  }

  // Gives the positions away. Raises UnicodeDecodeError for a text that is not UTF-8.
  nb::tuple Finish() {
    nb::list texts;
    for (const TextKey& key : distinct_.keys()) {
      const auto size = static_cast<Py_ssize_t>(key.text().size());
      PyObject* const text = PyUnicode_DecodeUTF8(key.text().data(), size, nullptr);
      if (text == nullptr) throw nb::python_error();
      texts.append(nb::steal(text));
    }
    const std::size_t rows = positions_.size();
    return nb::make_tuple(texts, ToNumpy(std::move(positions_), rows));
  }

 private:
  Distinct<TextKey> distinct_;
  std::vector<std::int32_t> positions_;
};

// The cells of a one-dimensional numpy array of objects, borrowed.
class Objects {
 public:
  explicit Objects(nb::handle array) {
    if (PyObject_GetBuffer(array.ptr(), &view_, PyBUF_STRIDED_RO) != 0) throw nb::python_error();
  }
  ~Objects() { PyBuffer_Release(&view_); }
  Objects(const Objects&) = delete;
  Objects& operator=(const Objects&) = delete;

  std::size_t size() const { return static_cast<std::size_t>(view_.shape[0]); }

  PyObject* operator[](std::size_t i) const {
    const auto* const cell = static_cast<const char*>(view_.buf) + static_cast<Py_ssize_t>(i) * view_.strides[0];
    PyObject* const object = *reinterpret_cast<PyObject* const*>(cell);
    return object == nullptr ? Py_None : object;  // as numpy takes it
  }

 private:
  Py_buffer view_;
};

// Numbers the values of several `Distinct` by where they are first.
class FirstCells {
 public:
  // The number of the value at `cell`, which is the `number`th of its own kind.
  std::int32_t NumberOf(std::vector<std::int32_t>& numbers, std::int32_t number, std::size_t cell) {
    if (static_cast<std::size_t>(number) == numbers.size()) {
      numbers.push_back(static_cast<std::int32_t>(cells_.size()));
      cells_.push_back(static_cast<std::int64_t>(cell));
    }
    return numbers[static_cast<std::size_t>(number)];
  }

  std::vector<std::int64_t> Take() { return std::move(cells_); }

 private:
  std::vector<std::int64_t> cells_;
};

TextKey KeyOf(nb::handle text) {
  Py_ssize_t size = 0;
  const char* const bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (bytes == nullptr) throw nb::python_error();
  return TextKey({bytes, static_cast<std::size_t>(size)});
}

// For each distinct cell where it is first, and for each cell which it is. Texts are distinct by what they say, all
// else by identity: so equal cells may count as distinct. None when there are more than `most` that are no texts.
// Raises UnicodeEncodeError for a text with half a surrogate pair. REQUIRES: a one-dimensional numpy array of objects.
nb::object DistinctObjects(nb::handle array, std::size_t most) {
  const Objects objects(array);
  Distinct<TextKey> texts;
  Distinct<ObjectKey> others;
  std::vector<std::int32_t> text_numbers, other_numbers, positions(objects.size());
  FirstCells first;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    PyObject* const object = objects[i];
    if (PyUnicode_CheckExact(object)) {
      positions[i] = first.NumberOf(text_numbers, texts.NumberOf(KeyOf(object)), i);
    } else {
      positions[i] = first.NumberOf(other_numbers, others.NumberOf(ObjectKey(object)), i);
      if (others.keys().size() > most) return nb::none();
    }
  }
  std::vector<std::int64_t> cells = first.Take();
  const std::size_t count = cells.size(), rows = positions.size();
  return nb::make_tuple(ToNumpy(std::move(cells), count), ToNumpy(std::move(positions), rows));
}

}  // namespace

void AddDistinct(nb::module_& module) {
  nb::class_<TextEncoder>(module, "TextEncoder", "Dictionary-encodes the chunks of a column of texts.")
      .def(nb::init<>())
      .def("add", &TextEncoder::Add<std::int32_t>, nb::arg("offsets").noconvert(), nb::arg("bytes"),
           nb::arg("valid").none(), nb::arg("first_bit"))
      .def("add", &TextEncoder::Add<std::int64_t>, nb::arg("offsets").noconvert(), nb::arg("bytes"),
           nb::arg("valid").none(), nb::arg("first_bit"))
      .def("finish", &TextEncoder::Finish, nb::sig("def finish(self) -> tuple[list[str | None], NDArray[numpy.int32]]"),
           "Distinct texts, and each cell's position among them; -1 is missing.");
  module.def("distinct_objects", &DistinctObjects, nb::arg("array"), nb::arg("most"),
             nb::sig("def distinct_objects(array: NDArray[numpy.object_], most: int) -> "
                     "tuple[NDArray[numpy.int64], NDArray[numpy.int32]] | None"),
             "Of an array of objects: where each distinct one is first, and each cell's position among them. None when "
             "more than `most` of them are no texts.");
}

}  // namespace dtf::python
