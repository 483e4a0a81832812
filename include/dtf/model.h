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

// Mean negative log-likelihoods, in nats per row, after the first `layers` layers of a tsp, or members of a mixture.
struct LearningCurvePoint {
  int layers = 0;
  std::optional<double> train_nll;  // of the rows that the layers were learnt from; of members none
  std::optional<double> valid_nll;  // of the rows that were held out meanwhile (FitResult::valid_nll), if any were
};

// How a model came about. It is kept in the model's file, and no score depends on it.
struct FitRecord {
  std::vector<std::pair<std::string, std::string>> options;  // name and value of each option, as on the command line
  double rows = 0;                                           // weight of all rows that it was fitted to
  double train_nll = 0;                                      // mean over them, nats per row
  std::vector<LearningCurvePoint> curve;                     // of the fit that chose the number of layers or members
};

// What a model is made of.
struct ModelStructure {
  std::string kind;   // "tsp", "autoregressive", "mixture" or, of its members, "hidden-tree"
  std::string base;   // "independent" or "conditional"; empty of a mixture
  double weight = 1;  // of a mixture's member, positive; those of all members sum to 1
  int layers = 0;     // of a tsp
  // Of an autoregressive model: the positions of the columns in the schema, each after those that it is predicted from;
  // the columns that are predicted from others; the yes/no questions about categories, and the trees that answer them.
  std::vector<std::size_t> order;
  std::uint64_t conditioners = 0;
  std::uint64_t questions = 0;
  std::uint64_t trees = 0;
  std::uint64_t nodes = 0;       // of all trees, leaves included
  std::uint64_t parameters = 0;  // Model::parameters
  std::uint64_t terms = 0;       // QuestionDescription::terms of all questions
  // Whether a mixture's member is a class of a latent class model: its columns are independent of each other, or it
  // differs from other members in nothing but its questions' biases.
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
//
// Functions that take a batch throw Error(kInput) unless it has a column for each header, and each column one cell per
// row, missing or in its dictionary; and, but for RowWeights, when a column of the model is missing, or one is left
// over or there twice. Score, ScorePerColumn and Encode throw it, too, naming row, column and value, for
// what is no number in a column cut into bins; and for a value never seen: Encode always, the other two when the model
// is closed.
class Model {
 public:
  // Throws Error(kModelFile) for a file that is missing, damaged, hostile, or of a newer format version.
  static Model Load(const std::string& path);
  // Atomic: an old file stays intact until the new one is complete. Throws Error(kOther) when it cannot be written.
  void Save(const std::string& path) const;
  // Throws what Save would throw because of `path`, before there is a model. What is no regular file (a pipe, a device)
  // is not opened, and so not checked.
  static void CheckSavePath(const std::string& path);

  // The bytes that Save writes, and a model from such bytes; `source` is what messages call them. Deserialize throws as
  // Load does.
  std::string Serialize() const;
  static Model Deserialize(std::span<const std::byte> bytes, const std::string& source);

  const Schema& schema() const;
  const FitRecord& fit_record() const;
  ModelStructure structure() const;
  int layers() const;           // of a tsp; else 0
  std::uint64_t nodes() const;  // of all trees, leaves included
  // Of a tsp as the paper's tables count: 2 for each node, the size of the largest column for each column that a node
  // permutes, and 1 for each code after the first that a split sends left. Else all biases, terms, inner nodes, leaves
  // and members' weights, those that latent classes share counted once.
  std::uint64_t parameters() const;
  // FitOptions::weights: a column of the fitted table that is none of the model's.
  std::optional<std::string> weights_column() const;
  double unseen_mass() const;  // probability kept for rows with a value never seen, 0 to 1; 0 when closed

  // ln P(row) in nats, one per row; -inf where the probability is 0, never above 0. weights: one for each row, or none
  // (else Error(kInput)); a row of weight 0 may have any values, and its score means nothing then.
  std::vector<double> Score(const std::vector<ColumnHeader>& headers, const Batch& batch, int threads = 0,
                            std::span<const double> weights = {}) const;
  // The summands of ln P(row), in nats: one list per column of schema(), one entry per row. Of a tsp with a conditional
  // base, a column's summand is ln of the probability of the answers to the last tree's tests of that column on the
  // row's path, plus ln of its code's probability in the leaf. Throws Error(kUsage) for a mixture, whose ln P is no sum
  // over columns.
  std::vector<std::vector<double>> ScorePerColumn(const std::vector<ColumnHeader>& headers, const Batch& batch,
                                                  int threads = 0) const;

  // How often each row counts in a mean, as weights_column() says; empty (each once) when this table has no such
  // column. Throws Error(kInput), naming row, column and value, for what is no number from 0 to 1e100.
  std::vector<double> RowWeights(const std::vector<ColumnHeader>& headers, const Batch& batch) const;

  // For each column of schema(), how many values of the batch the model knows, and how many it does not.
  std::vector<ValueCounts> CountValues(const std::vector<ColumnHeader>& headers, const Batch& batch) const;

  // The columns of latent codes: one for each column of schema(), of its name and size. A mixture has one more before
  // them, for the member that encodes the row: `member`, or the first of `member_2`, `member_3`, … that is no column.
  std::vector<LatentColumn> latent_columns() const;
  // Latent codes: for each of latent_columns() one list, one entry per row. The highest code of a column is the most
  // frequent or probable one.
  std::vector<std::vector<Code>> Encode(const std::vector<ColumnHeader>& headers, const Batch& batch,
                                        int threads = 0) const;
  // The rows with these latent codes, in the schema's columns. Bins come back as their representatives. Throws
  // Error(kInput) unless there is a list for each of latent_columns(), all of one length, of codes below its size.
  Batch Decode(const std::vector<std::vector<Code>>& latent, int threads = 0) const;

  // Rows first_row … first_row + rows - 1 of the endless sample that `seed` stands for, in the schema's columns. No
  // cell is a value never seen; those of bins are drawn within the bin.
  Batch Sample(std::uint64_t seed, std::uint64_t first_row, std::size_t rows, int threads = 0) const;

  // The tree of a tsp's layer, 0-based. Its tests are of the codes that come into the layer: those of schema()'s
  // categories into the first one, and into each other one what the layer before gives. Throws Error(kUsage) when
  // there is no such layer.
  TreeDescription DescribeLayer(std::size_t layer) const;
  // The yes/no questions about `column`, a position in schema(), of an autoregressive model or of a mixture's member,
  // 0-based. The first question is asked first; the one asked next is that whose `yes` and `no` together are the
  // categories left. Codes are positions of categories in schema(). Throws Error(kUsage) when there is no such column
  // or member, or the model is a tsp; or when the lists would hold more than 20 million codes in all.
  std::vector<QuestionDescription> DescribeQuestions(std::size_t column, std::size_t member = 0) const;

  // The headers of Decode's and Sample's columns.
  std::vector<ColumnHeader> headers() const;

  class Impl;
  explicit Model(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

 private:
  std::shared_ptr<const Impl> impl_;
};

}  // namespace dtf
