#include "core/data/loading/sampling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/base/error.h"

namespace ansatz {
namespace {

using Rows = std::vector<Index>;

Index count(const Rows& rows) { return static_cast<Index>(rows.size()); }

Index fraction_of(Index n, double fraction) {
  return static_cast<Index>(std::llround(fraction * static_cast<double>(n)));
}

Rows pick(const Rows& rows, const Rows& positions) {
  Rows picked;
  picked.reserve(positions.size());
  for (const Index p : positions) picked.push_back(rows[static_cast<std::size_t>(p)]);
  return picked;
}

/// Moves `m` seeded random rows out of the ascending `rows`; returns them, ascending.
Rows split_off(Rows& rows, Index m, RandomStream stream) {
  const Rows taken = pick(rows, stream.sample(count(rows), m));
  Rows kept;
  std::set_difference(rows.begin(), rows.end(), taken.begin(), taken.end(), std::back_inserter(kept));
  rows = std::move(kept);
  return taken;
}

/// Fills in which classes are kept, and the new label of each old one.
void select_classes(const DataOutline& outline, const std::vector<std::string>& keep, DrawnRows& drawn) {
  const std::vector<std::string>& names = outline.class_names;
  drawn.class_names = keep.empty() ? names : keep;
  drawn.new_label.assign(names.size(), -1);
  if (keep.empty()) {
    for (std::size_t i = 0; i < names.size(); ++i) drawn.new_label[i] = static_cast<Index>(i);
    return;
  }
  if (names.empty()) throw DataError(outline.name + ": `classes` needs class labels, but the targets are numbers");
  if (keep.size() < 2)
    throw ConfigError(outline.name + ": `classes` names one class; classification needs at least two");
  for (std::size_t i = 0; i < keep.size(); ++i) {
    const auto found = std::find(names.begin(), names.end(), keep[i]);
    if (found == names.end()) {
      throw DataError(fmt::format("{}: there is no class \"{}\" (`classes`); its classes are: {}", outline.name,
                                  keep[i], fmt::join(names, ", ")));
    }
    Index& label = drawn.new_label[static_cast<std::size_t>(found - names.begin())];
    if (label >= 0)
      throw ConfigError(fmt::format("{}: class \"{}\" is listed twice in `classes`", outline.name, keep[i]));
    label = static_cast<Index>(i);
  }
  drawn.notes.push_back(fmt::format("classes kept: {}", fmt::join(keep, ", ")));
}

/// Draws from one pool of rows.
class Drawer {
 public:
  Drawer(const DataOutline& outline, const DrawOptions& options, const DrawnRows& drawn)
      : outline_(outline), options_(options), drawn_(drawn) {}

  /// The rows of kept classes.
  Rows candidates(const PartOutline& part) const {
    Rows rows;
    rows.reserve(static_cast<std::size_t>(part.rows));
    for (Index i = 0; i < part.rows; ++i) {
      if (part.labels.empty() || label(part, i) >= 0) rows.push_back(i);
    }
    return rows;
  }

  /// Draws the training rows: by class_sizes if given, else as draw() does.
  Rows draw_train(const PartOutline& part, Rows rows, const RandomStream& stream) const {
    if (options_.class_sizes.empty()) {
      const bool cut = options_.train_limit > 0 && options_.train_limit < most(part, rows);
      return cut ? draw(part, std::move(rows), options_.train_limit, "train_limit", "training", stream)
                 : draw(part, std::move(rows), options_.train_size, "train_size", "training", stream);
    }
    const std::vector<Rows> classes = by_class(part, rows, "class_sizes");
    if (options_.class_sizes.size() != classes.size()) {
      throw ConfigError(fmt::format("{}: `class_sizes` has {} numbers for {} classes ({})", outline_.name,
                                    options_.class_sizes.size(), classes.size(), fmt::join(drawn_.class_names, ", ")));
    }
    for (std::size_t c = 0; c < classes.size(); ++c) {
      if (options_.class_sizes[c] > count(classes[c])) {
        throw DataError(fmt::format("{}: `class_sizes` asks for {} training rows of class \"{}\", which has {}",
                                    outline_.name, options_.class_sizes[c], drawn_.class_names[c], count(classes[c])));
      }
    }
    return draw_of_each(classes, options_.class_sizes, stream);
  }

