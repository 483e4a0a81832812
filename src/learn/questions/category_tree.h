// A question's tree that only asks for the category of one column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "perm/domain.h"
#include "tree/logit_tree.h"

namespace dtf {

class CategoryTree {
 public:
  // first_test: passed by the column's first category; the next test by its first two, and so on, up to all of them.
  explicit CategoryTree(std::uint32_t first_test) : first_test_(first_test) {}

  // For a category above all that were added. Others have 0, and so has the unseen slot.
  void Add(Code category, Logit leaf);

  // No nodes: it would add 0 to all rows.
  LogitTree Make();

 private:
  // Categories one after the other that have the same leaf.
  struct Part {
    Code last = 0;
    Logit leaf = 0;
  };

  void AddPart(Code last, Logit leaf);
  // Of the parts first … last; returns the child.
  std::int32_t AddNode(std::size_t first, std::size_t last, LogitTree& tree) const;

  std::uint32_t first_test_;
  Code next_ = 0;
  std::vector<Part> parts_;
};

}  // namespace dtf
