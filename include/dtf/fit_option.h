// The options of a fit as data: the command line, the Python package and its documentation are made from this table.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "dtf/fit.h"

namespace dtf {

struct FitOption {
  // Where its value goes. Its type says what a value is: a switch, a number, a text, or several texts. Of a
  // std::optional, none stands for the default.
  using Field = std::variant<bool FitOptions::*, int FitOptions::*, std::uint64_t FitOptions::*,
                             std::string FitOptions::*, std::optional<int> FitOptions::*,
                             std::optional<std::uint64_t> FitOptions::*, std::optional<double> FitOptions::*,
                             std::optional<std::string> FitOptions::*, std::vector<std::string> FitOptions::*>;
  struct Range {  // both bounds are allowed
    double least;
    double most;
  };

  std::string name;      // "max-depth"
  std::string group;     // the heading it belongs under
  std::string value;     // a stand-in for its value: "M"; empty for a switch and where `choices` are all there is
  std::string help;      // what it does: clauses that begin in lower case, without a full stop at the end
  std::string fallback;  // the default, in words; empty where `help` tells it
  Field field;
  std::vector<std::string> choices = {};  // of a text: the words allowed
  std::optional<Range> range = {};        // of a number; of a text: it may also be a whole number in this range
};

// All options of a fit, in the order in which help and documentation list them. Valid as long as the program runs.
std::span<const FitOption> FitOptionTable();

}  // namespace dtf