  /// Moves the test rows out of a set that comes in one piece.
  Rows set_aside(const PartOutline& part, Rows& rows, const RandomStream& stream) const {
    const auto size = [&](Index n) { return fraction_of(n, options_.test_fraction); };
    return options_.balanced ? split_off_of_each(part, rows, size, stream) : split_off(rows, size(count(rows)), stream);
  }

  /// Draws `size` of the rows, or takes all (0). `key` and `kind` are for messages.
  Rows draw(const PartOutline& part, Rows rows, Index size, const char* key, const char* kind,
            const RandomStream& stream) const {
    if (size > count(rows)) {
      throw DataError(fmt::format("{}: `{}` is {} but there are {} {} rows{}; lower it, or say all", outline_.name, key,
                                  size, count(rows), kind, options_.classes.empty() ? "" : " of the classes kept"));
    }
    if (options_.balanced) return draw_balanced(part, rows, size, key, kind, stream);
    return size == 0 ? rows : take(rows, size, stream);
  }

  /// Moves the validation rows out of the drawn training rows.
  Rows hold_out(const PartOutline& part, Rows& train, const RandomStream& stream) const {
    const Index n = count(train);
    const double fraction = options_.validation_size > 0 ? static_cast<double>(options_.validation_size) /
                                                               static_cast<double>(std::max<Index>(n, 1))
                                                         : options_.validation_fraction;
    if (options_.validation_size >= n && options_.validation_size > 0) {
      throw DataError(fmt::format("{}: `validation_size` is {} of {} training rows, which leaves none to train on",
                                  outline_.name, options_.validation_size, n));
    }
    if (!options_.balanced) return split_off(train, fraction_of(n, fraction), stream);
    return split_off_of_each(
        part, train, [&](Index of_class) { return fraction_of(of_class, fraction); }, stream);
  }

 private:
  /// Takes `m` of the ascending `rows`; returns them, ascending.
  Rows take(const Rows& rows, Index m, RandomStream stream) const {
    if (options_.which == RowDraw::first) return {rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(m)};
    return pick(rows, stream.sample(count(rows), m));
  }

  Index label(const PartOutline& part, Index row) const {
    return drawn_.new_label[static_cast<std::size_t>(part.labels[static_cast<std::size_t>(row)])];
  }

  /// The largest number of rows that can be drawn.
  Index most(const PartOutline& part, const Rows& rows) const {
    if (!options_.balanced) return count(rows);
    const std::vector<Rows> classes = by_class(part, rows);
    return count(*smallest(classes)) * static_cast<Index>(classes.size());
  }

  static std::vector<Rows>::const_iterator smallest(const std::vector<Rows>& classes) {
    return std::min_element(classes.begin(), classes.end(),
                            [](const Rows& a, const Rows& b) { return a.size() < b.size(); });
  }

  std::vector<Rows> by_class(const PartOutline& part, const Rows& rows, const char* key = "balanced") const {
    if (drawn_.class_names.empty()) {
      throw DataError(fmt::format("{}: `{}` needs class labels, but the targets are numbers", outline_.name, key));
    }
    std::vector<Rows> classes(drawn_.class_names.size());
    for (const Index row : rows) classes[static_cast<std::size_t>(label(part, row))].push_back(row);
    return classes;
  }

  /// Moves size(n) of the n rows of each class out of `rows`; returns them, ascending.
  template <class Size>
  Rows split_off_of_each(const PartOutline& part, Rows& rows, Size size, const RandomStream& stream) const {
    std::vector<Rows> classes = by_class(part, rows);
    Rows taken;
    rows.clear();
    for (std::size_t c = 0; c < classes.size(); ++c) {
      const Rows some = split_off(classes[c], size(count(classes[c])), stream.named(drawn_.class_names[c]));
      taken.insert(taken.end(), some.begin(), some.end());
      rows.insert(rows.end(), classes[c].begin(), classes[c].end());
    }
    std::sort(taken.begin(), taken.end());
    std::sort(rows.begin(), rows.end());
    return taken;
  }

