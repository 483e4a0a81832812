// dtf::Model for Python.
#include "dtf/model.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "module.h"
#include "table.h"
#include "trees.h"

namespace dtf::python {
namespace nb = nanobind;
namespace {

using Weights = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Latent = nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <typename Call>
auto WithoutLock(const Call& call) {
  const nb::gil_scoped_release release;
  return call();
}

auto Score(const Model& model, const NamedTable& table, int threads, const std::optional<Weights>& weights) {
  const auto given = weights ? std::span(weights->data(), weights->size()) : std::span<const double>();
  auto scores = WithoutLock([&] { return model.Score(table.headers, table.rows, threads, given); });
  const std::size_t rows = scores.size();
  return ToNumpy(std::move(scores), rows);
}

// None: each row counts once.
auto RowWeights(const Model& model, const NamedTable& table) {
  auto weights = WithoutLock([&] { return model.RowWeights(table.headers, table.rows); });
  const std::size_t rows = weights.size();
  return rows == 0 ? std::nullopt : std::optional(ToNumpy(std::move(weights), rows));
}

// Column after column becomes row after row.
template <typename To, typename From>
auto Transposed(const std::vector<std::vector<From>>& columns, std::size_t rows) {
  std::vector<To> cells(rows * columns.size());
  for (std::size_t j = 0; j < columns.size(); ++j) {
    for (std::size_t i = 0; i < rows; ++i) cells[i * columns.size() + j] = static_cast<To>(columns[j][i]);
  }
  return cells;
}

auto ScorePerColumn(const Model& model, const NamedTable& table, int threads) {
  const std::size_t rows = table.rows.rows;
  auto scores =
      WithoutLock([&] { return Transposed<double>(model.ScorePerColumn(table.headers, table.rows, threads), rows); });
  return ToNumpy(std::move(scores), rows, model.schema().columns.size());
}

auto Encode(const Model& model, const NamedTable& table, int threads) {
  const std::size_t rows = table.rows.rows;
  auto latent =
      WithoutLock([&] { return Transposed<std::int64_t>(model.Encode(table.headers, table.rows, threads), rows); });
  return ToNumpy(std::move(latent), rows, model.latent_columns().size());
}

// REQUIRES: a column for each of the model's latent columns, each code below its size.
nb::list Decode(const Model& model, const Latent& latent, int threads) {
  Batch batch = WithoutLock([&] {
    std::vector<std::vector<Code>> columns(latent.shape(1), std::vector<Code>(latent.shape(0)));
    for (std::size_t i = 0; i < latent.shape(0); ++i) {
      for (std::size_t j = 0; j < columns.size(); ++j) columns[j][i] = static_cast<Code>(latent(i, j));
    }
    return model.Decode(columns, threads);
  });
  return ToPython(std::move(batch));
}

nb::list Sample(const Model& model, std::uint64_t seed, std::uint64_t first_row, std::size_t rows, int threads) {
  return ToPython(WithoutLock([&] { return model.Sample(seed, first_row, rows, threads); }));
}

std::vector<std::pair<std::string, std::string>> Headers(const Model& model) {
  std::vector<std::pair<std::string, std::string>> headers;
  for (const ColumnHeader& header : model.headers()) headers.emplace_back(header.name, header.type);
  return headers;
}

std::vector<std::pair<std::string, Code>> LatentColumns(const Model& model) {
  std::vector<std::pair<std::string, Code>> columns;
  for (const LatentColumn& column : model.latent_columns()) columns.emplace_back(column.name, column.size);
  return columns;
}

nb::list SchemaOf(const Model& model) {
  nb::list columns;
  for (const ColumnSchema& column : model.schema().columns) {
    nb::dict entry;
    entry["name"] = column.name;
    entry["type"] = column.type;
    entry["categories"] = column.categories;
    entry["missing"] = column.has_missing;
    entry["missing_texts"] = column.missing_texts;
    entry["ordered"] = column.ordered;
    entry["cuts"] = column.bins ? nb::cast(column.bins->cuts) : nb::none();
    columns.append(entry);
  }
  return columns;
}

nb::dict RecordOf(const Model& model) {
  const FitRecord& record = model.fit_record();
  nb::list curve;
  for (const LearningCurvePoint& point : record.curve) {
    curve.append(nb::make_tuple(point.layers, point.train_nll, point.valid_nll));
  }
  nb::dict entry;
  entry["options"] = record.options;
  entry["rows"] = record.rows;
  entry["train_nll"] = record.train_nll;
  entry["curve"] = curve;
  return entry;
}

nb::dict StructureToPython(const ModelStructure& structure) {
  nb::dict entry;
  entry["kind"] = structure.kind;
  entry["base"] = structure.base;
  entry["weight"] = structure.weight;
  entry["layers"] = structure.layers;
  entry["order"] = structure.order;
  entry["conditioners"] = structure.conditioners;
  entry["questions"] = structure.questions;
  entry["trees"] = structure.trees;
  entry["terms"] = structure.terms;
  entry["nodes"] = structure.nodes;
  entry["parameters"] = structure.parameters;
  entry["is_class"] = structure.is_class;
  nb::list members;
  for (const ModelStructure& member : structure.members) members.append(StructureToPython(member));
  entry["members"] = members;
  return entry;
}

nb::list QuestionsOf(const Model& model, std::size_t column, std::size_t member) {
  nb::list questions;
  for (const QuestionDescription& question : model.DescribeQuestions(column, member)) {
    questions.append(ToPython(question));
  }
  return questions;
}

nb::bytes Serialize(const Model& model) {
  const std::string bytes = WithoutLock([&] { return model.Serialize(); });
  return nb::bytes(bytes.data(), bytes.size());
}

Model Deserialize(const nb::bytes& bytes, const std::string& source) {
  const auto view = std::as_bytes(std::span(bytes.c_str(), bytes.size()));
  return WithoutLock([&] { return Model::Deserialize(view, source); });
}

}  // namespace

void AddModel(nb::module_& module) {
  nb::class_<Model>(module, "Model", "A fitted model.")
      .def_static("load", &Model::Load, nb::arg("path"), nb::call_guard<nb::gil_scoped_release>())
      .def("save", &Model::Save, nb::arg("path"), nb::call_guard<nb::gil_scoped_release>())
      .def_static("deserialize", &Deserialize, nb::arg("data"), nb::arg("source"))
      .def("serialize", &Serialize)
      .def_prop_ro("weights_column", &Model::weights_column)
      .def("row_weights", &RowWeights, nb::arg("table"))
      .def("score", &Score, nb::arg("table"), nb::arg("threads"), nb::arg("weights") = nb::none())
      .def("score_per_column", &ScorePerColumn, nb::arg("table"), nb::arg("threads"))
      .def("encode", &Encode, nb::arg("table"), nb::arg("threads"))
      .def("decode", &Decode, nb::arg("latent"), nb::arg("threads"))
      .def("sample", &Sample, nb::arg("seed"), nb::arg("first_row"), nb::arg("rows"), nb::arg("threads"))
      .def_prop_ro("headers", &Headers)
      .def_prop_ro("latent_columns", &LatentColumns)
      .def_prop_ro("schema", &SchemaOf)
      .def_prop_ro("record", &RecordOf)
      .def_prop_ro("structure", [](const Model& model) { return StructureToPython(model.structure()); })
      .def(
          "layer", [](const Model& model, std::size_t layer) { return ToPython(model.DescribeLayer(layer)); },
          nb::arg("layer"))
      .def("questions", &QuestionsOf, nb::arg("column"), nb::arg("member"))
      .def_prop_ro("closed", [](const Model& model) { return model.schema().closed; })
      .def_prop_ro("unseen_mass", &Model::unseen_mass);
}

}  // namespace dtf::python
