#include "engine/random_autoregressive.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace dtf {
namespace {

template <typename T>
void Shuffle(RandomStream& random, std::vector<T>& list) {
  for (std::size_t i = 0; i + 1 < list.size(); ++i) std::swap(list[i], list[i + random.Below(list.size() - i)]);
}

Logit MakeLogit(RandomStream& random, const RandomFlowOptions& options) {
  if (random.Below(4) == 0) return 0;
  return static_cast<Logit>(std::lround((2 * random.Uniform() - 1) * options.most_nats * 65536));
}

class Maker {
 public:
  Maker(RandomStream& random, const std::vector<Code>& sizes, const RandomFlowOptions& options)
      : random_(random), sizes_(sizes), options_(options), order_(sizes.size()) {
    std::iota(order_.begin(), order_.end(), 0u);
    Shuffle(random_, order_);
    for (Feature column = 0; column < sizes.size(); ++column) AddTests(column);
    Shuffle(random_, tests_);
  }

  std::shared_ptr<const AutoregressiveFlow> Make() {
    std::vector<Conditioner> conditioners(sizes_.size());
    std::vector<bool> is_earlier(sizes_.size(), false);
    for (const Feature column : order_) {
      usable_.clear();
      for (std::uint32_t t = 0; t < tests_.size(); ++t) {
        if (is_earlier[tests_[t].column]) usable_.push_back(t);
      }
      conditioners[column] = MakeConditioner(sizes_[column]);
      is_earlier[column] = true;
    }
    return std::make_shared<AutoregressiveFlow>(sizes_, order_, tests_, std::move(conditioners), MakeBase());
  }

 private:
  void AddTests(Feature column) {
    for (auto count = random_.Below(2 * std::uint64_t{sizes_[column]} + 1); count > 0; --count) {
      const auto first = static_cast<Code>(random_.Below(sizes_[column]));
      const bool one = random_.Below(2) == 0;
      const Code last = one ? first : first + static_cast<Code>(random_.Below(sizes_[column] - first));
      tests_.push_back({column, random_.Below(3) == 0 ? 0 : first, last});
    }
  }

  Logit MakeLogit() { return dtf::MakeLogit(random_, options_); }

  // The questions about some categories, after those that are there already. Returns how a parent calls them.
  std::int32_t AddQuestions(std::vector<Code> categories, Conditioner& conditioner) {
    if (categories.size() == 1) return -1 - static_cast<std::int32_t>(categories[0]);
    const std::size_t at = conditioner.questions.size();
    conditioner.questions.push_back(MakeQuestion());
    const auto cut = categories.begin() + static_cast<std::ptrdiff_t>(1 + random_.Below(categories.size() - 1));
    const std::int32_t yes = AddQuestions({categories.begin(), cut}, conditioner);
    const std::int32_t no = AddQuestions({cut, categories.end()}, conditioner);
    conditioner.questions[at].yes = yes;
    conditioner.questions[at].no = no;
    return static_cast<std::int32_t>(at);
  }

  Conditioner MakeConditioner(Code size) {
    std::vector<Code> categories(size);
    std::iota(categories.begin(), categories.end(), Code{0});
    Shuffle(random_, categories);
    Conditioner conditioner;
    AddQuestions(std::move(categories), conditioner);
    return conditioner;
  }

  Question MakeQuestion() {
    Question question;
    question.bias = MakeLogit();
    if (usable_.empty() || random_.Below(10) >= static_cast<std::uint64_t>(options_.asked)) return question;
    for (auto count = random_.Below(3); count > 0; --count) question.terms.push_back({Test(), MakeLogit()});
    for (auto count = random_.Below(3); count > 0 && options_.has_trees; --count) {
      LogitTree& tree = question.trees.emplace_back();
      AddNodes(static_cast<int>(random_.Below(4)), tree);
    }
    return question;
  }

  std::uint32_t Test() { return usable_[random_.Below(usable_.size())]; }