  Rows draw_of_each(const std::vector<Rows>& classes, const std::vector<Index>& sizes,
                    const RandomStream& stream) const {
    Rows taken;
    for (std::size_t c = 0; c < classes.size(); ++c) {
      const Rows some = take(classes[c], sizes[c], stream.named(drawn_.class_names[c]));
      taken.insert(taken.end(), some.begin(), some.end());
    }
    std::sort(taken.begin(), taken.end());
    return taken;
  }

  Rows draw_balanced(const PartOutline& part, const Rows& rows, Index size, const char* key, const char* kind,
                     const RandomStream& stream) const {
    const std::vector<Rows> classes = by_class(part, rows);
    const auto fewest = smallest(classes);
    const Index each = size == 0 ? count(*fewest) : size / static_cast<Index>(classes.size());
    if (each > count(*fewest) || each == 0) {
      throw DataError(
          fmt::format("{}: `balanced` with {} {} asks for {} {} rows of each of {} classes; class \"{}\" has {}",
                      outline_.name, key, size == 0 ? "all" : std::to_string(size), each, kind, classes.size(),
                      drawn_.class_names[static_cast<std::size_t>(fewest - classes.begin())], count(*fewest)));
    }
    return draw_of_each(classes, std::vector<Index>(classes.size(), each), stream);
  }

  const DataOutline& outline_;
  const DrawOptions& options_;
  const DrawnRows& drawn_;
};

void add_notes(const DataOutline& outline, const DrawOptions& options, Index train_rows, Index test_rows,
               DrawnRows& drawn) {
  const Index from_train = outline.validation.rows > 0 ? 0 : count(drawn.validation);
  if (outline.one_piece) {
    drawn.notes.push_back(fmt::format("{} of {} rows set aside for testing at random (test_fraction {})", test_rows,
                                      test_rows + train_rows, options.test_fraction));
  }
  const std::string first = options.which == RowDraw::first ? ", the first in the order of the files" : "";
  const std::string how = (options.balanced ? ", equally many of each class" : "") + first;
  const std::string sizes = options.class_sizes.empty() ? how
                                                        : fmt::format(", {} of the classes in order{}",
                                                                      fmt::join(options.class_sizes, ", "), first);
  drawn.notes.push_back(fmt::format("train: {} of {} rows{}", count(drawn.train) + from_train, train_rows, sizes));
  if (from_train > 0)
    drawn.notes.push_back(
        fmt::format("validation: {} of these, which leaves {} to train on", from_train, count(drawn.train)));
  drawn.notes.push_back(fmt::format("test: {} of {} rows{}", count(drawn.test), test_rows, how));
}

}  // namespace

DrawnRows draw_rows(const DataOutline& outline, const DrawOptions& options, const RandomStream& stream) {
  DrawnRows drawn;
  drawn.notes = outline.notes;
  select_classes(outline, options.classes, drawn);
  const Drawer drawer(outline, options, drawn);
  const PartOutline& test_part = outline.one_piece ? outline.train : outline.test;
  Rows train = drawer.candidates(outline.train);
  Rows test = outline.one_piece ? drawer.set_aside(outline.train, train, stream.named("data/split"))
                                : drawer.candidates(outline.test);
  if (test.empty()) {
    throw DataError(outline.name + ": there are no test rows" + (outline.one_piece ? "; raise `test_fraction`" : ""));
  }
  drawn.train = drawer.draw_train(outline.train, train, stream.named("data/train"));
  drawn.test = drawer.draw(test_part, test, options.test_size, "test_size", "test", stream.named("data/test"));
  const RandomStream validation = stream.named("data/validation");
  if (outline.validation.rows > 0) {
    drawn.validation = drawer.draw(outline.validation, drawer.candidates(outline.validation), options.validation_size,
                                   "validation_size", "validation", validation);
  } else {
    drawn.validation = drawer.hold_out(outline.train, drawn.train, validation);
  }
  if (drawn.train.empty()) throw DataError(outline.name + ": no training rows are left");
  add_notes(outline, options, count(train), count(test), drawn);
  return drawn;
}

}  // namespace ansatz
