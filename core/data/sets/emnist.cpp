#include "core/data/sets/emnist.h"

#include <string_view>

namespace ansatz {
namespace {

constexpr std::string_view kPrefix = "emnist_";

constexpr std::string_view kDigits = "0123456789", kCapitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::string_view kSmallUnlikeCapitals = "abdefghnqrt", kSmall = "abcdefghijklmnopqrstuvwxyz";

struct Classes {
  std::string characters;
  Index first_label;
};

/// What the mapping files emnist-*-mapping.txt say.
Classes classes_of(const std::string& split) {
  const std::string digits(kDigits), capitals(kCapitals);
  if (split == "letters") return {capitals, 1};
  if (split == "byclass") return {digits + capitals + std::string(kSmall), 0};
  if (split == "balanced" || split == "bymerge") return {digits + capitals + std::string(kSmallUnlikeCapitals), 0};
  return {digits, 0};
}

std::string split_of(const std::string& name) { return name.substr(kPrefix.size()); }

}  // namespace

std::vector<std::string> emnist_files(const std::string& name) {
  std::vector<std::string> files;
  for (const std::string part : {"train", "test"}) {
    for (const std::string kind : {"images-idx3-ubyte", "labels-idx1-ubyte"}) {
      const std::string file = "emnist-" + split_of(name) + "-" + part + "-" + kind;
      files.push_back(file + "|" + file + ".gz");
    }
  }
  return files;
}

RowSource open_emnist(const std::string& name, const std::filesystem::path& folder) {
  const Classes classes = classes_of(split_of(name));
  IdxSet set{name, emnist_files(name), {}, classes.first_label, true};
  for (const char character : classes.characters) set.class_names.emplace_back(1, character);
  return open_idx(set, folder);
}

}  // namespace ansatz
