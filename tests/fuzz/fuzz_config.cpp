// Input: a configuration; after a byte 0 there may follow an override, "key.path=value".
#include "core/config/config.h"
#include "tests/fuzz/fuzz.h"

using namespace ansatz;

namespace {

enum class Mood { calm, wild };

/// Asks for a key of every kind, as the sections of a real configuration do.
void read_all(const Config& config) {
  config.get("seed", 1);
  config.get("quiet", false);
  config.get("name", "run");
  config.get("scale", 1.0);
  config.get_positive("ridge", 1e-3);
  config.get_fraction("share", 0.5);
  config.get_at_least("least", 2.0, 1.0);
  config.get("powers", std::vector<double>{0.5, 1});
  config.get("names", std::vector<std::string>{});
  config.get_choice<Mood>("mood", "calm", {{"calm", Mood::calm}, {"wild", Mood::wild}});
  config.get_or_word("samples", 10, "all", 0, 1);
  config.get_path("path");
  config.get_paths("weights");
  const Config network = config.section("network");
  if (network.has("hidden_layers")) network.get("hidden_layers", std::vector<Index>{1024});
  network.section("optimizer").get_at_least("epochs", Index{5}, Index{0});
  for (const Config& machine : config.list("kernel_machines")) {
    machine.require("label");
    machine.get_choice("kernel", "laplace", {"laplace", "gaussian", "ntk"});
  }
  config.finish();
}

std::string resolved(const Config& config) {
  read_all(config);
  return config.resolved_yaml();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Folder folder;
  static const auto included = folder.write("base.yaml", "seed: 7\nnetwork: {hidden_layers: [3, 4]}\n");
  const std::string_view bytes = fuzz::Input(data, size).rest();
  const std::size_t end = bytes.find('\0');
  const auto path = folder.write("a.yaml", bytes.substr(0, end));
  std::vector<std::string> overrides;
  if (end != std::string_view::npos) overrides.emplace_back(bytes.substr(end + 1));
  std::string text;
  fuzz::read_or_refuse([&] { text = resolved(Config::from_file(path, overrides)); });
  if (!text.empty()) fuzz::require(resolved(Config::from_string(text)) == text, "a resolved config reads as itself");
  return 0;
}
