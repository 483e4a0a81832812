#include "format/read_autoregressive.h"

#include <limits>
#include <numeric>
#include <utility>

#include "format/checks.h"

namespace dtf {
namespace {

using Numbers = std::vector<std::uint32_t>;

// Reads off lists of numbers from front to back.
class Cursor {
 public:
  explicit Cursor(Numbers numbers) : numbers_(std::move(numbers)) {}

  std::uint32_t Next() {
    if (at_ == numbers_.size()) RefuseModel("its lists have other lengths than their values");
    return numbers_[at_++];
  }
  std::int32_t NextSigned() { return UnpackSign(Next()); }
  // How many numbers are left; no more can be needed.
  std::size_t left() const { return numbers_.size() - at_; }
  bool AtEnd() const { return at_ == numbers_.size(); }

 private:
  Numbers numbers_;
  std::size_t at_ = 0;
};

class AutoregressiveReader {
 public:
  AutoregressiveReader(const file::AutoregressiveFlow& flow, const std::vector<Code>& sizes, PayloadReader& reader)
      : sizes_(sizes),
        order_(reader.ReadNumbers(flow.order())),
        test_column_(reader.ReadNumbers(flow.test_column())),
        test_first_(reader.ReadNumbers(flow.test_first())),
        test_more_(reader.ReadNumbers(flow.test_more())),
        yes_(reader.ReadNumbers(flow.yes())),
        no_(reader.ReadNumbers(flow.no())),
        bias_(reader.ReadNumbers(flow.bias())),
        term_counts_(reader.ReadNumbers(flow.term_counts())),
        term_test_(reader.ReadNumbers(flow.term_test())),
        term_value_(reader.ReadNumbers(flow.term_value())),
        tree_counts_(reader.ReadNumbers(flow.tree_counts())),
        node_counts_(reader.ReadNumbers(flow.node_counts())),
        node_test_(reader.ReadNumbers(flow.node_test())),
        pass_(reader.ReadNumbers(flow.pass())),
        fail_(reader.ReadNumbers(flow.fail())),
        leaf_(reader.ReadNumbers(flow.leaf())) {}

  std::shared_ptr<const AutoregressiveFlow> Read(AutoregressiveFlow::Base base) {
    std::vector<CodeTest> tests = ReadTests();
    ConditionerChecker checker(sizes_, order_, tests);
    std::vector<Conditioner> conditioners;
    for (Feature column = 0; column < sizes_.size(); ++column) {
      conditioners.push_back(ReadConditioner(sizes_[column]));
      checker.Check(column, conditioners.back());
    }
    for (const Cursor* list : {&yes_, &no_, &bias_, &term_counts_, &term_test_, &term_value_, &tree_counts_,
                               &node_counts_, &node_test_, &pass_, &fail_, &leaf_}) {
      if (!list->AtEnd()) RefuseModel("its lists have other lengths than their values");
    }
    return std::make_shared<AutoregressiveFlow>(sizes_, std::move(order_), std::move(tests), std::move(conditioners),
                                                std::move(base));
  }

 private:
  std::vector<CodeTest> ReadTests() {
    std::vector<CodeTest> tests(test_column_.left());
    for (CodeTest& test : tests) {
      test.column = test_column_.Next();
      test.first = test_first_.Next();
      const std::uint32_t more = test_more_.Next();
      if (more > std::numeric_limits<Code>::max() - test.first) RefuseModel("a number is out of its range");
      test.last = test.first + more;
    }
    if (!test_first_.AtEnd() || !test_more_.AtEnd()) RefuseModel("its lists have other lengths than their values");
    return tests;
  }

  // A child of node `parent`: 2 (child - parent - 1), or 2 leaf + 1.
  static std::int32_t ToChild(std::uint32_t number, std::size_t parent) {
    const std::uint64_t child = number / 2 + (number % 2 == 0 ? parent + 1 : 0);
    if (child > std::numeric_limits<std::int32_t>::max()) RefuseModel("a number is out of its range");
    return number % 2 == 0 ? static_cast<std::int32_t>(child) : -1 - static_cast<std::int32_t>(child);
  }

