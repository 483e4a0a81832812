// The options that fit and crossval share: every option of a fit is described here and nowhere else.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "dtf/fit.h"

namespace dtf::cli {

struct FitArguments {
  FitOptions options;
  // The one model and the one base there are; named so that scripts can say what they mean.
  std::string model = "tsp";
  std::string base = "independent";
};

void AddFitOptions(CLI::App& app, FitArguments* arguments);

}  // namespace dtf::cli
