#include "format/write_autoregressive.h"

#include <variant>
#include <vector>

namespace dtf {
namespace {

using Numbers = std::vector<std::uint32_t>;

// 2 (child - parent - 1), or 2 leaf + 1.
std::uint32_t FromChild(std::int32_t child, std::size_t parent) {
  const auto number = static_cast<std::uint32_t>(child >= 0 ? child : -1 - child);
  return child >= 0 ? 2 * (number - static_cast<std::uint32_t>(parent) - 1) : 2 * number + 1;
}

// The lists of the file.
struct Lists {
  Numbers yes, no, bias;
  Numbers term_counts, term_test, term_value;
  Numbers tree_counts, node_counts, node_test, pass, fail, leaf;

  void Add(const Conditioner& conditioner) {
    for (std::size_t q = 0; q < conditioner.questions.size(); ++q) {
      const Question& question = conditioner.questions[q];
      yes.push_back(FromChild(question.yes, q));
      no.push_back(FromChild(question.no, q));
      bias.push_back(PackSign(question.bias));
      term_counts.push_back(static_cast<std::uint32_t>(question.terms.size()));
      for (const LogitTerm& term : question.terms) {
        term_test.push_back(term.test);
        term_value.push_back(PackSign(term.value));
      }
      tree_counts.push_back(static_cast<std::uint32_t>(question.trees.size()));
      for (const LogitTree& tree : question.trees) Add(tree);
    }
  }

  void Add(const LogitTree& tree) {
    node_counts.push_back(static_cast<std::uint32_t>(tree.nodes.size()));
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
      node_test.push_back(tree.nodes[i].test);
      pass.push_back(FromChild(tree.nodes[i].pass, i));
      fail.push_back(FromChild(tree.nodes[i].fail, i));
    }
    for (const Logit value : tree.leaves) leaf.push_back(PackSign(value));
  }
};

}  // namespace

flatbuffers::Offset<file::IndependentCounts> WriteIndependentBase(const IndependentBase& base, PayloadWriter& writer) {
  const auto counts = writer.WriteNumbers(base.counts().values());
  return file::CreateIndependentCounts(writer.builder(), counts, base.unit(), base.alpha());
}

flatbuffers::Offset<file::ConditionalRanks> WriteConditionalBase(const ConditionalBase& base, PayloadWriter& writer) {
  const auto single_rows = base.single_rows.empty() ? 0 : writer.WriteDoubles(base.single_rows);
  writer.MakeRoom(0);
  return file::CreateConditionalRanks(writer.builder(), base.rows, base.alpha, single_rows);
}

PayloadWriter::Bytes WriteBiases(const AutoregressiveFlow& flow, PayloadWriter& writer) {
  Numbers biases;
  for (Feature column = 0; column < flow.sizes().size(); ++column) {
    for (const Logit bias : flow.compiled(column).biases()) biases.push_back(PackSign(bias));
  }
  return writer.WriteNumbers(biases);
}

flatbuffers::Offset<file::AutoregressiveFlow> WriteAutoregressive(const AutoregressiveFlow& flow,
                                                                  PayloadWriter& writer) {
  Lists lists;
  for (Feature column = 0; column < flow.sizes().size(); ++column) lists.Add(flow.conditioner(column));
  const auto order = writer.WriteNumbers(flow.order());
  const auto test_column = writer.WriteNumbers(flow.tests(), [](const CodeTest& test) { return test.column; });
  const auto test_first = writer.WriteNumbers(flow.tests(), [](const CodeTest& test) { return test.first; });
  const auto test_more = writer.WriteNumbers(flow.tests(), [](const CodeTest& test) { return test.last - test.first; });
  const auto yes = writer.WriteNumbers(lists.yes);
  const auto no = writer.WriteNumbers(lists.no);
  const auto bias = writer.WriteNumbers(lists.bias);
  const auto term_counts = writer.WriteNumbers(lists.term_counts);
  const auto term_test = writer.WriteNumbers(lists.term_test);
  const auto term_value = writer.WriteNumbers(lists.term_value);
  const auto tree_counts = writer.WriteNumbers(lists.tree_counts);
  const auto node_counts = writer.WriteNumbers(lists.node_counts);
  const auto node_test = writer.WriteNumbers(lists.node_test);
  const auto pass = writer.WriteNumbers(lists.pass);
  const auto fail = writer.WriteNumbers(lists.fail);
  const auto leaf = writer.WriteNumbers(lists.leaf);
  writer.MakeRoom(0);
  flatbuffers::Offset<void> base;
  file::RankBase kind = file::RankBase::IndependentCounts;
  if (const auto* independent = std::get_if<IndependentBase>(&flow.base())) {
    base = WriteIndependentBase(*independent, writer).Union();
  } else {
    kind = file::RankBase::ConditionalRanks;
    base = WriteConditionalBase(std::get<ConditionalBase>(flow.base()), writer).Union();
  }
  writer.MakeRoom(0);
  return file::CreateAutoregressiveFlow(writer.builder(), order, test_column, test_first, test_more, yes, no, bias,
                                        term_counts, term_test, term_value, tree_counts, node_counts, node_test, pass,
                                        fail, leaf, kind, base);
}

}  // namespace dtf
