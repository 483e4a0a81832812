#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dtf/error.h"
#include "format/checks.h"
#include "format/frame.h"
#include "format/model_file.h"
#include "format/model_generated.h"
#include "format/packed_numbers.h"

namespace dtf {
namespace {

template <typename T>
using Tables = flatbuffers::Vector<flatbuffers::Offset<T>>;

[[noreturn]] void Refuse(const std::string& what) { throw Error(ErrorKind::kModelFile, what); }

// The list of lists with these values one after the other.
template <typename T>
Ragged<T> MakeRagged(const std::vector<T>& values, const std::vector<std::uint32_t>& lengths) {
  if (std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0}) != values.size()) {
    Refuse("its lists have other lengths than their values");
  }
  Ragged<T> lists;
  const T* begin = values.data();
  for (const std::uint32_t length : lengths) {
    lists.Append({begin, length});
    begin += length;
  }
  return lists;
}

// Reads a payload that flatbuffers::Verifier has accepted: what lies in it lies within it. But several offsets may lead
// to the same part, and a small file could so grow without limit. A file that was written has each part once, so all
// that is read must sum to no more than the payload.
class ModelReader {
 public:
  explicit ModelReader(std::size_t payload_size) : unread_(payload_size), unspent_cost_(MaxLoadingCost(payload_size)) {}

  ModelContent Read(const file::Model& model) {
    Schema schema;
    schema.columns = ReadEach(model.columns(), "column", &ModelReader::ReadColumn);
    schema.closed = model.closed();
    CheckSchema(schema);
    FitRecord record = model.record() == nullptr ? FitRecord() : ReadRecord(*model.record());
    CheckRecord(record);
    for (const ColumnSchema& column : schema.columns) sizes_.push_back(column.size());
    const file::LayeredFlow* flow = model.flow_as_LayeredFlow();
    if (flow == nullptr) Refuse("it has no flow of a kind that this dtf knows");
    return {std::move(schema), std::move(record), ReadFlow(*flow, model.closed())};
  }

 private:
  void Spend(std::size_t bytes) {
    if (bytes > unread_) Refuse("its parts overlap");
    unread_ -= bytes;
  }

  std::span<const std::uint8_t> ReadBytes(const flatbuffers::Vector<std::uint8_t>* bytes) {
    if (bytes == nullptr) return {};
    Spend(sizeof(flatbuffers::uoffset_t) + bytes->size());
    return {bytes->data(), bytes->size()};
  }

  std::vector<std::uint32_t> ReadNumbers(const flatbuffers::Vector<std::uint8_t>* bytes) {
    return UnpackNumbers32(ReadBytes(bytes));
  }

  std::string ReadString(const flatbuffers::String* text) {
    if (text == nullptr) return {};
    Spend(sizeof(flatbuffers::uoffset_t) + text->size());
    return text->str();
  }

  // The verifier does not see to it that the numbers are aligned.
  std::vector<double> ReadDoubles(const flatbuffers::Vector<double>* doubles) {
    if (doubles == nullptr) return {};
    Spend(sizeof(flatbuffers::uoffset_t) + sizeof(double) * doubles->size());
    std::vector<double> numbers(doubles->size());
    if (!numbers.empty()) std::memcpy(numbers.data(), doubles->Data(), sizeof(double) * numbers.size());
    for (double& number : numbers) number = flatbuffers::EndianScalar(number);
    return numbers;
  }

  // `what` is what messages call a table; they count from 1.
  template <typename Item, typename Table>
  std::vector<Item> ReadEach(const Tables<Table>* tables, const std::string& what,
                             Item (ModelReader::*read)(const Table&)) {
    std::vector<Item> items;
    if (tables == nullptr) return items;
    constexpr std::size_t kSmallestTable = sizeof(flatbuffers::soffset_t);
    Spend((sizeof(flatbuffers::uoffset_t) + kSmallestTable) * tables->size());
    items.reserve(tables->size());
    for (const Table* table : *tables) {
      try {
        items.push_back((this->*read)(*table));
      } catch (const Error& error) {
        Refuse(what + " " + std::to_string(items.size() + 1) + ": " + error.what());
      }
    }
    return items;
  }

  Bins ReadBins(const file::Bins& bins) {
    if (bins.decimals() > std::numeric_limits<int>::max()) Refuse("it has bins with too many decimals");
    return {ReadDoubles(bins.cuts()), ReadDoubles(bins.low()), ReadDoubles(bins.high()),
            static_cast<int>(bins.decimals())};
  }

