// Reads the golden files: the exact outputs of the authors' program on fold 0 of a data set.
//
// They are not part of the repository. They are looked up in $DTF_TEST_DATA/golden, by default ../shared/golden beside
// the source root (the compile definition DTF_SOURCE_DIR). Codes in the files are arbitrary integers of the domain the
// file states; here every code is its position among the domain's values in ascending order.
#ifndef DTF_TESTS_ORACLE_GOLDEN_JSON_H_
#define DTF_TESTS_ORACLE_GOLDEN_JSON_H_

#include <string>
#include <vector>

#include "oracle/oracle.h"

namespace dtf::oracle {

struct GoldenCase {
  Sizes sizes;
  int max_depth = 0;
  long n_min = 0;
  double alpha = 0;
  bool random_splits = false;    // feed the recorded splits in
  std::vector<Tree> trees;       // parent, left, right, depth, rows, feature, left_*, domain_raw, perm_tilde, perm
  std::vector<long> parameters;  // per tree
  std::vector<std::vector<std::vector<double>>> base;  // [t]: Q after t trees, d x sizes[j]
  std::vector<double> train_nll, test_nll;             // [t]: mean NLL after t trees, nats
  Rows first_test;                                     // the first 50 test rows
  std::vector<Rows> first_test_z;                      // [t]: the same after tree t
  std::vector<double> first_test_log_likelihood;       // nats
  Rows train, test, test_z;                            // test_z: all test rows after the last tree
  std::vector<double> test_log_likelihood;             // nats
};

// The folder of the golden files.
std::string GoldenFolder();
// The first file of the case that is not there; empty if all are.
std::string MissingGoldenFile(const std::string& name);
// REQUIRES: MissingGoldenFile(name).empty(). Throws on malformed files.
GoldenCase ReadGoldenCase(const std::string& name);

}  // namespace dtf::oracle

#endif  // DTF_TESTS_ORACLE_GOLDEN_JSON_H_
