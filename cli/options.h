// Bricks of a verb's command line: options whose values are checked to the letter, and described with their default.
//
// CLI11's own conversions are not used: they read `010` as eight and split `[a,b]` in two.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace dtf::cli {

// `--NAME`, `--no-NAME`, and either with `=true|false|1|0|yes|no|on|off` in any case.
CLI::Option* AddOnOff(CLI::App& app, const std::string& name, bool* value, const std::string& text);

// A text, taken as it stands; an empty one stands for none.
CLI::Option* AddText(CLI::App& app, const std::string& names, std::string* value, const std::string& type,
                     const std::string& text);

// The same where "" is a text like any other; none when not given.
CLI::Option* AddOptional(CLI::App& app, const std::string& names, std::optional<std::string>* value,
                         const std::string& type, const std::string& text);

// May be given several times, one value each; values may hold commas and blanks.
CLI::Option* AddTexts(CLI::App& app, const std::string& names, std::vector<std::string>* values,
                      const std::string& type, const std::string& text);

// One of `choices`.
CLI::Option* AddChoice(CLI::App& app, const std::string& names, std::string* value,
                       const std::vector<std::string>& choices, const std::string& text);
CLI::Option* AddOptionalChoice(CLI::App& app, const std::string& names, std::optional<std::string>* value,
                               const std::vector<std::string>& choices, const std::string& text);

// One of `choices`, or a whole number from `low` to `high`.
CLI::Option* AddOptionalNumberOrChoice(CLI::App& app, const std::string& names, std::optional<std::string>* value,
                                       const std::vector<std::string>& choices, int low, int high,
                                       const std::string& type, const std::string& text);

// A decimal number from `low` to `high`. T: int, std::uint64_t or double.
template <typename T>
CLI::Option* AddNumber(CLI::App& app, const std::string& names, T* value, T low, T high, const std::string& type,
                       const std::string& text);

template <typename T>
CLI::Option* AddOptional(CLI::App& app, const std::string& names, std::optional<T>* value, T low, T high,
                         const std::string& type, const std::string& text);

// The positional file names, all required.
CLI::Option* AddFile(CLI::App& app, const std::string& name, std::string* path, const std::string& text);

// `-o OUT`, by default standard output.
CLI::Option* AddOutput(CLI::App& app, std::string* path, const std::string& text);

CLI::Option* AddThreads(CLI::App& app, int* threads);
CLI::Option* AddSeed(CLI::App& app, std::uint64_t* seed, const std::string& text);
CLI::Option* AddJson(CLI::App& app, bool* json);

// Throws Error(kUsage) when `output` is the same file as one of `inputs`.
void RefuseToOverwrite(const std::string& output, std::initializer_list<std::string> inputs);

}  // namespace dtf::cli