  ColumnSchema ReadColumn(const file::Column& column) {
    ColumnSchema schema;
    schema.name = ReadString(column.name());
    schema.type = ReadString(column.type());
    schema.has_missing = column.has_missing();
    schema.ordered = column.ordered();
    if (column.bins() != nullptr) schema.bins = ReadBins(*column.bins());
    const std::vector<std::uint32_t> lengths = ReadNumbers(column.category_lengths());
    const auto text = ReadBytes(column.category_text());
    if (std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0}) != text.size()) {
      Refuse("its categories have other lengths than their text");
    }
    schema.categories.reserve(lengths.size());
    const char* begin = reinterpret_cast<const char*>(text.data());
    for (const std::uint32_t length : lengths) {
      schema.categories.emplace_back(begin, length);
      begin += length;
    }
    return schema;
  }

  std::vector<std::int32_t> ReadChildren(const flatbuffers::Vector<std::uint8_t>* bytes) {
    const auto numbers = UnpackNumbers32(ReadBytes(bytes), std::numeric_limits<std::int32_t>::max());
    std::vector<std::int32_t> children(numbers.begin(), numbers.end());
    for (std::int32_t& child : children) child = child == 0 ? kNoChild : child;
    return children;
  }

  Tsp ReadTree(const file::Tree& tree) {
    TspNodes nodes;
    nodes.left = ReadChildren(tree.left());
    nodes.right = ReadChildren(tree.right());
    nodes.feature = ReadNumbers(tree.feature());
    nodes.left_set = MakeRagged(ReadNumbers(tree.left_set()), ReadNumbers(tree.left_set_lengths()));
    nodes.moved = MakeRagged(ReadNumbers(tree.moved()), ReadNumbers(tree.moved_lengths()));
    nodes.top = MakeRagged(ReadNumbers(tree.top()), ReadNumbers(tree.top_lengths()));
    unspent_cost_ -= LoadingCost(nodes, sizes_);
    if (unspent_cost_ < 0) Refuse("the trees take far more memory than their file");
    return Tsp::Make(std::move(nodes), sizes_);
  }

  Flow ReadFlow(const file::LayeredFlow& flow, bool closed) {
    const file::IndependentCounts* base = flow.base_as_IndependentCounts();
    if (base == nullptr) Refuse("it has no base distribution of a kind that this dtf knows");
    Ragged<std::uint64_t> counts = MakeRagged(UnpackNumbers64(ReadBytes(base->counts())), sizes_);
    CheckBase(counts, base->unit(), base->alpha());
    std::vector<Tsp> layers = ReadEach(flow.layers(), "layer", &ModelReader::ReadTree);
    return Flow(sizes_, std::move(layers), IndependentBase(std::move(counts), base->unit(), base->alpha(), closed));
  }

  std::pair<std::string, std::string> ReadOption(const file::Option& option) {
    std::string name = ReadString(option.name());
    return {std::move(name), ReadString(option.value())};
  }

  LearningCurvePoint ReadPoint(const file::CurvePoint& point) {
    if (point.layers() > std::numeric_limits<int>::max()) Refuse("it has too many layers");
    const auto valid_nll = point.valid_nll();
    return {static_cast<int>(point.layers()), point.train_nll(),
            valid_nll.has_value() ? std::optional<double>(*valid_nll) : std::nullopt};
  }

  FitRecord ReadRecord(const file::FitRecord& record) {
    FitRecord read;
    read.options = ReadEach(record.options(), "option", &ModelReader::ReadOption);
    read.rows = record.rows();
    read.train_nll = record.train_nll();
    read.curve = ReadEach(record.curve(), "point of the curve", &ModelReader::ReadPoint);
    return read;
  }

  std::size_t unread_;
  double unspent_cost_;
  std::vector<Code> sizes_;
};

const file::Model& Verify(std::span<const std::uint8_t> payload) {
  flatbuffers::Verifier::Options options;
  options.max_depth = 8;  // the schema is less deep
  // Each table in a list takes at least an offset of four bytes, and no list is read twice; the rest are a few.
  options.max_tables = static_cast<flatbuffers::uoffset_t>(payload.size() / sizeof(flatbuffers::uoffset_t));
  flatbuffers::Verifier verifier(payload.data(), payload.size(), options);
  if (!verifier.VerifyBuffer<file::Model>(nullptr)) Refuse("it is no FlatBuffers payload of its schema");
  return *flatbuffers::GetRoot<file::Model>(payload.data());
}

// FlatBuffers reads numbers where they lie, which must be at multiples of their size.
std::span<const std::uint8_t> Align(std::span<const std::uint8_t> payload, std::vector<std::uint64_t>& copy) {
  if (reinterpret_cast<std::uintptr_t>(payload.data()) % alignof(std::uint64_t) == 0) return payload;
  copy.resize(payload.size() / sizeof(std::uint64_t) + 1);
  std::memcpy(copy.data(), payload.data(), payload.size());
  return {reinterpret_cast<const std::uint8_t*>(copy.data()), payload.size()};
}

}  // namespace

ModelContent ParseModel(std::span<const std::byte> bytes, const std::string& source) {
  const auto payload = UnframePayload(bytes, source);
  try {
    std::vector<std::uint64_t> copy;
    const auto aligned = Align(payload, copy);
    return ModelReader(aligned.size()).Read(Verify(aligned));
  } catch (const Error& error) {
    throw Error(ErrorKind::kModelFile, source + " is damaged: " + error.what());
  }
}

}  // namespace dtf
