#include "dtf/model.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "api/check_rows.h"
#include "api/describe_flow.h"
#include "api/model_impl.h"
#include "api/row_weights.h"
#include "base/output_file.h"
#include "base/parallel.h"
#include "dtf/error.h"
#include "flow/score_table.h"
#include "format/frame.h"
#include "table/encoder.h"

namespace dtf {
namespace {

Encoder EncoderOf(const Model& model, const CategoryIndex& categories, const std::vector<ColumnHeader>& headers,
                  const Batch& batch) {
  CheckBatch(headers, batch);
  return {categories, headers, batch.source, model.weights_column()};
}

Encoder::Unseen UnseenOf(const Schema& schema) {
  return schema.closed ? Encoder::Unseen::kError : Encoder::Unseen::kSlot;
}

// The name of the latent column that has a mixture's member: one that no other column has.
std::string MemberColumn(const std::vector<ColumnHeader>& headers) {
  std::string name = "member";
  for (int n = 2; FindColumn(headers, name); ++n) name = "member_" + std::to_string(n);
  return name;
}

// Reads the size that the file's header tells and one byte more, so that a long file that is no model costs nothing.
std::vector<std::byte> ReadModelFile(const std::string& path) {
  const auto fail = [&](const std::string& reason) {
    throw Error(ErrorKind::kModelFile, "cannot read the model " + path + ": " + reason);
  };
  std::error_code no_status;
  if (std::filesystem::is_directory(path, no_status)) fail(std::strerror(EISDIR));
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(std::strerror(errno));
  std::vector<std::byte> bytes;
  const auto read_up_to = [&](std::size_t size) {
    constexpr std::size_t kPiece = std::size_t{1} << 20;  // memory grows with the bytes read, not with `size`
    while (bytes.size() < size && file) {
      const std::size_t begin = bytes.size();
      bytes.resize(std::min(size, begin + kPiece));
      file.read(reinterpret_cast<char*>(bytes.data() + begin), static_cast<std::streamsize>(bytes.size() - begin));
      bytes.resize(begin + static_cast<std::size_t>(file.gcount()));
    }
    if (file.bad()) fail(std::strerror(errno));
  };
  read_up_to(kHeaderSize);
  read_up_to(FramedSize(bytes, path) + 1);
  return bytes;
}

}  // namespace

Model Model::Load(const std::string& path) { return Deserialize(ReadModelFile(path), path); }

void Model::Save(const std::string& path) const {
  const std::string bytes = Serialize();
  OutputFile file(path);
  file.Write(bytes);
  file.Commit();
}

void Model::CheckSavePath(const std::string& path) {
  std::error_code no_status;
  if (!std::filesystem::is_other(path, no_status)) OutputFile probe(path);
}

std::string Model::Serialize() const { return SerializeModel(impl_->content); }

Model Model::Deserialize(std::span<const std::byte> bytes, const std::string& source) {
  return Model(std::make_shared<const Impl>(ParseModel(bytes, source)));
}

const Schema& Model::schema() const { return impl_->content.schema; }
const FitRecord& Model::fit_record() const { return impl_->content.record; }
ModelStructure Model::structure() const { return DescribeFlow(*impl_->content.flow); }
int Model::layers() const { return LayerCount(*impl_->content.flow); }
std::uint64_t Model::nodes() const { return impl_->content.flow->NodeCount(); }
std::uint64_t Model::parameters() const { return impl_->content.flow->ParameterCount(); }
double Model::unseen_mass() const { return impl_->content.flow->Unseen().mass; }
std::vector<ColumnHeader> Model::headers() const { return HeadersOf(schema()); }

std::optional<std::string> Model::weights_column() const {
  for (const auto& [name, value] : fit_record().options) {
    // A column of the model's own, as only a forged record has it, is not ignored.
    if (name == "weights" && !FindColumn(headers(), value)) return value;
  }
  return std::nullopt;
}

std::vector<double> Model::RowWeights(const std::vector<ColumnHeader>& headers, const Batch& batch) const {
  const std::optional<std::string> name = weights_column();
  const std::optional<std::size_t> position = name ? FindColumn(headers, *name) : std::nullopt;
  if (!position) return {};
  CheckBatch(headers, batch);
  return ReadWeightColumn(headers, batch, *position, WeightUse::kMean);
}

std::vector<LatentColumn> Model::latent_columns() const {
  const std::vector<Code> sizes = impl_->content.flow->LatentSizes();
  std::vector<LatentColumn> columns;
  if (sizes.size() > schema().columns.size()) columns.push_back({MemberColumn(headers()), sizes[0]});
  for (const ColumnSchema& column : schema().columns) columns.push_back({column.name, column.size()});
  return columns;
}

std::vector<double> Model::Score(const std::vector<ColumnHeader>& headers, const Batch& batch, int threads,
                                 std::span<const double> weights) const {
  if (!weights.empty()) CheckWeightCount(batch, weights);
  const CodeTable codes =
      EncoderOf(*this, impl_->categories(), headers, batch).Encode(batch, UnseenOf(schema()), weights);
  return ScoreTable(*impl_->content.flow, codes, ThreadCount(threads));
}

std::vector<std::vector<double>> Model::ScorePerColumn(const std::vector<ColumnHeader>& headers, const Batch& batch,
                                                       int threads) const {
  const Flow& flow = *impl_->content.flow;
  if (!flow.HasColumnScores()) {
    throw Error(ErrorKind::kUsage, "this model is " + DescribeInWords(flow) +
                                       ": its log-likelihood is no sum over columns, so there is none per column");
  }
  const CodeTable codes = EncoderOf(*this, impl_->categories(), headers, batch).Encode(batch, UnseenOf(schema()));
  return ScoreTablePerColumn(flow, codes, ThreadCount(threads));
}

std::vector<ValueCounts> Model::CountValues(const std::vector<ColumnHeader>& headers, const Batch& batch) const {
  return EncoderOf(*this, impl_->categories(), headers, batch).CountValues(batch);
}

std::vector<std::vector<Code>> Model::Encode(const std::vector<ColumnHeader>& headers, const Batch& batch,
                                             int threads) const {
  const Flow& flow = *impl_->content.flow;
  const CodeTable codes = EncoderOf(*this, impl_->categories(), headers, batch).Encode(batch, Encoder::Unseen::kError);
  std::vector<std::vector<Code>> latent(flow.LatentSizes().size(), std::vector<Code>(codes.rows));
  ForEachBlock(flow, codes, ThreadCount(threads), [&](std::size_t first, CodeBlock block) {
    const CodeBlock encoded = flow.Encode(std::move(block));
    for (std::size_t j = 0; j < latent.size(); ++j) {
      std::copy(encoded[j].begin(), encoded[j].end(), latent[j].begin() + static_cast<std::ptrdiff_t>(first));
    }
  });
  return latent;
}

Batch Model::Decode(const std::vector<std::vector<Code>>& latent, int threads) const {
  CheckLatent(latent_columns(), latent);
  const Flow& flow = *impl_->content.flow;
  const std::size_t rows = latent[0].size();
  CodeTable latent_codes = CodeTable::WithSizes(rows, flow.LatentSizes());
  for (std::size_t j = 0; j < latent.size(); ++j) latent_codes.columns[j].Write(0, latent[j]);
  CodeTable codes = CodeTable::WithSizes(rows, flow.sizes());
  ForEachBlock(flow, latent_codes, ThreadCount(threads),
               [&](std::size_t first, CodeBlock block) { flow.Decode(std::move(block)).CopyTo(codes, first); });
  return DecodeTable(schema(), codes);
}

Batch Model::Sample(std::uint64_t seed, std::uint64_t first_row, std::size_t rows, int threads) const {
  const Flow& flow = *impl_->content.flow;
  CodeTable codes = CodeTable::WithSizes(rows, flow.sizes());
  ForEachBlock(flow, codes, ThreadCount(threads), [&](std::size_t first, CodeBlock block) {
    flow.Sample(seed, first_row + first, block);
    block.CopyTo(codes, first);
  });
  return DecodeSample(schema(), codes, seed, first_row);
}

}  // namespace dtf
