#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "dtf/error.h"
#include "flow/layered_flow.h"
#include "flow/mixture_flow.h"
#include "format/check_autoregressive.h"
#include "format/checks.h"
#include "format/frame.h"
#include "format/hidden_tree_file.h"
#include "format/leaf_base_file.h"
#include "format/model_file.h"
#include "format/payload_writer.h"
#include "format/write_autoregressive.h"

namespace dtf {
namespace {

using flatbuffers::Offset;

// By member: whether the file holds it as a sibling, which is the last member before it that is no sibling, with other
// biases. These are members that share their questions in memory; others that happen to differ in biases only are
// written in full.
std::vector<bool> FindSiblings(const MixtureFlow& mixture) {
  std::vector<bool> is_sibling;
  const AutoregressiveFlow* last = nullptr;
  for (const auto& member : mixture.members()) {
    const auto* flow = dynamic_cast<const AutoregressiveFlow*>(member.get());
    is_sibling.push_back(flow != nullptr && last != nullptr && flow->SharesQuestions(*last) && MayHaveSiblings(*last));
    if (!is_sibling.back()) last = flow;
  }
  return is_sibling;
}

class ModelWriter {
  // A writer of one kind of table, as PayloadWriter::WriteEach takes it.
  template <typename Table, typename Item>
  auto By(Offset<Table> (ModelWriter::*write)(const Item&)) {
    return [this, write](const Item& item) { return (this->*write)(item); };
  }

 public:
  std::span<const std::uint8_t> Write(const ModelContent& content) {
    const auto columns = parts_.WriteEach(content.schema.columns, By(&ModelWriter::WriteColumn));
    const auto [kind, flow] = WriteFlow(*content.flow);
    const auto record = WriteRecord(content.record);
    parts_.MakeRoom(0);
    builder_.Finish(file::CreateModel(builder_, columns, content.schema.closed, kind, flow, record));
    return {builder_.GetBufferPointer(), builder_.GetSize()};
  }

 private:
  Offset<file::Bins> WriteBins(const Bins& bins) {
    const auto cuts = parts_.WriteDoubles(bins.cuts);
    const auto low = parts_.WriteDoubles(bins.low);
    const auto high = parts_.WriteDoubles(bins.high);
    return file::CreateBins(builder_, cuts, low, high, static_cast<std::uint32_t>(bins.decimals));
  }

  Offset<file::Column> WriteColumn(const ColumnSchema& column) {
    const auto name = parts_.WriteString(column.name);
    const auto type = parts_.WriteString(column.type);
    const auto [lengths, text] = WriteTexts(column.categories);
    const auto bins = column.bins ? WriteBins(*column.bins) : Offset<file::Bins>();
    std::pair<PayloadWriter::Bytes, PayloadWriter::Bytes> missing;
    if (!column.missing_texts.empty()) missing = WriteTexts(column.missing_texts);
    parts_.MakeRoom(0);
    return file::CreateColumn(builder_, name, type, lengths, text, column.has_missing, column.ordered, bins,
                              missing.first, missing.second);
  }

  // The texts' lengths, and the texts one after the other.
  std::pair<PayloadWriter::Bytes, PayloadWriter::Bytes> WriteTexts(const std::vector<std::string>& texts) {
    const auto lengths = parts_.WriteNumbers(texts, [](const std::string& text) { return text.size(); });
    std::size_t size = 0;
    for (const std::string& text : texts) size += text.size();
    const auto bytes = parts_.WriteBytes(size, [&](std::uint8_t* out) {
      for (const std::string& text : texts) out = std::copy(text.begin(), text.end(), out);
    });
    return {lengths, bytes};
  }

