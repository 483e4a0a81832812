// dtf info MODEL
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dtf/model.h"
#include "model_words.h"
#include "options.h"
#include "output.h"
#include "verb.h"

namespace dtf::cli {
namespace {

struct Arguments {
  std::string model;
  bool json = false;
};

// ---------------------------------------------------------------- JSON

// Rows are counted by weight, which is seldom a fraction.
Json RowsToJson(double rows) {
  constexpr double kMost = 9e15;  // whole numbers up to here are exact
  if (rows < kMost && rows == std::floor(rows)) return static_cast<std::int64_t>(rows);
  return rows;
}

Json BinsToJson(const std::optional<Bins>& bins) {
  if (!bins) return nullptr;
  return {{"cuts", bins->cuts}, {"low", bins->low}, {"high", bins->high}, {"decimals", bins->decimals}};
}

Json SchemaToJson(const Schema& schema) {
  Json list = Json::array();
  for (const ColumnSchema& column : schema.columns) {
    list.push_back({{"name", column.name},
                    {"type", column.type},
                    {"categories", column.categories},
                    {"missing", column.has_missing},
                    {"missing_texts", column.missing_texts},
                    {"ordered", column.ordered},
                    {"bins", BinsToJson(column.bins)}});
  }
  return list;
}

// An option that can be given several times is a list.
Json OptionsToJson(const FitRecord& record) {
  Json options = Json::object();
  for (const auto& [name, value] : record.options) {
    if (name == "ordered" || name == "bins") {
      options[name].push_back(value);
    } else {
      options[name] = value;
    }
  }
  return options;
}

Json CurveToJson(const FitRecord& record) {
  Json curve = Json::array();
  for (const LearningCurvePoint& point : record.curve) {
    curve.push_back(
        {{"layers", point.layers}, {"train_nll", ToJson(point.train_nll)}, {"valid_nll", ToJson(point.valid_nll)}});
  }
  return curve;
}

// The same keys for every kind; what a kind does not have is 0, empty or null.
Json StructureToJson(const ModelStructure& structure, const Schema& schema) {
  Json order = Json::array();
  for (const std::size_t column : structure.order) order.push_back(schema.columns[column].name);
  Json members = Json::array();
  for (const ModelStructure& member : structure.members) {
    members.push_back(StructureToJson(member, schema));
    members.back()["weight"] = member.weight;
  }
  return {{"kind", structure.kind},
          {"base", structure.base.empty() ? Json() : Json(structure.base)},
          {"layers", structure.layers},
          {"order", order},
          {"conditioners", structure.conditioners},
          {"questions", structure.questions},
          {"trees", structure.trees},
          {"terms", structure.terms},
          {"nodes", structure.nodes},
          {"parameters", structure.parameters},
          {"is_class", structure.is_class},
          {"members", members}};
}

Json ModelToJson(const Model& model) {
  const FitRecord& record = model.fit_record();
  return {{"rows", RowsToJson(record.rows)},
          {"columns", model.schema().columns.size()},
          {"layers", model.layers()},
          {"nodes", model.nodes()},
          {"parameters", model.parameters()},
          {"train_nll", record.train_nll},
          {"unseen_mass", model.unseen_mass()},
          {"closed", model.schema().closed},
          {"structure", StructureToJson(model.structure(), model.schema())},
          {"schema", SchemaToJson(model.schema())},
          {"options", OptionsToJson(record)},
          {"learning_curve", CurveToJson(record)}};
}

// ---------------------------------------------------------------- Text

std::string Headline(const Model& model) {
  const FitRecord& record = model.fit_record();
  return "model        " + KindInWords(model.structure()) + "\n" +                 //
         "rows         " + RowsToJson(record.rows).dump() + "\n" +                 //
         "columns      " + std::to_string(model.schema().columns.size()) + "\n" +  //
         LayersLine(model, 13) +                                                   //
         "nodes        " + std::to_string(model.nodes()) + "\n" +                  //
         "parameters   " + std::to_string(model.parameters()) + "\n" +             //
         "train NLL    " + Fixed(record.train_nll) + " nats per row\n" +           //
         "unseen mass  " + Significant(model.unseen_mass()) + (model.schema().closed ? " (closed)\n" : "\n");
}

// "  0.25: autoregressive, conditional base; 3 conditioners, 5 questions, 120 trees, 840 nodes; order c, a, b"
std::string StructureLine(const ModelStructure& structure, const Schema& schema) {
  std::string line = "  " + Fixed(structure.weight) + ": " + KindInWords(structure) + "; ";
  if (structure.kind == "tsp") return line + Count(structure.layers, "layer") + "\n";
  if (structure.kind == "hidden-tree") {
    line += Count(structure.parameters, "parameter");
  } else {
    line += Count(structure.conditioners, "conditioner") + ", " + Count(structure.questions, "question");
  }
  if (structure.terms > 0) line += ", " + Count(structure.terms, "term");
  if (structure.trees > 0) line += ", " + Count(structure.trees, "tree") + ", " + Count(structure.nodes, "node");
  line += "; order";
  const char* separator = " ";
  for (const std::size_t column : structure.order) {
    line.append(separator).append(schema.columns[column].name);
    separator = ", ";
  }
  return OnOneLine(line) + "\n";
}

// "  0.25: 3 latent classes, alike but for the odds of their columns, of weight 0.05 to 0.12"
std::string ClassesLine(const std::vector<ModelStructure>& classes) {
  double weight = 0;
  double least = 1;
  double most = 0;
  for (const ModelStructure& member : classes) {
    weight += member.weight;
    least = std::min(least, member.weight);
    most = std::max(most, member.weight);
  }
  return "  " + Fixed(weight) + ": " + Count(classes.size(), "latent class") +
         ", alike but for the odds of their columns, of weight " + Fixed(least) + " to " + Fixed(most) + "\n";
}

// What a model other than a tsp consists of: its members by weight (a single model is its only member), with the latent
// classes in one line.
std::string StructureLines(const Model& model) {
  const ModelStructure structure = model.structure();
  if (structure.kind == "tsp") return "";
  std::string lines = "\nmembers, each with its weight\n";
  if (structure.members.empty()) return lines + StructureLine(structure, model.schema());
  for (const ModelStructure& member : MembersOf(structure, false)) lines += StructureLine(member, model.schema());
  const std::vector<ModelStructure> classes = MembersOf(structure, true);
  return classes.empty() ? lines : lines + ClassesLine(classes);
}

std::string SchemaLines(const Schema& schema) {
  std::string lines;
  for (const ColumnSchema& column : schema.columns) {
    const char* noun = column.bins ? " bins" : " categories";
    std::string line = "  " + column.name + ": " + column.type + ", " + std::to_string(column.categories.size()) + noun;
    if (column.has_missing) line += " and missing";
    if (column.ordered) line += ", ordered";
    for (const std::string& text : column.missing_texts) line += ", `" + text + "` means missing";
    lines += OnOneLine(line) + "\n";
  }
  return lines;
}

std::string OptionLines(const FitRecord& record) {
  std::string lines;
  for (const auto& [name, value] : record.options) lines += OnOneLine("  --" + name + " " + value) + "\n";
  return lines;
}

std::string CurveLines(const FitRecord& record) {
  std::string lines;
  for (const LearningCurvePoint& point : record.curve) {
    lines += "  " + std::to_string(point.layers) + ":";
    if (point.train_nll) lines += " train " + Fixed(*point.train_nll);
    if (point.valid_nll) lines += " held-out " + Fixed(*point.valid_nll);
    lines += "\n";
  }
  return lines;
}

void Run(const Arguments& arguments) {
  const Model model = Model::Load(arguments.model);
  if (arguments.json) {
    PrintJson(ModelToJson(model));
    return;
  }
  Print(Headline(model) + StructureLines(model) + "\nschema\n" + SchemaLines(model.schema()) + "\noptions\n" +
        OptionLines(model.fit_record()) + "\nlearning curve, NLL in nats per row\n" + CurveLines(model.fit_record()));
}

}  // namespace

Verb AddInfo(CLI::App& root) {
  CLI::App& app = AddVerb(root, "info", "what a model knows: schema, options, size, learning curve");
  const auto arguments = std::make_shared<Arguments>();
  AddFile(app, "MODEL", &arguments->model, "a model made by dtf fit");
  AddOnOff(app, "json", &arguments->json, "print one JSON object, with all categories");
  return {&app, [arguments] { Run(*arguments); }};
}

}  // namespace dtf::cli
