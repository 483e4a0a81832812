#include "io/arrow_types.h"

#include <charconv>
#include <system_error>
#include <utility>

#include <arrow/array.h>
#include <arrow/scalar.h>
#include <arrow/type.h>
#include <arrow/util/decimal.h>
#include <arrow/util/float16.h>

#include "base/typed_text.h"

namespace dtf {
namespace {

using arrow::Type;

std::int64_t TicksPerSecond(arrow::TimeUnit::type unit) {
  switch (unit) {
    case arrow::TimeUnit::SECOND:
      return 1;
    case arrow::TimeUnit::MILLI:
      return 1'000;
    case arrow::TimeUnit::MICRO:
      return 1'000'000;
    case arrow::TimeUnit::NANO:
      return 1'000'000'000;
  }
  return 1;
}

// ---------------------------------------------------------------- Value to text

template <typename ArrayType>
auto ValueAt(const arrow::Array& array, std::int64_t row) {
  return static_cast<const ArrayType&>(array).GetView(row);
}

template <typename ArrayType>
std::string_view IntegerAt(const arrow::Array& array, std::int64_t row, std::string& scratch) {
  char buffer[24];
  const auto value = ValueAt<ArrayType>(array, row);
  const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
  return scratch.assign(buffer, result.ptr);
}

template <typename Float>
std::optional<std::string_view> FloatText(Float value, std::string& scratch) {
  if (value != value) return std::nullopt;
  scratch.clear();
  AppendFloat(value, scratch);
  return scratch;
}

template <typename ArrayType, typename Decimal>
std::string_view DecimalAt(const arrow::Array& array, std::int64_t row, std::string& scratch) {
  const Decimal value(static_cast<const ArrayType&>(array).GetValue(row));
  scratch.clear();
  AppendDecimal(value.ToIntegerString(), static_cast<const arrow::DecimalType&>(*array.type()).scale(), scratch);
  return scratch;
}

// Milliseconds are the unit of date64, which has to hold whole days but may not.
std::string_view Date64At(const arrow::Array& array, std::int64_t row, std::string& scratch) {
  constexpr std::int64_t kTicks = 1'000;
  constexpr std::int64_t kTicksPerDay = 86'400 * kTicks;
  const std::int64_t ticks = ValueAt<arrow::Date64Array>(array, row);
  scratch.clear();
  if (ticks % kTicksPerDay == 0) {
    AppendDate(ticks / kTicksPerDay, scratch);
  } else {
    AppendTimestamp(ticks, kTicks, false, scratch);
  }
  return scratch;
}

template <typename ArrayType, typename TimeType>
std::string_view TimeAt(const arrow::Array& array, std::int64_t row, std::string& scratch) {
  const std::int64_t ticks = ValueAt<ArrayType>(array, row);
  scratch.clear();
  if (ticks < 0) {  // no time of day; kept apart all the same
    scratch = std::to_string(ticks);
  } else {
    AppendTime(ticks, TicksPerSecond(static_cast<const TimeType&>(*array.type()).unit()), scratch);
  }
  return scratch;
}

std::string_view TimestampAt(const arrow::Array& array, std::int64_t row, std::string& scratch) {
  const auto& type = static_cast<const arrow::TimestampType&>(*array.type());
  scratch.clear();
  AppendTimestamp(ValueAt<arrow::TimestampArray>(array, row), TicksPerSecond(type.unit()), !type.timezone().empty(),
                  scratch);
  return scratch;
}

// ---------------------------------------------------------------- Text to value

template <typename Number>
std::optional<Number> ParseNumber(const std::string& text) {
  Number value{};
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size() || value != value) return std::nullopt;
  return value;
}

std::shared_ptr<arrow::Scalar> Null() { return nullptr; }

template <typename Value>
std::shared_ptr<arrow::Scalar> Make(const std::shared_ptr<arrow::DataType>& type, const std::optional<Value>& value) {
  if (!value) return Null();
  auto scalar = arrow::MakeScalar(type, *value);
  return scalar.ok() ? std::move(scalar).ValueUnsafe() : Null();
}

template <typename Decimal>
std::shared_ptr<arrow::Scalar> MakeDecimal(const std::shared_ptr<arrow::DataType>& type, const std::string& text) {
  const auto& decimal_type = static_cast<const arrow::DecimalType&>(*type);
  Decimal value;
  std::int32_t precision = 0;
  std::int32_t scale = 0;
  if (!Decimal::FromString(text, &value, &precision, &scale).ok()) return Null();
  auto rescaled = value.Rescale(scale, decimal_type.scale());
  if (!rescaled.ok() || !rescaled->FitsInPrecision(decimal_type.precision())) return Null();
  return Make(type, std::optional<Decimal>(*rescaled));
}

std::optional<std::int32_t> Narrow(std::optional<std::int64_t> value) {
  if (!value || *value != static_cast<std::int32_t>(*value)) return std::nullopt;
  return static_cast<std::int32_t>(*value);
}

std::optional<std::int64_t> ParseDate64(const std::string& text) {
  const std::optional<std::int64_t> days = ParseDate(text);
  std::int64_t ticks = 0;
  if (!days) return ParseTimestamp(text, 1'000, false);
  if (__builtin_mul_overflow(*days, std::int64_t{86'400'000}, &ticks)) return std::nullopt;
  return ticks;
}

std::shared_ptr<arrow::Scalar> ParseTemporal(const std::shared_ptr<arrow::DataType>& type, const std::string& text) {
  switch (type->id()) {
    case Type::DATE32:
      return Make(type, Narrow(ParseDate(text)));
    case Type::DATE64:
      return Make(type, ParseDate64(text));
    case Type::TIME32:
      return Make(type, Narrow(ParseTime(text, TicksPerSecond(static_cast<arrow::TimeType&>(*type).unit()))));
    case Type::TIME64:
      return Make(type, ParseTime(text, TicksPerSecond(static_cast<arrow::TimeType&>(*type).unit())));
    case Type::TIMESTAMP: {
      const auto& timestamp = static_cast<const arrow::TimestampType&>(*type);
      return Make(type, ParseTimestamp(text, TicksPerSecond(timestamp.unit()), !timestamp.timezone().empty()));
    }
    default:
      return Null();
  }
}

// ---------------------------------------------------------------- Names of types

const std::shared_ptr<arrow::DataType>* FindPlainType(std::string_view name) {
  static const std::vector<std::shared_ptr<arrow::DataType>> types = {arrow::null(),
                                                                      arrow::boolean(),
                                                                      arrow::int8(),
                                                                      arrow::int16(),
                                                                      arrow::int32(),
                                                                      arrow::int64(),
                                                                      arrow::uint8(),
                                                                      arrow::uint16(),
                                                                      arrow::uint32(),
                                                                      arrow::uint64(),
                                                                      arrow::float16(),
                                                                      arrow::float32(),
                                                                      arrow::float64(),
                                                                      arrow::date32(),
                                                                      arrow::date64(),
                                                                      arrow::time32(arrow::TimeUnit::SECOND),
                                                                      arrow::time32(arrow::TimeUnit::MILLI),
                                                                      arrow::time64(arrow::TimeUnit::MICRO),
                                                                      arrow::time64(arrow::TimeUnit::NANO)};
  for (const auto& type : types) {
    if (type->ToString() == name) return &type;
  }
  return nullptr;
}

// "timestamp[us]", "timestamp[us, tz=Europe/Rome]"
std::shared_ptr<arrow::DataType> TimestampNamed(std::string_view name) {
  for (const auto unit :
       {arrow::TimeUnit::SECOND, arrow::TimeUnit::MILLI, arrow::TimeUnit::MICRO, arrow::TimeUnit::NANO}) {
    const std::string plain = arrow::timestamp(unit)->ToString();
    if (name == plain) return arrow::timestamp(unit);
    const std::string start = plain.substr(0, plain.size() - 1) + ", tz=";
    if (name.starts_with(start) && name.ends_with(']')) {
      return arrow::timestamp(unit, std::string(name.substr(start.size(), name.size() - start.size() - 1)));
    }
  }
  return nullptr;
}

// "decimal128(5, 2)"
std::shared_ptr<arrow::DataType> DecimalNamed(std::string_view name) {
  const bool is_small = name.starts_with("decimal128(");
  if (!is_small && !name.starts_with("decimal256(")) return nullptr;
  std::int32_t precision = 0;
  std::int32_t scale = 0;
  const char* const end = name.data() + name.size();
  const auto first = std::from_chars(name.data() + sizeof "decimal128", end, precision);
  if (first.ec != std::errc() || !std::string_view(first.ptr, end).starts_with(", ")) return nullptr;
  const auto second = std::from_chars(first.ptr + 2, end, scale);
  if (second.ec != std::errc() || std::string_view(second.ptr, end) != ")") return nullptr;
  auto type = is_small ? arrow::Decimal128Type::Make(precision, scale) : arrow::Decimal256Type::Make(precision, scale);
  return type.ok() ? *type : nullptr;
}

}  // namespace

std::optional<std::string> TypeNameOf(const arrow::DataType& type) {
  switch (type.id()) {
    case Type::DICTIONARY: {
      const arrow::DataType& values = *static_cast<const arrow::DictionaryType&>(type).value_type();
      return values.id() == Type::DICTIONARY ? std::nullopt : TypeNameOf(values);
    }
    case Type::STRING:
    case Type::LARGE_STRING:
    case Type::STRING_VIEW:
      return "string";
    case Type::DECIMAL128:
    case Type::DECIMAL256:
    case Type::TIMESTAMP:
      return type.ToString();
    default:
      return FindPlainType(type.ToString()) != nullptr ? std::optional(type.ToString()) : std::nullopt;
  }
}

std::shared_ptr<arrow::DataType> TypeNamed(std::string_view name) {
  if (const auto* plain = FindPlainType(name)) return *plain;
  if (auto timestamp = TimestampNamed(name)) return timestamp;
  if (auto decimal = DecimalNamed(name)) return decimal;
  return arrow::utf8();
}

std::optional<std::string_view> TextAt(const arrow::Array& array, std::int64_t row, std::string& scratch) {
  if (array.IsNull(row)) return std::nullopt;
  switch (array.type_id()) {
    case Type::STRING:
      return ValueAt<arrow::StringArray>(array, row);
    case Type::LARGE_STRING:
      return ValueAt<arrow::LargeStringArray>(array, row);
    case Type::STRING_VIEW:
      return ValueAt<arrow::StringViewArray>(array, row);
    case Type::BOOL:
      return ValueAt<arrow::BooleanArray>(array, row) ? "true" : "false";
    case Type::INT8:
      return IntegerAt<arrow::Int8Array>(array, row, scratch);
    case Type::INT16:
      return IntegerAt<arrow::Int16Array>(array, row, scratch);
    case Type::INT32:
      return IntegerAt<arrow::Int32Array>(array, row, scratch);
    case Type::INT64:
      return IntegerAt<arrow::Int64Array>(array, row, scratch);
    case Type::UINT8:
      return IntegerAt<arrow::UInt8Array>(array, row, scratch);
    case Type::UINT16:
      return IntegerAt<arrow::UInt16Array>(array, row, scratch);
    case Type::UINT32:
      return IntegerAt<arrow::UInt32Array>(array, row, scratch);
    case Type::UINT64:
      return IntegerAt<arrow::UInt64Array>(array, row, scratch);
    case Type::HALF_FLOAT:
      return FloatText(arrow::util::Float16::FromBits(ValueAt<arrow::HalfFloatArray>(array, row)).ToFloat(), scratch);
    case Type::FLOAT:
      return FloatText(ValueAt<arrow::FloatArray>(array, row), scratch);
    case Type::DOUBLE:
      return FloatText(ValueAt<arrow::DoubleArray>(array, row), scratch);
    case Type::DECIMAL128:
      return DecimalAt<arrow::Decimal128Array, arrow::Decimal128>(array, row, scratch);
    case Type::DECIMAL256:
      return DecimalAt<arrow::Decimal256Array, arrow::Decimal256>(array, row, scratch);
    case Type::DATE32:
      scratch.clear();
      AppendDate(ValueAt<arrow::Date32Array>(array, row), scratch);
      return scratch;
    case Type::DATE64:
      return Date64At(array, row, scratch);
    case Type::TIME32:
      return TimeAt<arrow::Time32Array, arrow::Time32Type>(array, row, scratch);
    case Type::TIME64:
      return TimeAt<arrow::Time64Array, arrow::Time64Type>(array, row, scratch);
    case Type::TIMESTAMP:
      return TimestampAt(array, row, scratch);
    default:
      return std::nullopt;  // the type null
  }
}

std::shared_ptr<arrow::Scalar> ParseScalar(const std::shared_ptr<arrow::DataType>& type, const std::string& text) {
  switch (type->id()) {
    case Type::STRING:
      return Make(type, std::optional<std::string>(text));
    case Type::BOOL:
      return text == "true" || text == "false" ? Make(type, std::optional<bool>(text == "true")) : Null();
    case Type::INT8:
      return Make(type, ParseNumber<std::int8_t>(text));
    case Type::INT16:
      return Make(type, ParseNumber<std::int16_t>(text));
    case Type::INT32:
      return Make(type, ParseNumber<std::int32_t>(text));
    case Type::INT64:
      return Make(type, ParseNumber<std::int64_t>(text));
    case Type::UINT8:
      return Make(type, ParseNumber<std::uint8_t>(text));
    case Type::UINT16:
      return Make(type, ParseNumber<std::uint16_t>(text));
    case Type::UINT32:
      return Make(type, ParseNumber<std::uint32_t>(text));
    case Type::UINT64:
      return Make(type, ParseNumber<std::uint64_t>(text));
    case Type::HALF_FLOAT: {
      const std::optional<float> value = ParseNumber<float>(text);
      return value ? std::make_shared<arrow::HalfFloatScalar>(arrow::util::Float16::FromFloat(*value).bits()) : Null();
    }
    case Type::FLOAT:
      return Make(type, ParseNumber<float>(text));
    case Type::DOUBLE:
      return Make(type, ParseNumber<double>(text));
    case Type::DECIMAL128:
      return MakeDecimal<arrow::Decimal128>(type, text);
    case Type::DECIMAL256:
      return MakeDecimal<arrow::Decimal256>(type, text);
    default:
      return ParseTemporal(type, text);
  }
}

}  // namespace dtf
