// A flow's log-likelihoods of whole tables.
#pragma once

#include <vector>

#include "flow/flow.h"
#include "table/code_table.h"

namespace dtf {

// ln P of each row, in nats. The same on any number of threads.
std::vector<double> ScoreTable(const Flow& flow, const CodeTable& table, int threads);

// Column j's summands: one list a column, one entry a row. REQUIRES: flow.HasColumnScores().
std::vector<std::vector<double>> ScoreTablePerColumn(const Flow& flow, const CodeTable& table, int threads);

}  // namespace dtf
