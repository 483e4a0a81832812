// Building blocks of a verb's command line: options whose values are checked strictly, and described with their
// default.
//
// CLI11's own conversions are not used: they read `010` as eight and split `[a,b]` in two. Its header takes seconds to
// compile, so that verbs know it by name only.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace dtf::cli {

// A verb with its line of `dtf --help`, and what its own help ends with.
CLI::App& AddVerb(CLI::App& root, const std::string& name, const std::string& description,
                  const std::string& footer = "");

// Says what is wrong with a value; empty if nothing is.
using Complaint = std::function<std::string(const std::string&)>;

// An option that a verb has. Each function changes it and returns it.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option Required() const;                         // so that there is no default to describe
  Option Default(const std::string& words) const;  // what --help says of the value when it is not given
  Option Group(const std::string& title) const;    // under which --help lists it
  Option Excludes(const Option& other) const;      // both at a time are refused
  Option Check(const Complaint& complaint) const;  // of each value

  bool IsGiven() const;  // once the command line is parsed

 private:
  CLI::Option* option_;
};

// The option of this name. REQUIRES: that it has been added.
Option FindOption(CLI::App& app, const std::string& name);

// `--NAME`, `--no-NAME`, and either with `=true|false|1|0|yes|no|on|off` in any case.
Option AddOnOff(CLI::App& app, const std::string& name, bool* value, const std::string& text);

// A text, taken as it is; an empty one counts as not given.
Option AddText(CLI::App& app, const std::string& names, std::string* value, const std::string& type,
               const std::string& text);

// The same where "" is a text like any other; none when not given.
Option AddOptional(CLI::App& app, const std::string& names, std::optional<std::string>* value, const std::string& type,
                   const std::string& text);

// May be given several times, one value each; values may hold commas and blanks.
Option AddTexts(CLI::App& app, const std::string& names, std::vector<std::string>* values, const std::string& type,
                const std::string& text);

// One of `choices`.
Option AddChoice(CLI::App& app, const std::string& names, std::string* value, const std::vector<std::string>& choices,
                 const std::string& text);
Option AddOptionalChoice(CLI::App& app, const std::string& names, std::optional<std::string>* value,
                         const std::vector<std::string>& choices, const std::string& text);

// One of `choices`, or a whole number from `low` to `high`.
Option AddOptionalNumberOrChoice(CLI::App& app, const std::string& names, std::optional<std::string>* value,
                                 const std::vector<std::string>& choices, int low, int high, const std::string& type,
                                 const std::string& text);

// A decimal number from `low` to `high`. T: int, std::uint64_t or double.
template <typename T>
Option AddNumber(CLI::App& app, const std::string& names, T* value, T low, T high, const std::string& type,
                 const std::string& text);

template <typename T>
Option AddOptional(CLI::App& app, const std::string& names, std::optional<T>* value, T low, T high,
                   const std::string& type, const std::string& text);

// The positional file names, all required.
Option AddFile(CLI::App& app, const std::string& name, std::string* path, const std::string& text);

// `-o OUT`, by default standard output.
Option AddOutput(CLI::App& app, std::string* path, const std::string& text);

Option AddThreads(CLI::App& app, int* threads);
Option AddSeed(CLI::App& app, std::uint64_t* seed, const std::string& text);
Option AddJson(CLI::App& app, bool* json);

// Throws Error(kUsage) when `output` is the same file as one of the `inputs` that are given.
void RefuseToOverwrite(const std::string& output, std::initializer_list<std::optional<std::string>> inputs);

}  // namespace dtf::cli
