#include "learn/tsp/fit_layers.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "base/parallel.h"
#include "count/counting_table.h"
#include "learn/mean_nll.h"
#include "learn/tsp/two_passes.h"

namespace dtf {
namespace {

constexpr int kPatience = 3;
constexpr int kMostAutoLayers = 200;
// The split search counts in 32 bits and tabulates a value for each count, so heavier tables are counted in coarser
// units.
constexpr std::uint64_t kMostSearchUnits = std::uint64_t{1} << 24;

// The flow's training state: rows as the layers so far left them.
class LayerTrainer {
 public:
  LayerTrainer(WeightedRows train, std::optional<WeightedRows> valid, const std::vector<Code>& sizes,
               const LayerOptions& options)
      : train_(std::move(train)),
        valid_(std::move(valid)),
        sizes_(sizes),
        options_(options),
        layout_(sizes),
        search_weights_(Coarsen(train_, kMostSearchUnits, 0)),
        criterion_(MakeCriterion(options.criterion, options.seed, options.threads, options.split_values)) {
    base_.emplace_back(MakeBase(CountColumns(train_, 0).values()));
  }

  void AddLayer() {
    const CountingTable table(train_.codes, layout_, search_weights_.weights);
    GrowOptions grow = options_.grow;
    grow.seed = options_.seed;
    grow.threads = options_.threads;
    const GrownTree tree =
        GrowTree(train_.codes, table, search_weights_.unit, sizes_, grow, layers_.size(), *criterion_);
    const auto leaf_counts = [&](std::int32_t leaf) { return CountLeaf(tree, leaf); };
    const PassOneResult pass1 = LearnPermutations(tree, leaf_counts, sizes_);
    layers_.push_back(Tsp::Make(ConstructEquivalentTree(tree, pass1.nodes), sizes_));
    compiled_.emplace(layers_.back(), sizes_);
    Apply(*compiled_, train_.codes);
    if (valid_) Apply(*compiled_, valid_->codes);
    if (options_.layers) base_.clear();  // only the last one will be asked for
    if (options_.conditional_base) {
      base_.emplace_back(MakeLeafBase(tree));
    } else {
      base_.emplace_back(MakeBase(pass1.counts));
    }
  }

  LearningCurvePoint Point() const {
    LearningCurvePoint point{static_cast<int>(layers_.size()), {}, {}};
    if (const auto* independent = std::get_if<IndependentBase>(&base_.back())) {
      point.train_nll = independent->MeanNll(independent->counts());
      if (valid_) point.valid_nll = independent->MeanNll(CountColumns(*valid_, 1));
    } else {
      const auto& of_leaves = std::get<LeafBase>(base_.back());
      point.train_nll = of_leaves.MeanNll();
      if (valid_) point.valid_nll = MeanNll(of_leaves, *valid_);
    }
    return point;
  }

  LayeredFlow TakeFirst(int layers) && {
    layers_.erase(layers_.begin() + layers, layers_.end());
    return LayeredFlow(sizes_, std::move(layers_), std::move(options_.layers ? base_.back() : base_[layers]));
  }

 private:
  void Apply(const CompiledTsp& layer, CodeTable& table) const {
    const std::size_t block_rows = BlockRows(table.columns.size());
    ParallelFor(options_.threads, (table.rows + block_rows - 1) / block_rows, [&](std::size_t i) {
      const std::size_t first = i * block_rows;
      CodeBlock block(table, first, std::min(block_rows, table.rows - first));
      layer.Forward(block);
      block.CopyTo(table, first);
    });
  }

  // The leaf's counts in the rows' own unit.
  std::vector<std::uint64_t> CountLeaf(const GrownTree& tree, std::int32_t leaf) const {
    if (search_weights_.unit == train_.unit) {
      const auto& counts = tree.leaf_counts[leaf].counts;
      return {counts.begin(), counts.end()};
    }
    std::vector<std::uint64_t> counts(layout_.total(), 0);
    const GrownNode& node = tree.nodes[leaf];
    for (Feature j = 0; j < layout_.features(); ++j) {
      std::uint64_t* of_feature = counts.data() + layout_.begin(j);
      train_.codes.columns[j].Visit([&](auto cells) {
        for (std::size_t i = node.first_row; i < node.last_row; ++i) {
          const std::uint32_t row = tree.rows[i];
          of_feature[cells[row]] += train_.WeightOf(row);
        }
      });
    }
    return counts;
  }

  // The independent base of the flow so far, with these counts by CodeLayout.
  IndependentBase MakeBase(std::span<const std::uint64_t> counts) const {
    Ragged<std::uint64_t> of_columns;
    for (Feature j = 0; j < layout_.features(); ++j) {
      of_columns.Append(counts.subspan(layout_.begin(j), layout_.size(j)));
    }
    return {std::move(of_columns), train_.unit, options_.alpha, options_.closed};
  }

