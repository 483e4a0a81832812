#include "learn/network/network.h"

#include <cstddef>
#include <functional>
#include <queue>

namespace dtf {

std::vector<Feature> ParentsFirst(const Network& network) {
  const std::size_t columns = network.parents.size();
  std::vector<std::vector<Feature>> children(columns);
  std::vector<std::size_t> missing(columns);  // parents that are not in the order yet
  std::priority_queue<Feature, std::vector<Feature>, std::greater<>> next;
  for (Feature j = 0; j < columns; ++j) {
    missing[j] = network.parents[j].size();
    for (const Feature parent : network.parents[j]) children[parent].push_back(j);
    if (missing[j] == 0) next.push(j);
  }
  std::vector<Feature> order;
  while (!next.empty()) {
    const Feature column = next.top();
    next.pop();
    order.push_back(column);
    for (const Feature child : children[column]) {
      if (--missing[child] == 0) next.push(child);
    }
  }
  return order;
}

}  // namespace dtf
