// A fitted model: exact probabilities, samples and latent codes of rows of its table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dtf/io.h"
#include "dtf/schema.h"
#include "dtf/table.h"
#include "dtf/trees.h"

namespace dtf {

// Mean negative log-likelihoods, nats per row, of a model's first `layers` layers.
struct LearningCurvePoint {
  int layers = 0;
  std::optional<double> train_nll;  // of the rows the layers were learnt from; not known of a forest's members
  std::optional<double> valid_nll;  // of the rows held out meanwhile
};

// How a model came about. Kept in its file; nothing in it decides a score.
struct FitRecord {
  std::vector<std::pair<std::string, std::string>> options;  // name and value of each option, as on the command line
  double rows = 0;                                           // weight of all rows it was fitted to
  double train_nll = 0;                                      // mean over them, nats per row
  std::vector<LearningCurvePoint> curve;
};

// What a model is made of.
struct ModelStructure {
  std::string kind;   // "tsp", "autoregressive" or "mixture"
  std::string base;   // "independent" or "conditional"; empty of a mixture
  double weight = 1;  // of a mixture's member
  int layers = 0;     // of a tsp
  // Of an autoregressive model: the positions of the columns in the schema, each after those that it is predicted from;
  // the columns that are predicted from others; the yes/no questions about categories, and the trees that answer them.
  std::vector<std::size_t> order;
  std::uint64_t conditioners = 0;
  std::uint64_t questions = 0;
  std::uint64_t trees = 0;
  std::uint64_t nodes = 0;       // of all trees, leaves included
  std::uint64_t parameters = 0;  // Model::parameters
  std::uint64_t terms = 0;       // of the questions' sums, besides trees
  // Of a mixture's member: a class of a latent class model. Its columns do not depend on each other, or it differs from
  // the members beside it in nothing but the odds that its questions begin with.
  bool is_class = false;
  std::vector<ModelStructure> members;
};

// A column of latent codes: whole numbers 0 … size - 1.
struct LatentColumn {
  std::string name;
  Code size = 0;
};

// Immutable; all functions may be called by several threads at a time. Rows are given as batches of a table with the
// model's columns, in any order: `headers` names the batch's columns. The column of weights may be there as well, and
// is looked at by RowWeights only. `threads` 0 means all cores; results never depend on it.
class Model {
 public:
  // Throws Error(kModelFile) for a file that is missing, damaged, hostile, or of a newer format version.
  static Model Load(const std::string& path);
  // Atomic: an old file stays intact until the new one is complete. Throws Error(kOther) when it cannot be written.
  void Save(const std::string& path) const;
  // Throws as Save would where a model could not be put, before there is one. What is no regular file (a pipe, a
  // device) is not opened.
  static void CheckSavePath(const std::string& path);

  // The bytes that Save writes, and a model from such bytes; `source` is what messages call them.
  std::string Serialize() const;
  static Model Deserialize(std::span<const std::byte> bytes, const std::string& source);

  const Schema& schema() const;
  const FitRecord& fit_record() const;
  ModelStructure structure() const;
  int layers() const;  // of a tsp; else 0
  std::uint64_t nodes() const;
  // Of a tsp as the paper counts: 2 a node, and the largest k for each feature it permutes. Else the numbers learnt.
  std::uint64_t parameters() const;
  // FitOptions::weights: a column of the fitted table that is none of the model's.
  std::optional<std::string> weights_column() const;
  double unseen_mass() const;  // probability kept for rows with a value never seen; 0 when closed

  // ln P(row) in nats, one per row; -inf where the probability is 0, never above 0.
  // Throws Error(kInput) for a value never seen when the model is closed. weights: one for each row, or none; a row of
  // weight 0 may have any values, and its number says nothing then.
  std::vector<double> Score(const std::vector<ColumnHeader>& headers, const Batch& batch, int threads = 0,
                            std::span<const double> weights = {}) const;
  // Its summands: one list per column of schema(), one entry per row. Of a tsp with a conditional base: ln of how
  // likely the answers to the last tree's questions about the column are, plus ln of its code's probability in the
  // leaf. Throws Error(kUsage) when it has none: a mixture.
  std::vector<std::vector<double>> ScorePerColumn(const std::vector<ColumnHeader>& headers, const Batch& batch,
                                                  int threads = 0) const;

  // How often each row counts in a mean: by weights_column(); empty, each once, when there is none in this table.
  // Throws Error(kInput), naming row, column and value, for what is no finite number, or negative.
  std::vector<double> RowWeights(const std::vector<ColumnHeader>& headers, const Batch& batch) const;

  // For each column of schema(), whether any of the rows has a value there that the model knows (missing, if it knows
  // that). Where none has, values are likely to be spelt otherwise than in the fitted table.
  std::vector<bool> HasKnownValues(const std::vector<ColumnHeader>& headers, const Batch& batch) const;

  // What latent codes there are: the columns of schema(), and before them, of a mixture, `member`; if a column of
  // schema() has that name, the first of `member_2`, `member_3`, … that none has.
  std::vector<LatentColumn> latent_columns() const;
  // Latent codes: for each of latent_columns() one list, one entry per row; the highest is the most frequent or
  // probable one. Throws Error(kInput) for a value never seen, naming row, column and value.
  std::vector<std::vector<Code>> Encode(const std::vector<ColumnHeader>& headers, const Batch& batch,
                                        int threads = 0) const;
  // The rows with these latent codes, in the schema's columns. Bins come back as their representatives. Throws
  // Error(kInput) when the lists are not those of latent_columns(), of one length, or a code is not below its size.
  Batch Decode(const std::vector<std::vector<Code>>& latent, int threads = 0) const;

  // Rows first_row … first_row + rows - 1 of the endless sample that `seed` stands for.
  Batch Sample(std::uint64_t seed, std::uint64_t first_row, std::size_t rows, int threads = 0) const;

  // The tree of a tsp's layer, 0-based. Codes are those that come into the layer: of the first one, the categories of
  // schema(); of the others, what the layer before gives. Throws Error(kUsage) when there is none.
  TreeDescription DescribeLayer(std::size_t layer) const;
  // The yes/no questions about `column`, a position in schema(), of an autoregressive model, or of a mixture's member.
  // The first is asked first; the next one is that whose categories are the ones left. Codes are categories of
  // schema(). Throws Error(kUsage) when there are none; or when their lists hold more than 20 million codes in all.
  std::vector<QuestionDescription> DescribeQuestions(std::size_t column, std::size_t member = 0) const;

  // The headers of Decode's and Sample's columns.
  std::vector<ColumnHeader> headers() const;

  class Impl;
  explicit Model(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

 private:
  std::shared_ptr<const Impl> impl_;
};

}  // namespace dtf
