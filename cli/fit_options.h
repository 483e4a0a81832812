// The options that fit and crossval share, from the table in dtf/fit_option.h.
#pragma once

#include <string>

#include "dtf/fit.h"

namespace CLI {
class App;
}

namespace dtf::cli {

void AddFitOptions(CLI::App& app, FitOptions* options);

}  // namespace dtf::cli
