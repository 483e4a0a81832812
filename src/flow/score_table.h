// A flow applied to whole tables, block by block.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/parallel.h"
#include "flow/flow.h"
#include "table/code_table.h"

namespace dtf {

// Calls f(first row, block) for each block of the table, in parallel. Blocks have the size that suits the flow, or are
// smaller where threads would otherwise have nothing to do.
template <typename F>
void ForEachBlock(const Flow& flow, const CodeTable& table, int threads, F&& f) {
  const std::size_t words_a_thread = (table.rows + 64 * threads - 1) / (64 * threads);
  const std::size_t block_rows = std::min(flow.BlockRows(), 64 * std::max<std::size_t>(words_a_thread, 1));
  ParallelFor(threads, (table.rows + block_rows - 1) / block_rows, [&](std::size_t i) {
    const std::size_t first = i * block_rows;
    f(first, CodeBlock(table, first, std::min(block_rows, table.rows - first)));
  });
}

// ln P of each row, in nats. The same on any number of threads.
std::vector<double> ScoreTable(const Flow& flow, const CodeTable& table, int threads);

// Column j's summands: one list a column, one entry a row. REQUIRES: flow.HasColumnScores().
std::vector<std::vector<double>> ScoreTablePerColumn(const Flow& flow, const CodeTable& table, int threads);

}  // namespace dtf
