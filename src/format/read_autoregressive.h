#pragma once

#include <memory>
#include <vector>

#include "flow/autoregressive_flow.h"
#include "format/check_autoregressive.h"
#include "format/payload_reader.h"

namespace dtf {

// Throws Error(kModelFile) unless all that check_autoregressive.h says holds.
std::shared_ptr<const AutoregressiveFlow> ReadAutoregressive(const file::AutoregressiveFlow& flow,
                                                             const std::vector<Code>& sizes, bool closed,
                                                             PayloadReader& reader);

// Reads members that have the questions of another one, in the time of their own biases.
class SiblingReader {
 public:
  // Throws as BiasChecker does.
  explicit SiblingReader(std::shared_ptr<const AutoregressiveFlow> sibling);

  std::shared_ptr<const AutoregressiveFlow> Read(const file::Member& member, PayloadReader& reader) const;

 private:
  std::shared_ptr<const AutoregressiveFlow> sibling_;
  BiasChecker checker_;
};

// Of the bases that several kinds of flow have.
IndependentBase ReadIndependentBase(const file::IndependentCounts& base, const std::vector<Code>& sizes, bool closed,
                                    PayloadReader& reader);
ConditionalBase ReadConditionalBase(const file::ConditionalRanks& base, std::size_t columns, bool closed,
                                    PayloadReader& reader);

}  // namespace dtf
