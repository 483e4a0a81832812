#include "options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <limits>
#include <string>
#include <system_error>
#include <type_traits>

#include "dtf/error.h"

namespace dtf::cli {
namespace {

// strtod takes blanks, "inf", "nan" and hexadecimal too.
bool IsDecimal(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789.eE+-") == std::string::npos;
}

bool ParseNumber(const std::string& text, double* value) {
  if (!IsDecimal(text)) return false;
  char* end = nullptr;
  *value = std::strtod(text.c_str(), &end);
  return *end == '\0';
}

template <typename T>
bool ParseNumber(const std::string& text, T* value) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, *value);
  return error == std::errc() && stop == end;
}

std::string Write(double value) {
  char buffer[32];
  return std::string(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}
std::string Write(int value) { return std::to_string(value); }
std::string Write(std::uint64_t value) { return std::to_string(value); }

template <typename T>
std::string DescribeRange(T low, T high) {
  const std::string noun = std::is_same_v<T, double> ? "a number" : "a whole number";
  if (std::is_same_v<T, double> && high == std::numeric_limits<T>::max()) return noun + " from " + Write(low);
  return noun + " from " + Write(low) + " to " + Write(high);
}

template <typename T>
Complaint NotInRange(T low, T high) {
  return [low, high](const std::string& word) {
    T number = {};
    if (ParseNumber(word, &number) && number >= low && number <= high) return std::string();
    return "`" + word + "` is not " + DescribeRange(low, high);
  };
}

std::string NotOnOff(const std::string& word) {
  static const std::vector<std::string> words = {"true", "false", "1", "0", "yes", "no", "on", "off"};
  if (std::find(words.begin(), words.end(), CLI::detail::to_lower(word)) != words.end()) return {};
  return "`" + word + "` is neither yes nor no: write true or false, 1 or 0, yes or no, on or off";
}

Complaint NotOneOf(const std::vector<std::string>& choices) {
  return [choices](const std::string& word) {
    if (std::find(choices.begin(), choices.end(), word) != choices.end()) return std::string();
    return "`" + word + "` is not one of " + CLI::detail::join(choices, "|");
  };
}

// Takes a word that CLI11 has not touched.
Option AddTaken(CLI::App& app, const std::string& names, const std::function<bool(const CLI::results_t&)>& take,
                const std::string& type, const std::string& text) {
  return Option(app.add_option(names, take, text)->type_name(type)->allow_extra_args(false));
}

}  // namespace

CLI::App& AddVerb(CLI::App& root, const std::string& name, const std::string& description, const std::string& footer) {
  CLI::App* app = root.add_subcommand(name, description);
  app->footer(footer);
  return *app;
}

Option Option::Required() const {
  option_->required();
  return Default("");
}

Option Option::Default(const std::string& words) const { return Option(option_->default_str(words)); }

Option Option::Group(const std::string& title) const { return Option(option_->group(title)); }

Option Option::Excludes(const Option& other) const { return Option(option_->excludes(other.option_)); }

Option Option::Check(const Complaint& complaint) const {
  return Option(option_->check(CLI::Validator([complaint](std::string& word) { return complaint(word); }, "", "")));
}

bool Option::IsGiven() const { return option_->count() > 0; }

Option FindOption(CLI::App& app, const std::string& name) { return Option(app.get_option(name)); }

Option AddOnOff(CLI::App& app, const std::string& name, bool* value, const std::string& text) {
  CLI::Option* option = app.add_flag("--" + name + ",!--no-" + name, *value, text);
  option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  return Option(option).Check(NotOnOff).Default(*value ? "on" : "off");
}

Option AddText(CLI::App& app, const std::string& names, std::string* value, const std::string& type,
               const std::string& text) {
  const auto take = [value](const CLI::results_t& results) {
    *value = results.back();
    return true;
  };
  return AddTaken(app, names, take, type, text).Default(*value);
}

Option AddOptional(CLI::App& app, const std::string& names, std::optional<std::string>* value, const std::string& type,
                   const std::string& text) {
  const auto take = [value](const CLI::results_t& results) {
    *value = results.back();
    return true;
  };
  return AddTaken(app, names, take, type, text);
}

