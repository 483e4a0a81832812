#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dtf/error.h"
#include "flow/layered_flow.h"
#include "flow/mixture_flow.h"
#include "format/checks.h"
#include "format/frame.h"
#include "format/hidden_tree_file.h"
#include "format/leaf_base_file.h"
#include "format/model_file.h"
#include "format/payload_reader.h"
#include "format/read_autoregressive.h"

namespace dtf {
namespace {

class ModelReader {
  // A reader of one kind of table, as PayloadReader::ReadEach takes it.
  template <typename Item, typename Table>
  auto By(Item (ModelReader::*read)(const Table&)) {
    return [this, read](const Table& table) { return (this->*read)(table); };
  }

 public:
  explicit ModelReader(std::size_t payload_size) : parts_(payload_size), unspent_cost_(MaxLoadingCost(payload_size)) {}

  ModelContent Read(const file::Model& model) {
    Schema schema;
    schema.columns = parts_.ReadEach(model.columns(), "column", By(&ModelReader::ReadColumn));
    schema.closed = model.closed();
    CheckSchema(schema);
    FitRecord record = model.record() == nullptr ? FitRecord() : ReadRecord(*model.record());
    CheckRecord(record);
    for (const ColumnSchema& column : schema.columns) sizes_.push_back(column.size());
    closed_ = model.closed();
    std::shared_ptr<const Flow> flow = ReadFlow(model);
    return {std::move(schema), std::move(record), std::move(flow)};
  }

 private:
  Bins ReadBins(const file::Bins& bins) {
    if (bins.decimals() > std::numeric_limits<int>::max()) RefuseModel("it has bins with too many decimals");
    return {parts_.ReadDoubles(bins.cuts()), parts_.ReadDoubles(bins.low()), parts_.ReadDoubles(bins.high()),
            static_cast<int>(bins.decimals())};
  }

  ColumnSchema ReadColumn(const file::Column& column) {
    ColumnSchema schema;
    schema.name = parts_.ReadString(column.name());
    schema.type = parts_.ReadString(column.type());
    schema.has_missing = column.has_missing();
    schema.ordered = column.ordered();
    if (column.bins() != nullptr) schema.bins = ReadBins(*column.bins());
    schema.categories = ReadTexts(column.category_lengths(), column.category_text(), "categories");
    schema.missing_texts = ReadTexts(column.missing_lengths(), column.missing_text(), "texts that mean missing");
    return schema;
  }

  using Bytes = flatbuffers::Vector<std::uint8_t>;
  std::vector<std::string> ReadTexts(const Bytes* all_lengths, const Bytes* all_text, const std::string& what) {
    const std::vector<std::uint32_t> lengths = parts_.ReadNumbers(all_lengths);
    const auto text = parts_.ReadBytes(all_text);
    if (std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0}) != text.size()) {
      RefuseModel("its " + what + " have other lengths than their text");
    }
    std::vector<std::string> texts;
    texts.reserve(lengths.size());
    const char* begin = reinterpret_cast<const char*>(text.data());
    for (const std::uint32_t length : lengths) {
      texts.emplace_back(begin, length);
      begin += length;
    }
    return texts;
  }

  std::vector<std::int32_t> ReadChildren(const flatbuffers::Vector<std::uint8_t>* bytes) {
    const auto numbers = UnpackNumbers32(parts_.ReadBytes(bytes), std::numeric_limits<std::int32_t>::max());
    std::vector<std::int32_t> children(numbers.begin(), numbers.end());
    for (std::int32_t& child : children) child = child == 0 ? kNoChild : child;
    return children;
  }

  Tsp ReadTree(const file::Tree& tree) {
    TspNodes nodes;
    nodes.left = ReadChildren(tree.left());
    nodes.right = ReadChildren(tree.right());
    nodes.feature = parts_.ReadNumbers(tree.feature());
    nodes.left_set = MakeRagged(parts_.ReadNumbers(tree.left_set()), parts_.ReadNumbers(tree.left_set_lengths()));
    nodes.moved = MakeRagged(parts_.ReadNumbers(tree.moved()), parts_.ReadNumbers(tree.moved_lengths()));
    nodes.top = MakeRagged(parts_.ReadNumbers(tree.top()), parts_.ReadNumbers(tree.top_lengths()));
    Spend(LoadingCost(nodes, sizes_));
    return Tsp::Make(std::move(nodes), sizes_);
  }

  std::shared_ptr<const Flow> ReadLayered(const file::LayeredFlow& flow) {
    std::vector<Tsp> layers = parts_.ReadEach(flow.layers(), "layer", By(&ModelReader::ReadTree));
    LayeredFlow::Base base = ReadBase(flow, layers);
    return std::make_shared<LayeredFlow>(sizes_, std::move(layers), std::move(base));
  }

  LayeredFlow::Base ReadBase(const file::LayeredFlow& flow, const std::vector<Tsp>& layers) {
    if (const auto* independent = flow.base_as_IndependentCounts()) {
      return ReadIndependentBase(*independent, sizes_, closed_, parts_);
    }
    const file::LeafCounts* of_leaves = flow.base_as_LeafCounts();
    if (of_leaves == nullptr) RefuseModel("it has no base distribution of a kind that this dtf knows");
    if (layers.empty()) RefuseModel("its base is of a layer that it has not");
    LeafBaseArguments base = ReadLeafBase(*of_leaves, parts_);
    CheckLeafBase(base, layers.back(), sizes_);
    Spend(LeafBaseCost(base, layers.back(), sizes_));
    return LeafBase(layers.back(), sizes_, std::move(base.counts), base.unit, base.alpha, base.prior_rows, closed_);
  }

