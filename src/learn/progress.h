// What a fit tells of its progress.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "dtf/model.h"

namespace dtf {

struct FlowProgress {
  bool refit = false;      // part of the final flow, from all rows
  bool is_member = false;  // of a forest; else a layer
  LearningCurvePoint point;
  std::optional<int> of;  // how many there will be, if known
  std::string note;       // what kind of member it is
};
using FlowListener = std::function<void(const FlowProgress&)>;

}  // namespace dtf
