// The model file: written and read field by field (docs/model_format.md).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dtf/model.h"
#include "dtf/schema.h"
#include "flow/flow.h"

namespace dtf {

// All that a model file holds.
struct ModelContent {
  Schema schema;
  FitRecord record;
  std::shared_ptr<const Flow> flow;  // sizes: those of the schema's columns; closed as the schema is
};

// The same content gives the same bytes, on every machine. Throws Error(kOther) for content that ParseModel would
// refuse (checks.h), and above 2 GB.
std::string SerializeModel(const ModelContent& content);

// Throws Error(kModelFile) naming `source` and the reason, in time and memory bounded by the size of `bytes`.
ModelContent ParseModel(std::span<const std::byte> bytes, const std::string& source);

}  // namespace dtf
