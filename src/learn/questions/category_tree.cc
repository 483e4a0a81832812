#include "learn/questions/category_tree.h"

namespace dtf {

void CategoryTree::Add(Code category, Logit leaf) {
  if (category > next_) AddPart(category - 1, 0);
  AddPart(category, leaf);
  next_ = category + 1;
}

LogitTree CategoryTree::Make() {
  AddPart(next_, 0);
  LogitTree tree;
  if (parts_.size() > 1) AddNode(0, parts_.size() - 1, tree);
  return tree;
}

void CategoryTree::AddPart(Code last, Logit leaf) {
  if (!parts_.empty() && parts_.back().leaf == leaf) {
    parts_.back().last = last;
  } else {
    parts_.push_back({last, leaf});
  }
}

std::int32_t CategoryTree::AddNode(std::size_t first, std::size_t last, LogitTree& tree) const {
  if (first == last) {
    tree.leaves.push_back(parts_[first].leaf);
    return -static_cast<std::int32_t>(tree.leaves.size());
  }
  const std::size_t middle = first + (last - first) / 2;
  const std::size_t node = tree.nodes.size();
  tree.nodes.push_back({first_test_ + parts_[middle].last, 0, 0});
  const std::int32_t pass = AddNode(first, middle, tree);
  const std::int32_t fail = AddNode(middle + 1, last, tree);
  tree.nodes[node].pass = pass;
  tree.nodes[node].fail = fail;
  return static_cast<std::int32_t>(node);
}

}  // namespace dtf
