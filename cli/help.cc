#include "help.h"

#include <algorithm>
#include <string>
#include <vector>

namespace dtf::cli {
namespace {

// ---------------------------------------------------------------- --help

class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() { column_width(36); }

  std::string make_usage(const CLI::App* app, std::string name) const override {
    std::string usage = "Usage: " + (name.empty() ? app->get_name() : name);
    if (!app->get_subcommands({}).empty()) return usage + " VERB ARGUMENTS\n";
    std::string options;
    for (const CLI::Option* option : app->get_options()) {
      if (option->get_positional()) usage += " " + option->get_name();
      if (!option->get_positional() && option->get_required()) {
        const auto& letters = option->get_snames();
        options += letters.empty() ? " --" + option->get_lnames().front() : " -" + letters.front();
        options += " " + option->get_type_name();
      }
    }
    return usage + options + " [OPTIONS]\n";
  }

  std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
    if (is_positional) return option->get_name(true, false);
    std::string name;
    for (const std::string& letter : option->get_snames()) name += "-" + letter + ", ";
    for (const std::string& word : option->get_lnames()) name += "--" + word + ", ";
    return name.substr(0, name.size() - 2);
  }

  std::string make_option_opts(const CLI::Option* option) const override {
    return option->get_type_name().empty() ? "" : " " + option->get_type_name();
  }

  std::string make_option_desc(const CLI::Option* option) const override {
    const std::string& value = option->get_default_str();
    return option->get_description() + (value.empty() ? "" : " (" + value + ")");
  }
};

// ---------------------------------------------------------------- Nearest names

// Letters to insert, remove or change, at the least (Levenshtein).
std::size_t EditDistance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

const std::string& Nearest(const std::string& word, const std::vector<std::string>& names) {
  return *std::min_element(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
    return EditDistance(word, a) < EditDistance(word, b);
  });
}

std::vector<std::string> OptionNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

std::vector<std::string> VerbNames(const CLI::App& root) {
  std::vector<std::string> names;
  for (const CLI::App* verb : root.get_subcommands({})) names.push_back(verb->get_name());
  return names;
}

// ---------------------------------------------------------------- Usage errors

const CLI::App& ChosenApp(const CLI::App& root) {
  const std::vector<CLI::App*> chosen = root.get_subcommands();
  return chosen.empty() ? root : *chosen.front();
}

std::string DescribeUnknownVerb(const std::string& word, const CLI::App& root) {
  const std::vector<std::string> verbs = VerbNames(root);
  const std::string& nearest = Nearest(word, verbs);
  const bool is_near = EditDistance(word, nearest) * 2 <= nearest.size();
  return "unknown verb `" + word +
         (is_near ? "`; the nearest is " + nearest : "`; the verbs are " + CLI::detail::join(verbs, ", "));
}

std::string DescribeUnknown(const std::string& word, const CLI::App& root, const CLI::App& app) {
  if (word.size() > 1 && word.front() == '-') {
    const std::string name = word.substr(0, word.find('='));
    const std::vector<std::string> names = OptionNames(app);
    return "unknown option " + name + "; the nearest is " + Nearest(name, names);
  }
  return &app == &root ? DescribeUnknownVerb(word, root) : "unexpected argument `" + word + "`";
}

std::string Describe(const CLI::App& root, const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> unknown = app.remaining();
  if (!unknown.empty()) return DescribeUnknown(unknown.front(), root, app);
  if (&app == &root && error.get_name() == "RequiredError") {
    return "a verb is needed: " + CLI::detail::join(VerbNames(root), ", ");
  }
  return error.what();
}

}  // namespace

std::shared_ptr<CLI::FormatterBase> MakeHelpFormatter() { return std::make_shared<HelpFormatter>(); }

std::string DescribeUsageError(const CLI::App& root, const CLI::ParseError& error) {
  const CLI::App& app = ChosenApp(root);
  const std::string help = &app == &root ? "dtf --help" : "dtf " + app.get_name() + " --help";
  return Describe(root, app, error) + " (see " + help + ")";
}

}  // namespace dtf::cli
