#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
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

using flatbuffers::Offset;
using Bytes = Offset<flatbuffers::Vector<std::uint8_t>>;

// Throughout, parts are written by statements of their own: the order in which a call evaluates its arguments is the
// compiler's choice, and would show in the file.
class ModelWriter {
 public:
  std::span<const std::uint8_t> Write(const ModelContent& content) {
    const auto columns = WriteEach<file::Column>(content.schema.columns, &ModelWriter::WriteColumn);
    const auto flow = WriteFlow(content.flow);
    const auto record = WriteRecord(content.record);
    MakeRoom(0);
    builder_.Finish(
        file::CreateModel(builder_, columns, content.schema.closed, file::Flow::LayeredFlow, flow.Union(), record));
    return {builder_.GetBufferPointer(), builder_.GetSize()};
  }

 private:
  // Throws when the payload would become too large with `bytes` more and a table around them.
  void MakeRoom(std::size_t bytes) {
    constexpr std::size_t kTable = 128;
    if (bytes > kMaxPayload - kTable || builder_.GetSize() > kMaxPayload - kTable - bytes) {
      throw Error(ErrorKind::kModelFile, "it is larger than 2 GB");
    }
  }

  // A list of bytes; `fill` is given the place for them.
  template <typename Fill>
  Bytes WriteBytes(std::size_t size, Fill fill) {
    MakeRoom(size);
    std::uint8_t* place = nullptr;
    const Bytes bytes = builder_.CreateUninitializedVector(size, &place);
    fill(place);
    return bytes;
  }

  // numbers[i] through `to_number`.
  template <typename Numbers, typename ToNumber = std::identity>
  Bytes WriteNumbers(const Numbers& numbers, ToNumber to_number = {}) {
    std::size_t size = 0;
    for (const auto& number : numbers) size += PackedSize(to_number(number));
    return WriteBytes(size, [&](std::uint8_t* out) {
      for (const auto& number : numbers) out = PackNumber(to_number(number), out);
    });
  }

  template <typename T>
  Bytes WriteLengths(const Ragged<T>& lists) {
    std::vector<std::uint64_t> lengths(lists.size());
    for (std::size_t i = 0; i < lists.size(); ++i) lengths[i] = lists[i].size();
    return WriteNumbers(lengths);
  }

  Offset<flatbuffers::String> WriteString(const std::string& text) {
    MakeRoom(text.size());
    return builder_.CreateString(text);
  }

  Offset<flatbuffers::Vector<double>> WriteDoubles(const std::vector<double>& numbers) {
    MakeRoom(sizeof(double) * numbers.size());
    return builder_.CreateVector(numbers);
  }

  template <typename Table, typename Item>
  Offset<flatbuffers::Vector<Offset<Table>>> WriteEach(const std::vector<Item>& items,
                                                       Offset<Table> (ModelWriter::*write)(const Item&)) {
    std::vector<Offset<Table>> tables;
    tables.reserve(items.size());
    for (const Item& item : items) tables.push_back((this->*write)(item));
    MakeRoom(sizeof(Offset<Table>) * tables.size());
    return builder_.CreateVector(tables);
  }

  Offset<file::Bins> WriteBins(const Bins& bins) {
    const auto cuts = WriteDoubles(bins.cuts);
    const auto low = WriteDoubles(bins.low);
    const auto high = WriteDoubles(bins.high);
    return file::CreateBins(builder_, cuts, low, high, static_cast<std::uint32_t>(bins.decimals));
  }

  Offset<file::Column> WriteColumn(const ColumnSchema& column) {
    const auto name = WriteString(column.name);
    const auto type = WriteString(column.type);
    const auto lengths = WriteNumbers(column.categories, [](const std::string& category) { return category.size(); });
    std::size_t size = 0;
    for (const std::string& category : column.categories) size += category.size();
    const auto text = WriteBytes(size, [&](std::uint8_t* out) {
      for (const std::string& category : column.categories) out = std::copy(category.begin(), category.end(), out);
    });
    const auto bins = column.bins ? WriteBins(*column.bins) : Offset<file::Bins>();
    MakeRoom(0);
    return file::CreateColumn(builder_, name, type, lengths, text, column.has_missing, column.ordered, bins);
  }