  Offset<file::Tree> WriteTree(const Tsp& tree) {
    const TspNodes& nodes = tree.nodes();
    const auto child = [](std::int32_t node) { return static_cast<std::uint64_t>(node == kNoChild ? 0 : node); };
    const auto left = parts_.WriteNumbers(nodes.left, child);
    const auto right = parts_.WriteNumbers(nodes.right, child);
    const auto feature = parts_.WriteNumbers(nodes.feature);
    const auto left_set_lengths = parts_.WriteLengths(nodes.left_set);
    const auto left_set = parts_.WriteNumbers(nodes.left_set.values());
    const auto moved_lengths = parts_.WriteLengths(nodes.moved);
    const auto moved = parts_.WriteNumbers(nodes.moved.values());
    const auto top_lengths = parts_.WriteLengths(nodes.top);
    const auto top = parts_.WriteNumbers(nodes.top.values());
    return file::CreateTree(builder_, left, right, feature, left_set_lengths, left_set, moved_lengths, moved,
                            top_lengths, top);
  }

  Offset<file::LayeredFlow> WriteLayered(const LayeredFlow& flow) {
    const auto layers = parts_.WriteEach(flow.layers(), By(&ModelWriter::WriteTree));
    const auto* of_leaves = std::get_if<LeafBase>(&flow.base());
    if (of_leaves != nullptr) {
      const auto base = WriteLeafBase(*of_leaves, parts_);
      return file::CreateLayeredFlow(builder_, layers, file::Base::LeafCounts, base.Union());
    }
    const auto base = WriteIndependentBase(flow.independent_base(), parts_);
    return file::CreateLayeredFlow(builder_, layers, file::Base::IndependentCounts, base.Union());
  }

  Offset<file::MixtureFlow> WriteMixture(const MixtureFlow& flow) {
    std::vector<Offset<file::Member>> members;
    const std::vector<bool> is_sibling = FindSiblings(flow);
    for (std::size_t m = 0; m < flow.members().size(); ++m) {
      if (is_sibling[m]) {
        const auto biases = WriteBiases(dynamic_cast<const AutoregressiveFlow&>(*flow.members()[m]), parts_);
        parts_.MakeRoom(0);
        members.push_back(file::CreateMember(builder_, flow.weights()[m], file::MemberFlow::NONE, 0, biases));
        continue;
      }
      const auto [kind, member] = WriteFlow(*flow.members()[m]);
      parts_.MakeRoom(0);
      members.push_back(file::CreateMember(builder_, flow.weights()[m], OfMember(kind), member));
    }
    parts_.MakeRoom(sizeof(flatbuffers::uoffset_t) * members.size());
    return file::CreateMixtureFlow(builder_, builder_.CreateVector(members));
  }

  static file::MemberFlow OfMember(file::Flow kind) {
    if (kind == file::Flow::LayeredFlow) return file::MemberFlow::LayeredFlow;
    return kind == file::Flow::HiddenTreeFlow ? file::MemberFlow::HiddenTreeFlow : file::MemberFlow::AutoregressiveFlow;
  }

  std::pair<file::Flow, Offset<void>> WriteFlow(const Flow& flow) {
    if (const auto* mixture = dynamic_cast<const MixtureFlow*>(&flow)) {
      return {file::Flow::MixtureFlow, WriteMixture(*mixture).Union()};
    }
    if (const auto* autoregressive = dynamic_cast<const AutoregressiveFlow*>(&flow)) {
      return {file::Flow::AutoregressiveFlow, WriteAutoregressive(*autoregressive, parts_).Union()};
    }
    if (const auto* hidden_tree = dynamic_cast<const HiddenTreeFlow*>(&flow)) {
      return {file::Flow::HiddenTreeFlow, WriteHiddenTree(*hidden_tree, parts_).Union()};
    }
    return {file::Flow::LayeredFlow, WriteLayered(dynamic_cast<const LayeredFlow&>(flow)).Union()};
  }

  Offset<file::Option> WriteOption(const std::pair<std::string, std::string>& option) {
    const auto name = parts_.WriteString(option.first);
    const auto value = parts_.WriteString(option.second);
    return file::CreateOption(builder_, name, value);
  }