  void Spend(double cost) {
    unspent_cost_ -= cost;
    if (unspent_cost_ < 0) RefuseModel("its trees and members take far more memory than their file");
  }

  std::pair<double, std::shared_ptr<const Flow>> ReadMember(const file::Member& member) {
    if (member.flow_type() == file::MemberFlow::NONE && member.flow() == nullptr) {
      return {member.weight(), ReadSibling(member)};
    }
    if (member.biases() != nullptr) RefuseModel("it has a flow of its own and biases for another one's");
    siblings_.reset();
    before_ = nullptr;
    if (const auto* layered = member.flow_as_LayeredFlow()) return {member.weight(), ReadLayered(*layered)};
    if (const auto* autoregressive = member.flow_as_AutoregressiveFlow()) {
      before_ = ReadAutoregressive(*autoregressive, sizes_, closed_, parts_);
      return {member.weight(), before_};
    }
    if (const auto* hidden_tree = member.flow_as_HiddenTreeFlow()) return {member.weight(), ReadHidden(*hidden_tree)};
    RefuseModel("it has no flow of a kind that this dtf knows");
  }

  std::shared_ptr<const Flow> ReadHidden(const file::HiddenTreeFlow& flow) {
    HiddenTree tree = ReadHiddenTree(flow, sizes_, parts_);
    if (flow.base() == nullptr) RefuseModel("it has no base distribution of a kind that this dtf knows");
    ConditionalBase base = ReadConditionalBase(*flow.base(), sizes_.size(), closed_, parts_);
    Spend(HiddenTreeCost(tree, sizes_));
    return std::make_shared<HiddenTreeFlow>(sizes_, std::move(tree), std::move(base));
  }

  std::shared_ptr<const Flow> ReadSibling(const file::Member& member) {
    if (before_ == nullptr) RefuseModel("it has no flow, and the member before it has no questions");
    if (!siblings_) siblings_.emplace(before_);
    Spend(SiblingCost(sizes_.size()));
    return siblings_->Read(member, parts_);
  }

  std::shared_ptr<const Flow> ReadMixture(const file::MixtureFlow& flow) {
    std::vector<std::shared_ptr<const Flow>> members;
    std::vector<double> weights;
    for (auto& [weight, member] : parts_.ReadEach(flow.members(), "member", By(&ModelReader::ReadMember))) {
      weights.push_back(weight);
      members.push_back(std::move(member));
    }
    CheckWeights(weights);
    return std::make_shared<MixtureFlow>(std::move(members), std::move(weights));
  }

  std::shared_ptr<const Flow> ReadFlow(const file::Model& model) {
    if (const auto* layered = model.flow_as_LayeredFlow()) return ReadLayered(*layered);
    if (const auto* autoregressive = model.flow_as_AutoregressiveFlow()) {
      return ReadAutoregressive(*autoregressive, sizes_, closed_, parts_);
    }
    if (const auto* mixture = model.flow_as_MixtureFlow()) return ReadMixture(*mixture);
    if (const auto* hidden_tree = model.flow_as_HiddenTreeFlow()) return ReadHidden(*hidden_tree);
    RefuseModel("it has no flow of a kind that this dtf knows");
  }

  std::pair<std::string, std::string> ReadOption(const file::Option& option) {
    std::string name = parts_.ReadString(option.name());
    return {std::move(name), parts_.ReadString(option.value())};
  }

  LearningCurvePoint ReadPoint(const file::CurvePoint& point) {
    if (point.layers() > std::numeric_limits<int>::max()) RefuseModel("it has too many layers");
    const auto valid_nll = point.valid_nll();
    const auto train_nll = point.no_train_nll() ? std::nullopt : std::optional(point.train_nll());
    return {static_cast<int>(point.layers()), train_nll,
            valid_nll.has_value() ? std::optional<double>(*valid_nll) : std::nullopt};
  }

  FitRecord ReadRecord(const file::FitRecord& record) {
    FitRecord read;
    read.options = parts_.ReadEach(record.options(), "option", By(&ModelReader::ReadOption));
    read.rows = record.rows();
    read.train_nll = record.train_nll();
    read.curve = parts_.ReadEach(record.curve(), "point of the curve", By(&ModelReader::ReadPoint));
    return read;
  }

  PayloadReader parts_;
  double unspent_cost_;
  std::vector<Code> sizes_;
  bool closed_ = false;
  std::shared_ptr<const AutoregressiveFlow> before_;  // the last member that is no sibling; null if it has layers
  std::optional<SiblingReader> siblings_;             // of it
};

const file::Model& Verify(std::span<const std::uint8_t> payload) {
  flatbuffers::Verifier::Options options;
  options.max_depth = 8;  // the schema is less deep
  // Each table in a list takes at least an offset of four bytes, and no list is read twice; the rest are a few.
  options.max_tables = static_cast<flatbuffers::uoffset_t>(payload.size() / sizeof(flatbuffers::uoffset_t));
  flatbuffers::Verifier verifier(payload.data(), payload.size(), options);
  if (!verifier.VerifyBuffer<file::Model>(nullptr)) RefuseModel("it is no FlatBuffers payload of its schema");
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