  // That of the last layer's leaves. The rows are that layer's images by now.
  LeafBase MakeLeafBase(const GrownTree& tree) const {
    Ragged<CodeCount> counts;
    std::vector<std::uint64_t> of_code;
    for (const GrownNode& node : tree.nodes) {
      if (!node.is_leaf()) continue;
      const auto rows = std::span(tree.rows).subspan(node.first_row, node.last_row - node.first_row);
      for (Feature j = 0; j < layout_.features(); ++j) counts.Append(CountCodes(rows, j, of_code));
    }
    return {layers_.back(),      sizes_,         std::move(counts), train_.unit, options_.alpha,
            options_.prior_rows, options_.closed};
  }

  // The codes of column j that occur in these rows. of_code: room, all 0 whenever it is passed on.
  std::vector<CodeCount> CountCodes(std::span<const std::uint32_t> rows, Feature j,
                                    std::vector<std::uint64_t>& of_code) const {
    if (of_code.size() < sizes_[j]) of_code.resize(sizes_[j]);
    std::vector<CodeCount> counts;
    train_.codes.columns[j].Visit([&](auto cells) {
      for (const std::uint32_t row : rows) {
        std::uint64_t& count = of_code[cells[row]];
        if (count == 0) counts.push_back({cells[row], 0});
        count += train_.WeightOf(row);
      }
    });
    std::sort(counts.begin(), counts.end(), [](const CodeCount& a, const CodeCount& b) { return a.code < b.code; });
    for (auto& [code, count] : counts) count = std::exchange(of_code[code], 0);
    return counts;
  }

  // Of rows that are the last layer's images.
  double MeanNll(const LeafBase& base, const WeightedRows& rows) const {
    std::vector<double> scores(rows.codes.rows);
    const std::size_t block_rows = BlockRows(sizes_.size());
    for (std::size_t first = 0; first < scores.size(); first += block_rows) {
      const CodeBlock block(rows.codes, first, std::min(block_rows, scores.size() - first));
      const std::vector<std::int32_t> leaf_of = compiled_->LeavesOfImages(block);
      for (std::size_t i = 0; i < block.rows(); ++i) {
        for (Feature j = 0; j < block.columns(); ++j) scores[first + i] += base.LogProb(leaf_of[i], j, block[j][i]);
      }
    }
    return dtf::MeanNll(scores, rows);
  }

  // Counts of each column's categories, and of its unseen slot when `slots` is 1.
  Ragged<std::uint64_t> CountColumns(const WeightedRows& rows, std::size_t slots) const {
    Ragged<std::uint64_t> counts;
    std::vector<std::uint64_t> of_column;
    for (std::size_t j = 0; j < sizes_.size(); ++j) {
      of_column.assign(sizes_[j] + slots, 0);
      rows.codes.columns[j].Visit([&](auto cells) {
        for (std::size_t i = 0; i < cells.size(); ++i) of_column[cells[i]] += rows.WeightOf(i);
      });
      counts.Append(of_column);
    }
    return counts;
  }

  WeightedRows train_;
  std::optional<WeightedRows> valid_;
  const std::vector<Code>& sizes_;
  const LayerOptions& options_;
  CodeLayout layout_;
  CoarseWeights search_weights_;
  std::unique_ptr<Criterion> criterion_;
  std::vector<Tsp> layers_;
  std::optional<CompiledTsp> compiled_;  // the last of them
  std::vector<LayeredFlow::Base> base_;  // after no layer, one, two, …; or of all layers, when their number is given
};

}  // namespace

LayersFit FitLayers(WeightedRows train, std::optional<WeightedRows> valid, const std::vector<Code>& sizes,
                    const LayerOptions& options, const CurveListener& listener) {
  const bool choose = !options.layers && valid.has_value();
  const int most = options.layers.value_or(choose ? kMostAutoLayers : 1);
  LayerTrainer trainer(std::move(train), std::move(valid), sizes, options);
  std::vector<LearningCurvePoint> curve;
  const auto note = [&] {
    curve.push_back(trainer.Point());
    listener(curve.back());
  };
  note();
  int best = 0;
  while (static_cast<int>(curve.size()) <= most) {
    trainer.AddLayer();
    note();
    const int last = curve.back().layers;
    if (!choose || *curve.back().valid_nll < *curve[best].valid_nll) best = last;
    if (choose && last - best >= kPatience) break;
  }
  return {std::move(trainer).TakeFirst(best), std::move(curve)};
}

}  // namespace dtf
