// Results on standard output, messages on standard error.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace dtf::cli {

using Json = nlohmann::ordered_json;

// Writes all of `text` to standard output. Throws Error(kOther) "cannot write to standard output: REASON".
void Print(std::string_view text);

// One line. Numbers that are not finite become null.
void PrintJson(const Json& json);

// With blanks for control characters: what a table's cells hold must not control the terminal.
std::string OnOneLine(std::string text);

// One line "dtf: MESSAGE" on standard error.
void PrintMessage(std::string_view message);

// Ends the program as the signal would that a closed pipe sends.
[[noreturn]] void EndByBrokenPipe();

// Digits for people: "14.1508"; and for numbers of any size, "4.075e-05".
std::string Fixed(double value, int decimals = 4);
std::string Significant(double value);

Json ToJson(const std::optional<double>& value);

}  // namespace dtf::cli
