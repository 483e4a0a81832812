// Weights of a mixture, from how likely its members find rows they have not seen.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace dtf {

// ln P of judging rows under each member: one list a member, one entry a row.
using MemberScores = std::vector<std::vector<double>>;

// `groups`: a number for each member; those of the same one have the same weight, for what tells them apart is chance.
// `steps` steps of expectation maximisation from equal weights. `row_weights`: one for each row. No member's weight
// falls to 0. Returns weights that sum to 1.
std::vector<double> FitWeights(const MemberScores& scores, std::span<const std::size_t> groups,
                               std::span<const double> row_weights, int steps);

// Mean over the rows of ln Σ_m w_m P_m, in nats.
double MixtureScore(const MemberScores& scores, std::span<const double> weights, std::span<const double> row_weights);

// What `count` members, that differ from one another by chance as these do, would score when mixed evenly.
double ExtrapolatedScore(const MemberScores& scores, std::span<const double> row_weights, int count);

}  // namespace dtf