Option AddTexts(CLI::App& app, const std::string& names, std::vector<std::string>* values, const std::string& type,
                const std::string& text) {
  const auto take = [values](const CLI::results_t& results) {
    *values = results;
    return true;
  };
  CLI::Option* option = app.add_option(names, take, text)->type_name(type)->allow_extra_args(false);
  option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  return Option(option).Default("several allowed");
}

Option AddChoice(CLI::App& app, const std::string& names, std::string* value, const std::vector<std::string>& choices,
                 const std::string& text) {
  return AddText(app, names, value, CLI::detail::join(choices, "|"), text).Check(NotOneOf(choices));
}

Option AddOptionalChoice(CLI::App& app, const std::string& names, std::optional<std::string>* value,
                         const std::vector<std::string>& choices, const std::string& text) {
  return AddOptional(app, names, value, CLI::detail::join(choices, "|"), text).Check(NotOneOf(choices));
}

Option AddOptionalNumberOrChoice(CLI::App& app, const std::string& names, std::optional<std::string>* value,
                                 const std::vector<std::string>& choices, int low, int high, const std::string& type,
                                 const std::string& text) {
  const auto complaint = [=](const std::string& word) {
    int number = 0;
    const bool is_number = ParseNumber(word, &number) && number >= low && number <= high;
    if (is_number || std::find(choices.begin(), choices.end(), word) != choices.end()) return std::string();
    return "`" + word + "` is neither " + CLI::detail::join(choices, " nor ") + " nor " + DescribeRange(low, high);
  };
  return AddOptional(app, names, value, type, text).Check(complaint);
}

template <typename T>
Option AddNumber(CLI::App& app, const std::string& names, T* value, T low, T high, const std::string& type,
                 const std::string& text) {
  const auto take = [value](const CLI::results_t& results) { return ParseNumber(results.back(), value); };
  return AddTaken(app, names, take, type, text).Check(NotInRange(low, high)).Default(Write(*value));
}

template Option AddNumber(CLI::App&, const std::string&, int*, int, int, const std::string&, const std::string&);
template Option AddNumber(CLI::App&, const std::string&, double*, double, double, const std::string&,
                          const std::string&);
template Option AddNumber(CLI::App&, const std::string&, std::uint64_t*, std::uint64_t, std::uint64_t,
                          const std::string&, const std::string&);

template <typename T>
Option AddOptional(CLI::App& app, const std::string& names, std::optional<T>* value, T low, T high,
                   const std::string& type, const std::string& text) {
  const auto take = [value](const CLI::results_t& results) { return ParseNumber(results.back(), &value->emplace()); };
  return AddTaken(app, names, take, type, text).Check(NotInRange(low, high));
}

template Option AddOptional(CLI::App&, const std::string&, std::optional<int>*, int, int, const std::string&,
                            const std::string&);
template Option AddOptional(CLI::App&, const std::string&, std::optional<double>*, double, double, const std::string&,
                            const std::string&);
template Option AddOptional(CLI::App&, const std::string&, std::optional<std::uint64_t>*, std::uint64_t, std::uint64_t,
                            const std::string&, const std::string&);

Option AddFile(CLI::App& app, const std::string& name, std::string* path, const std::string& text) {
  return AddText(app, name, path, "", text).Required();
}

Option AddOutput(CLI::App& app, std::string* path, const std::string& text) {
  *path = "-";
  return AddText(app, "-o,--output", path, "OUT", text).Default("standard output");
}

Option AddThreads(CLI::App& app, int* threads) {
  return AddNumber(app, "--threads", threads, 0, 4096, "T", "number of threads; no result depends on it")
      .Default("0, all cores");
}

Option AddSeed(CLI::App& app, std::uint64_t* seed, const std::string& text) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  return AddNumber<std::uint64_t>(app, "--seed", seed, 0, kMost, "S", text);
}

Option AddJson(CLI::App& app, bool* json) { return AddOnOff(app, "json", json, "print one JSON object"); }

void RefuseToOverwrite(const std::string& output, std::initializer_list<std::optional<std::string>> inputs) {
  if (output == "-") return;
  for (const std::optional<std::string>& input : inputs) {
    if (!input || input == "-") continue;
    std::error_code one_is_no_file;
    if (std::filesystem::is_regular_file(output, one_is_no_file) &&
        std::filesystem::equivalent(output, *input, one_is_no_file)) {
      throw Error(ErrorKind::kUsage, "the output " + output + " would replace an input; give -o another name");
    }
  }
}

}  // namespace dtf::cli
