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
  struct Range {
    double least;
    double most;
  };

  std::string name;   // "max-depth"
  std::string group;  // the heading it belongs under
  std::string value;  // a stand-in for its value: "M"; empty of a switch
  std::string help;
  std::string fallback;  // the default, in words
  Field field;
  std::vector<std::string> choices = {};  // of a text: the words allowed
  std::optional<Range> range = {};        // of a number; of a text: it may also be a whole number in this range
};

// All of them, in the order in which they are told.
std::span<const FitOption> FitOptionTable();

}  // namespace dtf
