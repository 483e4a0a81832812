// Which Arrow types a column can have, and their values' texts.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace arrow {
class Array;
class DataType;
struct Scalar;
}  // namespace arrow

namespace dtf {

// The name that ColumnHeader::type gives to columns of this type: for a dictionary that of its values, "string" for
// all kinds of text. Nothing when cells of this type cannot be read (lists, binary data, …).
std::optional<std::string> TypeNameOf(const arrow::DataType& type);

// The type that TypeNameOf gives this name; text for every other name.
std::shared_ptr<arrow::DataType> TypeNamed(std::string_view name);

// Text of the cell at `row`, held by `scratch` or `array`; nothing when it is missing: null, or NaN.
// REQUIRES: TypeNameOf knows the array's type, which is no dictionary.
std::optional<std::string_view> TextAt(const arrow::Array& array, std::int64_t row, std::string& scratch);

// The value of that type which `text` stands for; null when there is none.
std::shared_ptr<arrow::Scalar> ParseScalar(const std::shared_ptr<arrow::DataType>& type, const std::string& text);

}  // namespace dtf
