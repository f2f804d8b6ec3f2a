#include <algorithm>
#include <set>

#include "core/base/error.h"
#include "core/data/loading/sampling.h"
#include "tests/support/catch.h"
#include "tests/support/errors.h"

using namespace ansatz;

namespace {

using Rows = std::vector<Index>;

/// 100 training and 40 test rows, labels 0, 1, 2, 0, 1, 2, ...
DataOutline three_classes() {
  DataOutline outline;
  outline.name = "shapes";
  outline.class_names = {"circle", "square", "star"};
  outline.train.rows = 100;
  outline.test.rows = 40;
  for (PartOutline* part : {&outline.train, &outline.test}) {
    for (Index i = 0; i < part->rows; ++i) part->labels.push_back(i % 3);
  }
  outline.dimension = 1;
  outline.outputs = 3;
  return outline;
}

DrawOptions sizes(Index train, Index test) {
  DrawOptions options;
  options.train_size = train;
  options.test_size = test;
  options.validation_fraction = 0;
  return options;
}

DrawnRows draw(const DataOutline& outline, const DrawOptions& options, std::uint64_t seed = 1) {
  return draw_rows(outline, options, RandomStream(seed));
}

std::string complaint(const DataOutline& outline, const DrawOptions& options) {
  return message_of<DataError>([&] { draw(outline, options); });
}

Index members(const DataOutline& outline, const Rows& rows, Index label) {
  return std::count_if(rows.begin(), rows.end(),
                       [&](Index row) { return outline.train.labels[static_cast<std::size_t>(row)] == label; });
}

}  // namespace

TEST_CASE("rows are drawn without replacement, the same for the same seed") {
  const DataOutline outline = three_classes();
  const DrawnRows drawn = draw(outline, sizes(30, 10));
  CHECK(std::set<Index>(drawn.train.begin(), drawn.train.end()).size() == 30);
  CHECK(std::set<Index>(drawn.test.begin(), drawn.test.end()).size() == 10);
  CHECK(drawn.train.back() >= 50);  // from all over the file
  CHECK(draw(outline, sizes(30, 10)).train == drawn.train);
  CHECK(draw(outline, sizes(30, 10), 2).train != drawn.train);
  CHECK(draw(outline, sizes(0, 0)).train.size() == 100);
}

TEST_CASE("one draw does not shift another") {
  const DataOutline outline = three_classes();
  const DrawnRows drawn = draw(outline, sizes(30, 10));
  CHECK(draw(outline, sizes(30, 0)).train == drawn.train);
  CHECK(draw(outline, sizes(0, 10)).test == drawn.test);
  DrawOptions with_validation = sizes(30, 10);
  with_validation.validation_fraction = 0.2;
  const DrawnRows split = draw(outline, with_validation);
  CHECK(split.test == drawn.test);
  Rows both;
  std::merge(split.train.begin(), split.train.end(), split.validation.begin(), split.validation.end(),
             std::back_inserter(both));
  CHECK(both == drawn.train);
}

TEST_CASE("validation rows come out of the drawn training rows") {
  DrawOptions options = sizes(50, 0);
  options.validation_fraction = 0.2;
  CHECK(draw(three_classes(), options).validation.size() == 10);
  options.validation_size = 7;
  const DrawnRows drawn = draw(three_classes(), options);
  CHECK(drawn.validation.size() == 7);
  CHECK(drawn.train.size() == 43);
  options.validation_size = 50;
  CHECK(contains(complaint(three_classes(), options), "`validation_size` is 50 of 50 training rows"));
}

TEST_CASE("validation rows of their own are used instead") {
  DataOutline outline = three_classes();
  outline.validation = outline.test;
  DrawOptions options = sizes(50, 0);
  options.validation_fraction = 0.2;
  const DrawnRows drawn = draw(outline, options);
  CHECK(drawn.train.size() == 50);
  CHECK(drawn.validation.size() == 40);
}

TEST_CASE("a set in one piece is split at random, without overlap") {
  DataOutline outline = three_classes();
  outline.one_piece = true;
  outline.test = {};
  DrawOptions options = sizes(0, 0);
  options.test_fraction = 0.3;
  const DrawnRows drawn = draw(outline, options);
  CHECK(drawn.test.size() == 30);
  CHECK(drawn.train.size() == 70);
  std::set<Index> all(drawn.train.begin(), drawn.train.end());
  all.insert(drawn.test.begin(), drawn.test.end());
  CHECK(all.size() == 100);
  options.train_size = 20;
  options.test_size = 5;
  const DrawnRows fewer = draw(outline, options);  // of the same two pools
  CHECK(std::includes(drawn.train.begin(), drawn.train.end(), fewer.train.begin(), fewer.train.end()));
  CHECK(std::includes(drawn.test.begin(), drawn.test.end(), fewer.test.begin(), fewer.test.end()));
  options.test_fraction = 0;
  CHECK(contains(complaint(outline, options), "no test rows"));
}

TEST_CASE("classes are kept in the order given") {
  DrawOptions options = sizes(0, 0);
  options.classes = {"star", "circle"};
  const DrawnRows drawn = draw(three_classes(), options);
  CHECK(drawn.new_label == Rows{1, -1, 0});
  CHECK(drawn.class_names == options.classes);
  CHECK(drawn.train.size() == 67);
  CHECK(members(three_classes(), drawn.train, 1) == 0);
}

