// Fits a model to a table, saves and loads it, and shows that decoding undoes encoding.
#include <dtf/dtf.h>

#include <cstdio>
#include <fstream>

int main() {
  std::ofstream("weather.csv") << "sky,wet\nblue,no\ngrey,yes\nblue,no\ngrey,no\n";
  const auto reader = dtf::OpenTable("weather.csv", {});
  const dtf::NamedTable table{reader->columns(), dtf::ReadAll(*reader)};
  dtf::Fit({table}, {}).model.Save("weather.dtf");

  const dtf::Model model = dtf::Model::Load("weather.dtf");
  const auto latent = model.Encode(table.headers, table.rows);
  const auto scores = model.Score(table.headers, table.rows);
  const auto again = model.Score(model.headers(), model.Decode(latent));
  std::printf("dtf %s: the first row's log-likelihood is %.4f nats\n", DTF_VERSION, scores[0]);
  return scores == again && scores[0] < 0 ? 0 : 1;
}