  std::int32_t AddNodes(int depth, LogitTree& tree) {
    if (depth == 0 || random_.Below(6) == 0) {
      tree.leaves.push_back(MakeLogit());
      return -static_cast<std::int32_t>(tree.leaves.size());
    }
    const std::size_t at = tree.nodes.size();
    tree.nodes.push_back({Test(), 0, 0});
    const std::int32_t pass = AddNodes(depth - 1, tree);
    const std::int32_t fail = AddNodes(depth - 1, tree);
    tree.nodes[at].pass = pass;
    tree.nodes[at].fail = fail;
    return static_cast<std::int32_t>(at);
  }

  AutoregressiveFlow::Base MakeBase() {
    if (!options_.independent) {
      ConditionalBase base{100, 0.5, options_.closed};
      if (!options_.closed && random_.Below(2) == 0) {
        for (std::size_t j = 0; j < sizes_.size(); ++j)
          base.single_rows.push_back(static_cast<double>(random_.Below(90)));
      }
      return base;
    }
    Ragged<std::uint64_t> counts;
    for (const Code size : sizes_) {
      std::vector<std::uint64_t> of_column(size);
      for (int row = 0; row < 100; ++row) ++of_column[random_.Below(size)];
      counts.Append(of_column);
    }
    return IndependentBase(std::move(counts), 1, 0.5, options_.closed);
  }

  RandomStream& random_;
  const std::vector<Code>& sizes_;
  const RandomFlowOptions& options_;
  std::vector<Feature> order_;
  std::vector<CodeTest> tests_;
  std::vector<std::uint32_t> usable_;
};

}  // namespace

std::shared_ptr<const AutoregressiveFlow> MakeRandomAutoregressive(RandomStream& random, const std::vector<Code>& sizes,
                                                                   const RandomFlowOptions& options) {
  return Maker(random, sizes, options).Make();
}

std::shared_ptr<const AutoregressiveFlow> MakeSibling(RandomStream& random, const AutoregressiveFlow& flow,
                                                      const RandomFlowOptions& options) {
  std::vector<std::vector<Logit>> biases(flow.sizes().size());
  for (Feature j = 0; j < flow.sizes().size(); ++j) {
    for (Code q = 0; q + 1 < flow.sizes()[j]; ++q) biases[j].push_back(MakeLogit(random, options));
  }
  const auto sibling = std::make_shared<AutoregressiveFlow>(flow, std::move(biases));
  return random.Below(2) == 0 ? sibling : MakeTwin(*sibling);
}

std::shared_ptr<const AutoregressiveFlow> MakeTwin(const AutoregressiveFlow& flow) {
  std::vector<Conditioner> conditioners;
  for (Feature j = 0; j < flow.sizes().size(); ++j) conditioners.push_back(flow.conditioner(j));
  return std::make_shared<AutoregressiveFlow>(flow.sizes(), flow.order(), flow.tests(), std::move(conditioners),
                                              flow.base());
}

std::shared_ptr<const MixtureFlow> MakeRandomMixture(RandomStream& random, const std::vector<Code>& sizes,
                                                     std::size_t members, RandomFlowOptions options) {
  std::vector<std::shared_ptr<const Flow>> flows;
  std::vector<double> weights;
  double sum = 0;
  std::shared_ptr<const AutoregressiveFlow> last;
  for (std::size_t m = 0; m < members; ++m) {
    const bool is_sibling = m > 0 && random.Below(3) == 0;
    if (!is_sibling) {
      options.independent = random.Below(2) == 0;
      last = MakeRandomAutoregressive(random, sizes, options);
    }
    flows.push_back(is_sibling ? MakeSibling(random, *last, options) : last);
    weights.push_back(0.1 + random.Uniform());
    sum += weights.back();
  }
  for (double& weight : weights) weight /= sum;
  return std::make_shared<MixtureFlow>(std::move(flows), std::move(weights));
}

}  // namespace dtf
