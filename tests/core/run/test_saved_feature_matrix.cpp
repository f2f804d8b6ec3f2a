#include <memory>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/files/npy.h"
#include "core/run/run_directory.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"
#include "tests/support/temporary_folder.h"

using namespace ansatz;
namespace fs = std::filesystem;

TEMPLATE_TEST_CASE("feature matrices are written in their form and read back", "", float, double) {
  using M = FeatureMatrix<TestType>;
  const TemporaryFolder folder;
  const RunDirectory run = RunDirectory::open(folder / "x", "", Json::object(), false);
  const fs::path matrices = folder / "x/matrices";
  RandomStream stream(3);
  const Matrix<TestType> w = stream.normal_matrix<TestType>(4, 6);

  const M dense = M::dense(Matrix<TestType>(w.transpose() * w));
  run.write_feature_matrix<TestType>("rfm.M1", dense, dense.top_eigenpairs(2));
  CHECK(read_feature_matrix<TestType>(matrices / "rfm.M1").dense_part() == dense.dense_part());
  CHECK(read_feature_matrix<TestType>(matrices / "rfm.M1.npy").dense_part() == dense.dense_part());
  CHECK(read_npy<TestType>(matrices / "rfm.M1.diagonal.npy").col(0) == dense.diagonal());
  CHECK(read_npy<TestType>(matrices / "rfm.M1.eigenvectors.npy") == dense.top_eigenpairs(2).vectors);
  CHECK(read_npy<TestType>(matrices / "rfm.M1.eigenvalues.npy").col(0) == dense.top_eigenpairs(2).values);

  const M diagonal = M::diagonal_form(Vector<TestType>(w.row(0).cwiseAbs()));
  run.write_feature_matrix<TestType>("rfm.D", diagonal, {});
  CHECK(read_feature_matrix<TestType>(matrices / "rfm.D").form() == M::Form::diagonal);
  CHECK(read_feature_matrix<TestType>(matrices / "rfm.D").diagonal_part() == diagonal.diagonal_part());
  CHECK_FALSE(fs::exists(matrices / "rfm.D.eigenvectors.npy"));

  const M sandwich = M::sandwich(w);
  run.write_feature_matrix<TestType>("network.nfm", sandwich, {});
  CHECK(read_feature_matrix<TestType>(matrices / "network.nfm").dense_part().isApprox(sandwich.to_dense()));
}

TEST_CASE("above the dense limit the factors of a sandwich are written") {
  const TemporaryFolder folder;
  const RunDirectory run = RunDirectory::open(folder / "x", "", Json::object(), false);
  const fs::path matrices = folder / "x/matrices";
  RandomStream stream(4);
  const auto f = std::make_shared<const Matrix<float>>(stream.normal_matrix<float>(2, kDenseLimit + 1));
  Matrix<float> c(2, 2);
  c << 2, 1, 1, 3;

  const auto agop = FeatureMatrix<float>::sandwich(f, c);
  run.write_feature_matrix<float>("agop", agop, agop.top_eigenpairs(1));
  CHECK_FALSE(fs::exists(matrices / "agop.npy"));
  const FeatureMatrix<float> back = read_feature_matrix<float>(matrices / "agop");
  CHECK(back.factor() == *f);
  CHECK(back.core() == c);
  CHECK(read_npy_header(matrices / "agop.eigenvectors.npy").shape == std::vector<Index>{1, kDenseLimit + 1});

  run.write_feature_matrix<float>("nfm", FeatureMatrix<float>::sandwich(f), {});
  CHECK_FALSE(fs::exists(matrices / "nfm.C.npy"));
  CHECK(read_feature_matrix<float>(matrices / "nfm").core_is_identity());
}