  Conditioner ReadConditioner(Code size) {
    Conditioner conditioner;
    if (size - 1 > yes_.left()) RefuseModel("its lists have other lengths than their values");
    conditioner.questions.resize(size - 1);
    for (std::size_t q = 0; q < conditioner.questions.size(); ++q) {
      Question& question = conditioner.questions[q];
      question.yes = ToChild(yes_.Next(), q);
      question.no = ToChild(no_.Next(), q);
      question.bias = bias_.NextSigned();
      question.terms.resize(Bounded(term_counts_.Next(), term_test_));
      for (LogitTerm& term : question.terms) term = {term_test_.Next(), term_value_.NextSigned()};
      question.trees.resize(Bounded(tree_counts_.Next(), node_counts_));
      for (LogitTree& tree : question.trees) ReadTree(tree);
    }
    return conditioner;
  }

  void ReadTree(LogitTree& tree) {
    tree.nodes.resize(Bounded(node_counts_.Next(), node_test_));
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
      tree.nodes[i].test = node_test_.Next();
      tree.nodes[i].pass = ToChild(pass_.Next(), i);
      tree.nodes[i].fail = ToChild(fail_.Next(), i);
    }
    tree.leaves.resize(Bounded(tree.nodes.size() + 1, leaf_));
    for (Logit& leaf : tree.leaves) leaf = leaf_.NextSigned();
  }

  // So that nothing is allocated for what is not there.
  static std::size_t Bounded(std::size_t count, const Cursor& list) {
    if (count > list.left()) RefuseModel("its lists have other lengths than their values");
    return count;
  }

  const std::vector<Code>& sizes_;
  Numbers order_;
  Cursor test_column_, test_first_, test_more_;
  Cursor yes_, no_, bias_;
  Cursor term_counts_, term_test_, term_value_;
  Cursor tree_counts_, node_counts_, node_test_, pass_, fail_, leaf_;
};

AutoregressiveFlow::Base ReadBase(const file::AutoregressiveFlow& flow, const std::vector<Code>& sizes, bool closed,
                                  PayloadReader& reader) {
  if (const auto* independent = flow.base_as_IndependentCounts()) {
    return ReadIndependentBase(*independent, sizes, closed, reader);
  }
  const file::ConditionalRanks* conditional = flow.base_as_ConditionalRanks();
  if (conditional == nullptr) RefuseModel("it has no base distribution of a kind that this dtf knows");
  return ReadConditionalBase(*conditional, sizes.size(), closed, reader);
}

}  // namespace

IndependentBase ReadIndependentBase(const file::IndependentCounts& base, const std::vector<Code>& sizes, bool closed,
                                    PayloadReader& reader) {
  Ragged<std::uint64_t> counts = MakeRagged(UnpackNumbers64(reader.ReadBytes(base.counts())), sizes);
  CheckBase(counts, base.unit(), base.alpha());
  return IndependentBase(std::move(counts), base.unit(), base.alpha(), closed);
}

ConditionalBase ReadConditionalBase(const file::ConditionalRanks& base, std::size_t columns, bool closed,
                                    PayloadReader& reader) {
  ConditionalBase read{base.rows(), base.alpha(), closed, reader.ReadDoubles(base.single_rows())};
  CheckConditionalBase(read, columns);
  return read;
}

std::shared_ptr<const AutoregressiveFlow> ReadAutoregressive(const file::AutoregressiveFlow& flow,
                                                             const std::vector<Code>& sizes, bool closed,
                                                             PayloadReader& reader) {
  AutoregressiveFlow::Base base = ReadBase(flow, sizes, closed, reader);
  return AutoregressiveReader(flow, sizes, reader).Read(std::move(base));
}

SiblingReader::SiblingReader(std::shared_ptr<const AutoregressiveFlow> sibling)
    : sibling_(std::move(sibling)), checker_(*sibling_) {}

std::shared_ptr<const AutoregressiveFlow> SiblingReader::Read(const file::Member& member, PayloadReader& reader) const {
  Cursor numbers(reader.ReadNumbers(member.biases()));
  std::vector<std::vector<Logit>> biases;
  for (const Code size : sibling_->sizes()) {
    auto& of_column = biases.emplace_back();
    for (Code q = 0; q + 1 < size; ++q) of_column.push_back(numbers.NextSigned());
  }
  if (!numbers.AtEnd()) RefuseModel("its lists have other lengths than their values");
  checker_.Check(biases);
  return std::make_shared<AutoregressiveFlow>(*sibling_, std::move(biases));
}

}  // namespace dtf
