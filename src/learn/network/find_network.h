// The structure of a Bayesian network, found by tabu search (Bouckaert, Bayesian Belief Networks: from Construction to
// Inference, 1995).
#pragma once

#include <cstddef>
#include <limits>

#include "learn/network/network.h"
#include "learn/weighted_rows.h"

namespace dtf {

struct NetworkOptions {
  double parameter_cost = 1;  // nats, as FamilyScores takes it
  double most_work = std::numeric_limits<double>::infinity();
  int threads = 1;
};

struct FoundNetwork {
  Network network;
  double work = 0;  // what it cost, in steps of about a nanosecond; counted, not timed
};

// With more columns no network is searched for: the gains of all changes take 16 B · columns².
inline constexpr std::size_t kMostNetworkColumns = 4096;

// The work of finding the first arrow, the least that FindNetwork takes.
double LeastNetworkWork(std::size_t rows, std::size_t columns);

// Begins without arrows. Each change adds, removes or turns the arrow that raises the sum of the columns' family scores
// most, or lowers it least, among those between columns that have not been changed lately. Ends when no better network
// has been found for long, or when most_work is done, and returns the best one. Of equal changes the first column's is
// made.
// The same rows, in any order, and options: the same network on any number of threads.
// Work: rows · columns for each column, and again for each change, besides columns² for each change. REQUIRES: at most
// kMostNetworkColumns columns.
FoundNetwork FindNetwork(const WeightedRows& rows, const NetworkOptions& options);

}  // namespace dtf