TEST_CASE("a sandwich is written as its factors where these take less, and the array is large") {
  const TemporaryFolder folder;
  const RunDirectory run = RunDirectory::open(folder / "x", "", Json::object(), false);
  const fs::path matrices = folder / "x/matrices";
  RandomStream stream(6);
  const auto sandwich = [&](Index r, Index d) {
    return FeatureMatrix<float>::sandwich(std::make_shared<const Matrix<float>>(stream.normal_matrix<float>(r, d)),
                                          Matrix<float>(Matrix<float>::Identity(r, r)));
  };
  const FeatureMatrix<float> m = sandwich(3, 1500);  // 9 MB as d x d
  run.write_feature_matrix<float>("thin", m, {});
  CHECK_FALSE(fs::exists(matrices / "thin.npy"));
  for (const char* name : {"thin", "thin.npy", "thin.F.npy"}) {
    INFO(name);
    CHECK(read_feature_matrix<float>(matrices / name).factor() == m.factor());
    CHECK(feature_matrix_rounding(matrices / name) == std::ldexp(1, -23));
  }
  run.write_feature_matrix<float>("asked", m, {}, MatrixFiles::dense);
  CHECK(read_npy<float>(matrices / "asked.npy") == m.to_dense());
  run.write_feature_matrix<float>("small", sandwich(3, 1000), {});  // 4 MB
  CHECK(fs::exists(matrices / "small.npy"));
  run.write_feature_matrix<float>("thick", sandwich(1000, 1500), {});  // its factors: 10 MB
  CHECK(fs::exists(matrices / "thick.npy"));
  CHECK_FALSE(fs::exists(matrices / "thick.F.npy"));
}

TEST_CASE("what is no feature matrix is refused by name") {
  const TemporaryFolder folder;
  const auto error = [](const fs::path& path) {
    return message_of<DataError>([&] { read_feature_matrix<double>(path); });
  };
  CHECK(contains(error(folder / "none"), "no feature matrix"));
  write_npy(folder / "wide.npy", Matrix<double>(Matrix<double>::Ones(2, 3)));
  CHECK(contains(error(folder / "wide.npy"), "is 2 x 3; a feature matrix is d x d"));
  Matrix<double> a = Matrix<double>::Identity(2, 2);
  a(0, 1) = 5;
  write_npy(folder / "skew.npy", a);
  CHECK(contains(error(folder / "skew.npy"), "skew.npy"));
  write_npy(folder / "negative.npy", Vector<double>(Vector<double>::Constant(3, -1)));
  CHECK(contains(error(folder / "negative.npy"), "negative.npy"));
  write_npy(folder / "misfit.F.npy", Matrix<double>(Matrix<double>::Ones(2, 3)));
  write_npy(folder / "misfit.C.npy", Matrix<double>(Matrix<double>::Identity(3, 3)));
  CHECK(contains(error(folder / "misfit"), "misfit.C.npy: is 3 x 3, but"));
}

TEST_CASE("a matrix from a file is symmetric to the rounding of the file's type") {
  const TemporaryFolder folder;
  RandomStream stream(5);
  const Matrix<double> w = stream.normal_matrix<double>(40, 30);
  const Matrix<double> exact = w.transpose() * w;
  const auto error = [](const fs::path& path) {
    return message_of<DataError>([&] { read_feature_matrix<double>(path); });
  };
  // A root computed in float32, as scipy.linalg.sqrtm leaves it: 6e-7 of its largest entry off its transpose.
  Matrix<float> root = exact.cast<float>();
  root(3, 7) += 6e-7f * root.cwiseAbs().maxCoeff();
  REQUIRE(root(3, 7) != root(7, 3));
  write_npy(folder / "root.npy", root);
  CHECK(error(folder / "root.npy").empty());
  CHECK(read_feature_matrix<double>(folder / "root.npy").dense_part() ==
        read_feature_matrix<double>(folder / "root.npy").dense_part().transpose());
  // The same difference is no rounding where the file holds doubles.
  write_npy(folder / "double.npy", Matrix<double>(root.cast<double>()));
  CHECK(contains(error(folder / "double.npy"), "double.npy: is not symmetric: it differs from its transpose by"));
  // And in no type what another matrix is off by.
  root(3, 7) += 0.01f * root.cwiseAbs().maxCoeff();
  write_npy(folder / "other.npy", root);
  CHECK(contains(error(folder / "other.npy"), "other.npy: is not symmetric"));
  write_npy(folder / "minus.npy", Matrix<double>(-exact));
  CHECK(contains(error(folder / "minus.npy"), "on its diagonal; a feature matrix is positive semi-definite"));
  // A diagonal may lie below 0 by as much.
  Vector<float> diagonal = Vector<float>::LinSpaced(5, 0, 1);
  diagonal[0] = -1e-7f;
  write_npy(folder / "diagonal.npy", diagonal);
  CHECK(read_feature_matrix<double>(folder / "diagonal.npy").diagonal()[0] == 0);
  write_npy(folder / "below.npy", Vector<double>(diagonal.cast<double>()));
  CHECK(contains(error(folder / "below.npy"), "below.npy"));
  CHECK(feature_matrix_rounding(folder / "root.npy") == std::ldexp(1, -23));
  CHECK(feature_matrix_rounding(folder / "double") == std::ldexp(1, -52));
}