  Offset<file::Tree> WriteTree(const Tsp& tree) {
    const TspNodes& nodes = tree.nodes();
    const auto child = [](std::int32_t node) { return static_cast<std::uint64_t>(node == kNoChild ? 0 : node); };
    const auto left = WriteNumbers(nodes.left, child);
    const auto right = WriteNumbers(nodes.right, child);
    const auto feature = WriteNumbers(nodes.feature);
    const auto left_set_lengths = WriteLengths(nodes.left_set);
    const auto left_set = WriteNumbers(nodes.left_set.values());
    const auto moved_lengths = WriteLengths(nodes.moved);
    const auto moved = WriteNumbers(nodes.moved.values());
    const auto top_lengths = WriteLengths(nodes.top);
    const auto top = WriteNumbers(nodes.top.values());
    return file::CreateTree(builder_, left, right, feature, left_set_lengths, left_set, moved_lengths, moved,
                            top_lengths, top);
  }

  Offset<file::LayeredFlow> WriteFlow(const Flow& flow) {
    const auto layers = WriteEach<file::Tree>(flow.layers(), &ModelWriter::WriteTree);
    const IndependentBase& base = flow.base();
    const auto counts = WriteNumbers(base.counts().values());
    const auto independent = file::CreateIndependentCounts(builder_, counts, base.unit(), base.alpha());
    return file::CreateLayeredFlow(builder_, layers, file::Base::IndependentCounts, independent.Union());
  }

  Offset<file::Option> WriteOption(const std::pair<std::string, std::string>& option) {
    const auto name = WriteString(option.first);
    const auto value = WriteString(option.second);
    return file::CreateOption(builder_, name, value);
  }

  Offset<file::CurvePoint> WritePoint(const LearningCurvePoint& point) {
    MakeRoom(0);
    const auto valid_nll = point.valid_nll ? flatbuffers::Optional<double>(*point.valid_nll) : flatbuffers::nullopt;
    return file::CreateCurvePoint(builder_, static_cast<std::uint32_t>(point.layers), point.train_nll, valid_nll);
  }

  Offset<file::FitRecord> WriteRecord(const FitRecord& record) {
    const auto options = WriteEach<file::Option>(record.options, &ModelWriter::WriteOption);
    const auto curve = WriteEach<file::CurvePoint>(record.curve, &ModelWriter::WritePoint);
    return file::CreateFitRecord(builder_, options, record.rows, record.train_nll, curve);
  }

  flatbuffers::FlatBufferBuilder builder_;
};

[[noreturn]] void Refuse(const std::string& what) { throw Error(ErrorKind::kModelFile, what); }

void CheckContent(const ModelContent& content) {
  CheckSchema(content.schema);
  CheckRecord(content.record);
  const IndependentBase& base = content.flow.base();
  CheckBase(base.counts(), base.unit(), base.alpha());
  const std::size_t columns = content.schema.columns.size();
  if (content.flow.sizes().size() != columns || base.columns() != columns)
    Refuse("its flow has other columns than its schema");
  for (std::size_t j = 0; j < columns; ++j) {
    const Code size = content.schema.columns[j].size();
    if (content.flow.sizes()[j] != size || base.counts()[j].size() != size) {
      Refuse("its flow has other categories than its schema");
    }
  }
  if (base.closed() != content.schema.closed) Refuse("its flow is closed and its schema is not, or the reverse");
}

void CheckCost(const Flow& flow, std::size_t payload_size) {
  double cost = 0;
  for (const Tsp& layer : flow.layers()) cost += LoadingCost(layer.nodes(), flow.sizes());
  if (cost > MaxLoadingCost(payload_size)) Refuse("its trees take far more memory than its file would");
}

}  // namespace

std::string SerializeModel(const ModelContent& content) {
  try {
    CheckContent(content);
    ModelWriter writer;
    const auto payload = writer.Write(content);
    CheckCost(content.flow, payload.size());
    return FramePayload(payload);
  } catch (const Error& error) {
    throw Error(ErrorKind::kOther, std::string("the model cannot be saved: ") + error.what());
  }
}

}  // namespace dtf
