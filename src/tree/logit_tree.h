// A tree that gives each row a logit. Logits are whole numbers, so that their sums are exact in any order, and a row's
// probability has the same bits on every machine, for one row or for a thousand at a time.
#pragma once

#include <cstdint>
#include <vector>

namespace dtf {

// A log-odds in units of 2^-16 nats.
using Logit = std::int32_t;
inline constexpr double kLogitUnit = 0x1p-16;

// Added to the logit of each row that passes a test. `test`: its position in a list kept elsewhere.
struct LogitTerm {
  std::uint32_t test = 0;
  Logit value = 0;

  friend bool operator==(const LogitTerm&, const LogitTerm&) = default;
};

struct LogitTree {
  // A row that passes the test goes to `pass`, another one to `fail`. A value >= 0 is a node, after this one; a value
  // v < 0 is leaf -1 - v.
  struct Node {
    std::uint32_t test = 0;
    std::int32_t pass = 0;
    std::int32_t fail = 0;

    friend bool operator==(const Node&, const Node&) = default;
  };

  std::vector<Node> nodes;    // the root first
  std::vector<Logit> leaves;  // one more than nodes

  friend bool operator==(const LogitTree&, const LogitTree&) = default;
};

}  // namespace dtf
