// The canonical texts of a typed column's distinct values, and the way back (base/typed_text.h).
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "base/typed_text.h"
#include "module.h"

namespace dtf::python {
namespace nb = nanobind;
namespace {

using Texts = std::vector<std::optional<std::string>>;  // none: missing
using Ticks = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Numbers = std::vector<std::optional<std::int64_t>>;  // none: no text of that type

// One text for each of `values`, made by append(value, out).
template <typename Array, typename Append>
Texts MakeTexts(const Array& values, const Append& append) {
  Texts texts(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) append(values.data()[i], texts[i].emplace());
  return texts;
}

template <typename Float>
Texts FloatTexts(nb::ndarray<const Float, nb::ndim<1>, nb::c_contig, nb::device::cpu> values) {
  Texts texts(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isnan(values.data()[i])) AppendFloat(values.data()[i], texts[i].emplace());
  }
  return texts;
}

template <typename Parse>
Numbers ParseTexts(const std::vector<std::string>& texts, const Parse& parse) {
  Numbers values;
  values.reserve(texts.size());
  for (const std::string& text : texts) values.push_back(parse(text));
  return values;
}

// As doubles, which hold every float exactly.
template <typename Float>
std::vector<double> ParseFloats(const std::vector<std::string>& texts) {
  std::vector<double> values;
  values.reserve(texts.size());
  for (const std::string& text : texts) {
    Float value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    values.push_back(value);
  }
  return values;
}

}  // namespace

void AddTexts(nb::module_& module) {
  module.def("float_texts", &FloatTexts<float>, nb::arg("values").noconvert());
  module.def("float_texts", &FloatTexts<double>, nb::arg("values").noconvert(), "Texts of floats; of NaN none.");
  module.def(
      "decimal_text",
      [](const std::string& digits, int scale) {
        std::string text;
        AppendDecimal(digits, scale, text);
        return text;
      },
      nb::arg("digits"), nb::arg("scale"), "Text of the number digits · 10^-scale; `digits` is a whole number.");
  module.def(
      "date_texts", [](Ticks days) { return MakeTexts(days, AppendDate); }, nb::arg("days"),
      "Texts of dates, in days since 1970-01-01.");
  module.def(
      "time_texts",
      [](Ticks ticks, std::int64_t per_second) {
        return MakeTexts(ticks, [&](std::int64_t tick, std::string& out) {
          if (tick < 0) {  // no time of day; kept apart all the same
            out = std::to_string(tick);
          } else {
            AppendTime(tick, per_second, out);
          }
        });
      },
      nb::arg("ticks"), nb::arg("per_second"), "Texts of times of day, in ticks since midnight.");
  module.def(
      "timestamp_texts",
      [](Ticks ticks, std::int64_t per_second, bool has_zone) {
        return MakeTexts(
            ticks, [&](std::int64_t tick, std::string& out) { AppendTimestamp(tick, per_second, has_zone, out); });
      },
      nb::arg("ticks"), nb::arg("per_second"), nb::arg("has_zone"), "Texts of timestamps, in ticks since 1970.");

  module.def("parse_singles", &ParseFloats<float>, nb::arg("texts"), "The nearest float32 of each text.");
  module.def("parse_doubles", &ParseFloats<double>, nb::arg("texts"), "The nearest float64 of each text.");
  module.def(
      "parse_dates", [](const std::vector<std::string>& texts) { return ParseTexts(texts, ParseDate); },
      nb::arg("texts"), "Days since 1970-01-01; None for a text that is no date.");
  module.def(
      "parse_times",
      [](const std::vector<std::string>& texts, std::int64_t per_second) {
        return ParseTexts(texts, [&](const std::string& text) { return ParseTime(text, per_second); });
      },
      nb::arg("texts"), nb::arg("per_second"), "Ticks since midnight; None for a text that is no time of day.");
  module.def(
      "parse_timestamps",
      [](const std::vector<std::string>& texts, std::int64_t per_second, bool has_zone) {
        return ParseTexts(texts, [&](const std::string& text) { return ParseTimestamp(text, per_second, has_zone); });
      },
      nb::arg("texts"), nb::arg("per_second"), nb::arg("has_zone"), "Ticks since 1970; None for no timestamp.");
}

}  // namespace dtf::python