  Offset<file::CurvePoint> WritePoint(const LearningCurvePoint& point) {
    parts_.MakeRoom(0);
    const auto valid_nll = point.valid_nll ? flatbuffers::Optional<double>(*point.valid_nll) : flatbuffers::nullopt;
    return file::CreateCurvePoint(builder_, static_cast<std::uint32_t>(point.layers), point.train_nll.value_or(0),
                                  valid_nll, !point.train_nll);
  }

  Offset<file::FitRecord> WriteRecord(const FitRecord& record) {
    const auto options = parts_.WriteEach(record.options, By(&ModelWriter::WriteOption));
    const auto curve = parts_.WriteEach(record.curve, By(&ModelWriter::WritePoint));
    return file::CreateFitRecord(builder_, options, record.rows, record.train_nll, curve);
  }

  PayloadWriter parts_;
  flatbuffers::FlatBufferBuilder& builder_ = parts_.builder();
};

[[noreturn]] void Refuse(const std::string& what) { throw Error(ErrorKind::kModelFile, what); }

void CheckIndependentBase(const IndependentBase& base, const std::vector<Code>& sizes, bool closed) {
  CheckBase(base.counts(), base.unit(), base.alpha());
  if (base.columns() != sizes.size()) Refuse("its base has other columns than its schema");
  for (std::size_t j = 0; j < sizes.size(); ++j) {
    if (base.counts()[j].size() != sizes[j]) Refuse("its base has other categories than its schema");
  }
  if (base.closed() != closed) Refuse("its flow is closed and its schema is not, or the reverse");
}

void CheckConditionalBase(const ConditionalBase& base, std::size_t columns, bool closed) {
  CheckConditionalBase(base, columns);
  if (base.closed != closed) Refuse("its flow is closed and its schema is not, or the reverse");
}

void CheckAutoregressive(const AutoregressiveFlow& flow, bool closed) {
  ConditionerChecker checker(flow.sizes(), flow.order(), flow.tests());
  for (Feature column = 0; column < flow.sizes().size(); ++column) checker.Check(column, flow.conditioner(column));
  if (const auto* independent = std::get_if<IndependentBase>(&flow.base())) {
    CheckIndependentBase(*independent, flow.sizes(), closed);
    return;
  }
  CheckConditionalBase(std::get<ConditionalBase>(flow.base()), flow.sizes().size(), closed);
}

// Returns the memory that loading it takes.
double CheckLayered(const LayeredFlow& flow, bool closed) {
  CheckIndependentBase(flow.independent_base(), flow.sizes(), closed);
  double cost = 0;
  for (const Tsp& layer : flow.layers()) cost += LoadingCost(layer.nodes(), flow.sizes());
  if (const auto* of_leaves = std::get_if<LeafBase>(&flow.base())) {
    if (flow.layers().empty()) Refuse("its base is of a layer that it has not");
    const auto& root = of_leaves->root();
    const LeafBaseArguments base{of_leaves->counts(), root.unit(), root.alpha(), of_leaves->prior_rows()};
    CheckLeafBase(base, flow.layers().back(), flow.sizes());
    cost += LeafBaseCost(base, flow.layers().back(), flow.sizes());
  }
  return cost;
}

std::vector<std::vector<Logit>> BiasesOf(const AutoregressiveFlow& flow) {
  std::vector<std::vector<Logit>> biases;
  for (Feature column = 0; column < flow.sizes().size(); ++column) {
    const auto of_column = flow.compiled(column).biases();
    biases.emplace_back(of_column.begin(), of_column.end());
  }
  return biases;
}

double CheckFlow(const Flow& flow, const Schema& schema);

// Of siblings only the biases are checked. Returns the memory that loading the members takes.
double CheckMembers(const MixtureFlow& mixture, const Schema& schema) {
  const std::vector<bool> is_sibling = FindSiblings(mixture);
  std::optional<BiasChecker> checker;  // of the siblings that come next
  double cost = 0;
  for (std::size_t m = 0; m < is_sibling.size(); ++m) {
    const Flow& member = *mixture.members()[m];
    if (dynamic_cast<const MixtureFlow*>(&member) != nullptr) Refuse("a member of its mixture is a mixture");
    if (!is_sibling[m]) {
      checker.reset();
      cost += CheckFlow(member, schema);
      continue;
    }
    const auto& sibling = dynamic_cast<const AutoregressiveFlow&>(member);
    if (!checker) checker.emplace(sibling);
    checker->Check(BiasesOf(sibling));
    cost += SiblingCost(sibling.sizes().size());
  }
  return cost;
}

// Returns the memory that loading it takes.
double CheckFlow(const Flow& flow, const Schema& schema) {
  std::vector<Code> sizes;
  for (const ColumnSchema& column : schema.columns) sizes.push_back(column.size());
  if (flow.sizes().size() != sizes.size()) Refuse("its flow has other columns than its schema");
  if (flow.sizes() != sizes) Refuse("its flow has other categories than its schema");
  double cost = 0;
  if (const auto* mixture = dynamic_cast<const MixtureFlow*>(&flow)) {
    CheckWeights(mixture->weights());
    cost += CheckMembers(*mixture, schema);
  } else if (const auto* autoregressive = dynamic_cast<const AutoregressiveFlow*>(&flow)) {
    CheckAutoregressive(*autoregressive, schema.closed);
  } else if (const auto* hidden_tree = dynamic_cast<const HiddenTreeFlow*>(&flow)) {
    CheckHiddenTree(hidden_tree->tree(), sizes);
    CheckConditionalBase(hidden_tree->base(), sizes.size(), schema.closed);
    cost += HiddenTreeCost(hidden_tree->tree(), sizes);
  } else {
    cost += CheckLayered(dynamic_cast<const LayeredFlow&>(flow), schema.closed);
  }
  return cost;
}

bool HasSiblings(const MixtureFlow& mixture) {
  const std::vector<bool> is_sibling = FindSiblings(mixture);
  return std::ranges::find(is_sibling, true) != is_sibling.end();
}

// The lowest format that can hold the flow. (Siblings could be written in full in a lower one, at many times the size.)
std::uint32_t FormatOf(const Flow& flow) {
  if (const auto* layered = dynamic_cast<const LayeredFlow*>(&flow)) {
    return std::holds_alternative<LeafBase>(layered->base()) ? 3 : 1;
  }
  if (const auto* mixture = dynamic_cast<const MixtureFlow*>(&flow)) {
    std::uint32_t format = HasSiblings(*mixture) ? 5 : 2;
    for (const auto& member : mixture->members()) format = std::max(format, FormatOf(*member));
    return format;
  }
  if (dynamic_cast<const HiddenTreeFlow*>(&flow) != nullptr) return 7;
  const auto* conditional = std::get_if<ConditionalBase>(&dynamic_cast<const AutoregressiveFlow&>(flow).base());
  return conditional != nullptr && !conditional->single_rows.empty() ? 6 : 2;
}

// The lowest format that can hold the model. (A reader that ignored texts that mean missing would give their rows other
// scores.)
std::uint32_t FormatOf(const ModelContent& content) {
  const auto& columns = content.schema.columns;
  const auto has_markers = [](const ColumnSchema& column) { return !column.missing_texts.empty(); };
  const std::uint32_t least = std::any_of(columns.begin(), columns.end(), has_markers) ? 4 : 1;
  return std::max(least, FormatOf(*content.flow));
}

}  // namespace

std::string SerializeModel(const ModelContent& content) {
  try {
    CheckSchema(content.schema);
    CheckRecord(content.record);
    const double cost = CheckFlow(*content.flow, content.schema);
    ModelWriter writer;
    const auto payload = writer.Write(content);
    if (cost > MaxLoadingCost(payload.size())) Refuse("its trees and members take far more memory than its file would");
    return FramePayload(payload, FormatOf(content));
  } catch (const Error& error) {
    throw Error(ErrorKind::kOther, std::string("the model cannot be saved: ") + error.what());
  }
}

}  // namespace dtf
