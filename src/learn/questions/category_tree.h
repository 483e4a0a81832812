// A question's tree whose tests are all of one column: a leaf for each range of its categories.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "perm/domain.h"
#include "tree/logit_tree.h"

namespace dtf {

class CategoryTree {
 public:
  // first_test: position of a test that the column's first category passes; the next test is passed by its first two
  // categories, and so on, the last one by all.
  explicit CategoryTree(std::uint32_t first_test) : first_test_(first_test) {}

  // The leaf of a category, above all added so far. Categories that are not added, and the unseen slot, get 0.
  void Add(Code category, Logit leaf);

  // The balanced tree; without nodes if it would be one leaf. To be called once.
  LogitTree Make();

 private:
  // A range of categories that have the same leaf, up to `last`; it begins after the part before.
  struct Part {
    Code last = 0;
    Logit leaf = 0;
  };

  void AddPart(Code last, Logit leaf);
  // Adds the subtree of the parts first … last to `tree`; returns its name as a child.
  std::int32_t AddNode(std::size_t first, std::size_t last, LogitTree& tree) const;

  std::uint32_t first_test_;
  Code next_ = 0;
  std::vector<Part> parts_;
};

}  // namespace dtf
