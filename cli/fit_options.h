// The options that fit and crossval share: every option of a fit is described here and nowhere else.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "dtf/fit.h"

namespace dtf::cli {

void AddFitOptions(CLI::App& app, FitOptions* options);

}  // namespace dtf::cli
