// What a fit tells of its progress.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "dtf/fit.h"
#include "dtf/model.h"

namespace dtf {

// As FitProgress, without the time.
struct FlowProgress {
  bool refit = false;
  FitStep step = FitStep::kLayer;
  LearningCurvePoint point;
  std::optional<int> of;  // FitProgress::layers
  std::string note;
};
using FlowListener = std::function<void(const FlowProgress&)>;

}  // namespace dtf
