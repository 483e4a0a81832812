#include "learn/forest/try_networks.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "base/logarithm.h"
#include "learn/network/count_tree.h"

namespace dtf {
namespace {

// The share of all work that finding one network may take.
constexpr double kNetworkShare = 0.02;
// Only where two columns have many categories do pairs of categories have so few rows that counting them predicts what
// regressions and trees cannot learn.
constexpr Code kLeastOfPair = 16;

class NetworkMembers {
 public:
  explicit NetworkMembers(Growth& growth) : growth_(growth) {}

  // For each of two criteria, Akaike's and Schwarz's, a network, whose columns are learnt from their parents by
  // averaged trees; and in its order, from all columns before, a member by averaged trees and one of the best kind.
  void AddSearched(const Trial& best) {
    const double schwarz = 0.5 * std::max(Ln(growth_.total_rows()), 0.0);
    std::shared_ptr<const FoundNetworks> last;
    for (const auto& [criterion, parameter_cost] : {std::pair{"Akaike", 1.0}, {"Schwarz", schwarz}}) {
      const std::string name = std::string(" (") + criterion + ")";
      const std::string in_order = " in the order of a network" + name;
      const NetworkOptions options{.parameter_cost = parameter_cost,
                                   .most_work = kNetworkShare * growth_.budget().total(),
                                   .threads = growth_.options().threads};
      const auto networks = Find([&](const WeightedRows& rows) { return FindNetwork(rows, options); });
      if (last && *networks == *last) {
        growth_.Say("Bayesian network" + name + ": the same");
        continue;
      }
      last = networks;
      AddNetwork(NetworkKind(), networks, "Bayesian network" + name);
      AddInOrder(growth_.Choose(NetworkKind()), *networks, "trees" + in_order);
      if (!HasMember(*best.kind, ParentsFirst(networks->of_all)) && growth_.budget().Affords(best.work)) {
        AddInOrder(growth_.Choose(best), *networks, std::string(best.kind->name) + in_order);
      }
    }
  }

  // A network of one parent a column, learnt by counting.
  void AddCountTree() {
    const std::vector<Code>& sizes = growth_.judge().columns().sizes;
    if (std::ranges::count_if(sizes, [](Code size) { return size >= kLeastOfPair; }) < 2) return;
    if (CountTreeWork(growth_.rows(), growth_.columns()) > kNetworkShare * growth_.budget().total()) return;
    const auto networks =
        Find([&](const WeightedRows& rows) { return FindCountTree(rows, sizes, growth_.options().threads); });
    AddNetwork(CountKind(), networks, "counts, each column by one other");
  }

  std::vector<JudgedMember> Take() { return std::move(members_); }

 private:
  std::shared_ptr<const FoundNetworks> Find(const std::function<FoundNetwork(const WeightedRows&)>& find) {
    auto [networks, work] = growth_.judge().FindNetworks(find);
    growth_.budget().Use(work);
    return networks;
  }

  bool HasMember(const Kind& kind, const std::vector<Feature>& order) const {
    return order == growth_.order() || std::ranges::any_of(members_, [&](const JudgedMember& member) {
             return member.choice.kind == &kind && member.choice.order == order;
           });
  }

  void AddNetwork(const Kind& kind, const std::shared_ptr<const FoundNetworks>& networks, const std::string& what) {
    MemberChoice choice = growth_.Choose(kind);
    choice.order = ParentsFirst(networks->of_all);
    choice.networks = networks;
    Learn(std::move(choice), what);
  }

  // All folds take the order of the network of all rows, as a member in another order may have a very different
  // likelihood. So rows have a say in the order by which they are scored, but in nothing else.
  void AddInOrder(MemberChoice choice, const FoundNetworks& networks, const std::string& what) {
    choice.order = ParentsFirst(networks.of_all);
    Learn(std::move(choice), what);
  }

  void Learn(MemberChoice choice, const std::string& what) {
    choice.is_order_drawn = false;
    members_.push_back(growth_.judge().Learn(choice, {}));
    growth_.budget().Use(members_.back().fit.work);
    growth_.Say(what + ": " + Fixed(-growth_.MeanOf(members_.back().scores)) + " nats per row");
  }

  Growth& growth_;
  std::vector<JudgedMember> members_;
};

bool HasFreeOrder(const Growth& growth) { return growth.is_free() && growth.options().order == OrderKind::kAuto; }

}  // namespace

bool WantsNetworks(Growth& growth) {
  return HasFreeOrder(growth) && growth.columns() > 1 && growth.columns() <= kMostNetworkColumns;
}

std::vector<JudgedMember> TryNetworks(Growth& growth, const Trial& best) {
  NetworkMembers members(growth);
  if (growth.columns() > 2 &&
      LeastNetworkWork(growth.rows(), growth.columns()) <= kNetworkShare * growth.budget().total()) {
    members.AddSearched(best);
  }
  members.AddCountTree();
  return members.Take();
}

}  // namespace dtf
