#include "fit_options.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dtf/fit_option.h"
#include "options.h"

namespace dtf::cli {
namespace {

// The range's bound as a T; a double cannot tell 2^64 from 2^64 - 1.
template <typename T>
T Bound(double bound) {
  return bound >= static_cast<double>(std::numeric_limits<T>::max()) ? std::numeric_limits<T>::max()
                                                                     : static_cast<T>(bound);
}

// Adds the option for each type that a field can have.
struct Adder {
  CLI::App& app;
  FitOptions* options;
  const FitOption& option;

  std::string Names() const { return "--" + option.name; }

  Option operator()(bool FitOptions::*field) const {
    return AddOnOff(app, option.name, &(options->*field), option.help);
  }

  template <typename T>
  Option operator()(T FitOptions::*field) const {
    return AddNumber<T>(app, Names(), &(options->*field), Bound<T>(option.range->least), Bound<T>(option.range->most),
                        option.value, option.help);
  }

  template <typename T>
  Option operator()(std::optional<T> FitOptions::*field) const {
    return AddOptional<T>(app, Names(), &(options->*field), Bound<T>(option.range->least), Bound<T>(option.range->most),
                          option.value, option.help);
  }

  Option operator()(std::string FitOptions::*field) const {
    return AddChoice(app, Names(), &(options->*field), option.choices, option.help);
  }

  Option operator()(std::optional<std::string> FitOptions::*field) const {
    std::optional<std::string>* value = &(options->*field);
    if (option.range) {
      return AddOptionalNumberOrChoice(app, Names(), value, option.choices, Bound<int>(option.range->least),
                                       Bound<int>(option.range->most), option.value, option.help);
    }
    if (option.choices.empty()) return AddOptional(app, Names(), value, option.value, option.help);
    return AddOptionalChoice(app, Names(), value, option.choices, option.help);
  }

  Option operator()(std::vector<std::string> FitOptions::*field) const {
    return AddTexts(app, Names(), &(options->*field), option.value, option.help);
  }
};

}  // namespace

void AddFitOptions(CLI::App& app, FitOptions* options) {
  for (const FitOption& option : FitOptionTable()) {
    std::visit(Adder{app, options, option}, option.field).Default(option.fallback).Group(option.group);
  }
}

}  // namespace dtf::cli
