// Weights of a mixture, from how likely its members find rows they have not seen.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace dtf {

// ln P of the validation rows under each member, in nats: one list a member, one entry a row.
using MemberScores = std::vector<std::vector<double>>;

// Weights of the members, positive and summing to 1, by `steps` steps of expectation maximisation from equal weights.
// `groups`: a number for each member; members of the same number, which differ by chance only, get the same weight.
// `row_weights`: one for each row.
std::vector<double> FitWeights(const MemberScores& scores, std::span<const std::size_t> groups,
                               std::span<const double> row_weights, int steps);

// Mean over the rows of ln Σ_m w_m P_m, in nats.
double MixtureScore(const MemberScores& scores, std::span<const double> weights, std::span<const double> row_weights);

// The MixtureScore to expect of `count` members with equal weights that differ from one another by chance as these do.
double ExtrapolatedScore(const MemberScores& scores, std::span<const double> row_weights, int count);

}  // namespace dtf