TEST_CASE("balanced draws take equally many of each class") {
  DataOutline outline = three_classes();
  outline.train.labels.assign(100, 0);
  std::fill(outline.train.labels.begin(), outline.train.labels.begin() + 20, 1);
  std::fill(outline.train.labels.begin() + 20, outline.train.labels.begin() + 35, 2);
  DrawOptions options = sizes(30, 0);
  options.balanced = true;
  options.validation_fraction = 0.2;
  const DrawnRows drawn = draw(outline, options);
  for (const Index label : {0, 1, 2}) {
    CHECK(members(outline, drawn.train, label) == 8);
    CHECK(members(outline, drawn.validation, label) == 2);
  }
  options.train_size = 0;  // as many as the smallest class has
  CHECK(draw(outline, options).train.size() + draw(outline, options).validation.size() == 45);
  options.train_size = 60;
  CHECK(contains(complaint(outline, options), "20 training rows of each of 3 classes; class \"star\" has 15"));
}

TEST_CASE("class_sizes says how many training rows of each class are drawn") {
  const DataOutline outline = three_classes();
  DrawOptions options = sizes(0, 0);
  options.classes = {"star", "circle"};
  options.class_sizes = {20, 3};
  const DrawnRows drawn = draw(outline, options);
  CHECK(members(outline, drawn.train, 2) == 20);
  CHECK(members(outline, drawn.train, 0) == 3);
  CHECK(drawn.train.size() == 23);
  CHECK(drawn.test.size() == 27);  // all of both
  CHECK(draw(outline, options, 2).train != drawn.train);
  options.class_sizes = {20, 35};
  CHECK(contains(complaint(outline, options), "asks for 35 training rows of class \"circle\", which has 34"));
  options.class_sizes = {20};
  CHECK(contains(message_of<ConfigError>([&] { draw(outline, options); }), "1 numbers for 2 classes"));
}

TEST_CASE("draw: first takes the first rows of the file, of each class where these are drawn by themselves") {
  const DataOutline outline = three_classes();
  DrawOptions options = sizes(7, 5);
  options.which = RowDraw::first;
  DrawnRows drawn = draw(outline, options);
  CHECK(drawn.train == Rows{0, 1, 2, 3, 4, 5, 6});
  CHECK(drawn.test == Rows{0, 1, 2, 3, 4});
  CHECK(draw(outline, options, 2).train == drawn.train);
  CHECK(contains(drawn.notes.back(), "5 of 40 rows, the first in the order of the files"));

  options.class_sizes = {2, 1, 3};
  options.train_size = 0;
  CHECK(draw(outline, options).train == Rows{0, 1, 2, 3, 5, 8});
  options.class_sizes.clear();
  options.classes = {"star", "circle"};
  options.balanced = true;
  options.train_limit = 6;
  CHECK(draw(outline, options).train == Rows{0, 2, 3, 5, 6, 8});

  options.validation_fraction = 1.0 / 3;  // one of each class, at random
  drawn = draw(outline, options);
  CHECK(drawn.train.size() == 4);
  Rows all = drawn.train;
  all.insert(all.end(), drawn.validation.begin(), drawn.validation.end());
  std::sort(all.begin(), all.end());
  CHECK(all == Rows{0, 2, 3, 5, 6, 8});
}

TEST_CASE("the test rows of a balanced set in one piece are the same share of each class") {
  DataOutline outline = three_classes();
  outline.one_piece = true;
  outline.train.labels.assign(100, 0);
  std::fill(outline.train.labels.begin() + 70, outline.train.labels.begin() + 90, 1);
  std::fill(outline.train.labels.begin() + 90, outline.train.labels.end(), 2);
  DrawOptions options = sizes(0, 0);
  options.balanced = true;
  options.test_fraction = 0.2;
  const DrawnRows drawn = draw(outline, options);
  for (const Index label : {0, 1, 2}) {
    CHECK(members(outline, drawn.train, label) == 8);
    CHECK(members(outline, drawn.test, label) == 2);
  }
}

TEST_CASE("draws that cannot be made are refused in words") {
  const DataOutline outline = three_classes();
  CHECK(contains(complaint(outline, sizes(101, 0)), "`train_size` is 101 but there are 100 training rows"));
  CHECK(contains(complaint(outline, sizes(0, 41)), "`test_size` is 41 but there are 40 test rows"));
  DrawOptions options = sizes(0, 0);
  options.classes = {"star", "circel"};
  CHECK(
      contains(complaint(outline, options), "no class \"circel\" (`classes`); its classes are: circle, square, star"));
  options.classes = {"star", "star"};
  CHECK(contains(message_of<ConfigError>([&] { draw(outline, options); }), "twice"));
  options.classes = {"star"};
  CHECK(contains(message_of<ConfigError>([&] { draw(outline, options); }), "at least two"));
  DataOutline numbers = outline;
  numbers.class_names.clear();
  numbers.train.labels.clear();
  numbers.test.labels.clear();
  options.classes = {"star", "circle"};
  CHECK(contains(complaint(numbers, options), "needs class labels"));
  options.classes.clear();
  options.balanced = true;
  CHECK(contains(complaint(numbers, options), "needs class labels"));
}
