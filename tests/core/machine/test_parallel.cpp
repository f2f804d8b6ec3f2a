#include <atomic>
#include <stdexcept>
#include <vector>

#include "core/machine/parallel.h"
#include "tests/support/catch.h"
#include "tests/support/matrices.h"

using namespace ansatz;

namespace {

// Sets the thread count and puts the former one back.
class WithThreads {
 public:
  explicit WithThreads(int count) : before_(threads()) { set_threads(count); }
  ~WithThreads() { set_threads(before_); }

 private:
  int before_;
};

}  // namespace

TEST_CASE("A parallel loop visits every index once") {
  for (const int count : {1, 2, 4}) {
    const WithThreads scope(count);
    CHECK(threads() == count);
    std::vector<std::atomic<int>> visits(1000);
    parallel_for(1000, [&](Index i) { ++visits[std::size_t(i)]; });
    for (const auto& v : visits) CHECK(v == 1);
    parallel_for(0, [&](Index) { FAIL("no index to visit"); });
  }
}

TEST_CASE("Tiles cover the range without overlap") {
  for (const Index n : {0, 1, 9, 10, 11, 100})
    for (const Index tile : {1, 10, 200}) {
      std::vector<std::atomic<int>> visits(std::size_t(n) + 1);
      std::atomic<bool> sizes_hold{true};
      parallel_tiles(n, tile, [&](Index begin, Index end) {
        if (begin >= end || end - begin > tile || begin % tile != 0) sizes_hold = false;
        for (Index i = begin; i < end; ++i) ++visits[std::size_t(i)];
      });
      CHECK(sizes_hold);
      for (Index i = 0; i < n; ++i) CHECK(visits[std::size_t(i)] == 1);
      CHECK(visits[std::size_t(n)] == 0);
    }
}

TEST_CASE("An exception in a parallel body reaches the caller") {
  const WithThreads scope(2);
  CHECK_THROWS_AS(parallel_for(50,
                               [](Index i) {
                                 if (i == 17) throw std::domain_error("seventeen");
                               }),
                  std::domain_error);
  std::atomic<int> after{0};
  parallel_for(10, [&](Index) { ++after; });
  CHECK(after == 10);
}

TEST_CASE("Products inside a parallel loop are right") {
  const WithThreads scope(2);
  const Matrix<double> a = testing::random_matrix(80, 60, 1), b = testing::random_matrix(60, 50, 2);
  const Matrix<double> expected = a * b;
  std::vector<Matrix<double>> products(8);
  parallel_for(8, [&](Index i) { products[std::size_t(i)] = a * b; });
  for (const Matrix<double>& product : products) CHECK(testing::relative_error(product, expected) < 1e-15);
}

TEST_CASE("A thread scope holds inside and ends with the block") {
  const WithThreads outer(3);
  {
    const ThreadScope one(1);
    CHECK(threads() == 1);
    {
      const ThreadScope two(2);
      CHECK(threads() == 2);
    }
    CHECK(threads() == 1);
    const Matrix<double> a = testing::random_matrix(300, 300, 1);
    CHECK(testing::relative_error(Matrix<double>(a * a.transpose()), row_gram<double>(a)) < 1e-14);
  }
  CHECK(threads() == 3);
}

TEST_CASE("Sums do not depend on the number of threads") {
  const Matrix<float> a = testing::random_matrix<float>(1000, 37, 1), b = testing::random_matrix<float>(1000, 37, 2);
  double one = 0, many = 0;
  {
    const WithThreads scope(1);
    one = entry_dot<float>(a, b);
  }
  {
    const WithThreads scope(4);
    many = entry_dot<float>(a, b);
  }
  CHECK(one == many);
  CHECK(one == Approx(a.cast<double>().cwiseProduct(b.cast<double>()).sum()).epsilon(1e-13));
}

TEST_CASE("Zero threads means one a core, and the BLAS is described") {
  const WithThreads scope(0);
  CHECK(threads() >= 1);
  CHECK(blas_description().find("OpenBLAS") != std::string::npos);
}
