#include "nets/checkpoints/names/telling_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string_view>

namespace ansatz::nets {
namespace {

struct Sign {
  const char* part;  ///< of a tensor's name
  const char* why;
};

constexpr const char* pruned = "belongs to a pruned layer: put torch.nn.utils.prune.remove before saving";

constexpr const char* recurrent = "belongs to a recurrent layer (RNN, LSTM, GRU)";
constexpr const char* quantised = "belongs to a quantised layer: save the network as it was before its quantisation";
constexpr const char* flat =
    "holds the layers of a sharded network run together: save its full state dict (FullStateDictConfig, or "
    "get_model_state_dict with full_state_dict=True)";
constexpr const char* adapter =
    "belongs to an adapter (LoRA), which is added to a layer and none itself: merge it (merge_and_unload() in PEFT) "
    "and "
    "save the whole network";
constexpr std::array<Sign, 18> signs = {
    {{"lora_", adapter},
     {"hada_w", adapter},
     {"parametrizations.",
      "is a parametrisation other than weight_norm: put torch.nn.utils.parametrize.remove_parametrizations before "
      "saving"},
     {"weight_orig",
      "belongs to a pruned or spectrally normalised layer: put torch.nn.utils.prune.remove or remove_spectral_norm "
      "before saving"},
     {"bias_orig", pruned},
     {"weight_mask", pruned},
     {"weight_ih", recurrent},
     {"weight_hh", recurrent},
     {"bias_ih", recurrent},
     {"bias_hh", recurrent},
     {"_packed_params", quantised},
     {".absmax", quantised},
     {".quant_map", quantised},
     {".quant_state", quantised},
     {".SCB", quantised},
     {".qweight", quantised},
     {"flat_param", flat},
     {"_extra_state", "is the state of a library (Transformer Engine): save the network without it, in float32"}}};

/// Stems of modules' names, without digits at their end.
struct Role {
  const char* what;
  bool has_bias;  ///< false: only of a module without biases
  std::vector<std::string_view> names;
};

const std::vector<Role>& roles() {
  static const std::vector<Role> all = {
      {"an attention", true, {"in_proj_", "q_proj_",  "k_proj_", "v_proj_", "q_proj", "k_proj",   "v_proj",
                              "qkv",      "qkv_proj", "to_q",    "to_k",    "to_v",   "to_qkv",   "wq",
                              "wk",       "wv",       "query",   "c_attn",  "attn",   "attention"}},
      {"a Conv1D of GPT-2, whose weights are inputs x outputs", true, {"c_fc", "c_proj"}},
      {"a gate, by which another layer is multiplied", true, {"gate", "gate_proj", "gating", "router"}},
      {"a shortcut past other layers",
       true,
       {"shortcut", "skip", "skip_connection", "skip_proj", "downsample", "residual", "res_proj"}},
      {"an embedding",
       false,
       {"emb", "embed", "embedding", "embeddings", "wte", "wpe", "tok_emb", "pos_emb", "embed_tokens",
        "token_embedding", "token_embeddings", "word_embeddings", "position_embedding", "position_embeddings"}},
      {"a second output", true, {"log_std", "logstd", "log_var", "logvar", "fc_logvar", "fc_log_var", "log_sigma"}},
      {"one of several experts", true, {"experts", "expert"}}};
  return all;
}

std::vector<std::string> components_of(const std::string& name) {
  std::vector<std::string> parts(1);
  for (const char c : name) {
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

/// "Fc_Out2" -> "fc_out"
std::string stem_of(const std::string& component) {
  const std::size_t end = component.find_last_not_of("0123456789");
  return lower(component.substr(0, end == std::string::npos ? 0 : end + 1));
}

/// The last component that is no number: "experts" of "experts.0".
std::string last_word(const std::string& module) {
  const std::vector<std::string> parts = components_of(module);
  const auto word =
      std::find_if(parts.rbegin(), parts.rend(), [](const std::string& part) { return !is_number(part); });
  return word == parts.rend() ? "" : *word;
}

/// Whether a word between underscores, at the beginning or at the end is one of these.
template <std::size_t count>
bool has_word(const std::string& name, const std::array<std::string_view, count>& words) {
  std::string word;
  for (const char c : stem_of(name) + "_") {
    if (c != '_') {
      word += c;
    } else {
      if (std::find(words.begin(), words.end(), word) != words.end()) return true;
      word.clear();
    }
  }
  return false;
}

std::string digits_out(const std::string& text) {
  std::string without;
  for (const char c : text)
    if (std::isdigit(static_cast<unsigned char>(c)) == 0) without += c;
  return without;
}

using Name = std::vector<std::string>;  // by components

/// Without what DataParallel, torch.compile and their like put between.
Name without_wrappers(const Name& name) {
  constexpr std::array<std::string_view, 4> wrappers = {"module", "_orig_mod", "_fsdp_wrapped_module",
                                                        "_checkpoint_wrapped_module"};
  Name own;
  std::copy_if(name.begin(), name.end(), std::back_inserter(own), [&](const std::string& part) {
    return std::find(wrappers.begin(), wrappers.end(), part) == wrappers.end();
  });
  return own;
}

Name from(const Name& name, std::size_t depth) {
  return Name(name.begin() + static_cast<std::ptrdiff_t>(depth), name.end());
}

/// The tensors below one beginning. Names are without dots: some averages are kept under such names.
struct Part {
  std::set<std::pair<std::string, std::vector<std::int64_t>>> tensors;
  std::set<Name> layers;
  std::string beginning;  ///< as the file has it

  void add(Name name, const TensorInfo& tensor, const std::string& begins) {
    std::string flat;
    for (const std::string& component : name) flat += component;
    tensors.emplace(std::move(flat), tensor.shape);
    if (!name.empty()) name.pop_back();
    layers.insert(std::move(name));
    beginning = begins;
  }
  /// Two single layers of one shape may follow each other.
  bool is_twin_of(const Part& other) const {
    return std::max(layers.size(), other.layers.size()) > 1 && tensors == other.tensors;
  }
};

/// How many components all names begin with.
std::size_t common_depth(const std::vector<Name>& names) {
  std::size_t depth = 0;
  const auto shared = [&](const Name& name) { return depth + 1 < name.size() && name[depth] == names.front()[depth]; };
  while (std::all_of(names.begin(), names.end(), shared)) ++depth;
  return depth;
}

/// The beginning of a tensor's name, as long as one of two networks must be called by.
std::string beginning_of(const Name& name, const std::string& part) {
  std::string text;
  for (const std::string& component : name) {
    text += (text.empty() ? "" : ".") + component;
    if (component == part) break;
  }
  return text;
}

}  // namespace

std::string why_foreign(const std::string& tensor) {
  for (const Sign& sign : signs)
    if (tensor.find(sign.part) != std::string::npos) return sign.why;
  if (components_of(tensor).back() == "kernel")
    return "is called as Keras and Flax call their weights, inputs x outputs: transpose it and call it 'weight'";
  return "";
}

std::string other_role(const std::string& module, bool bias) {
  const std::string word = lower(last_word(module)), stem = stem_of(word);
  for (const Role& role : roles()) {
    if (bias && !role.has_bias) continue;
    for (const std::string_view name : role.names)
      if (stem == name || word == name) return role.what;
  }
  return "";
}

std::optional<std::pair<std::string, std::string>> twins(const std::vector<TensorInfo>& tensors) {
  constexpr std::size_t most_parts = 32;
  std::vector<Name> raw, names;
  for (const TensorInfo& tensor : tensors) {
    raw.push_back(components_of(tensor.name));
    names.push_back(without_wrappers(raw.back()));
    if (names.back().empty()) return std::nullopt;
  }
  if (tensors.empty()) return std::nullopt;
  const std::size_t depth = common_depth(names);
  std::map<std::string, Part> parts;
  for (std::size_t i = 0; i < names.size() && parts.size() <= most_parts; ++i)
    if (names[i].size() >= depth + 2)
      parts[names[i][depth]].add(from(names[i], depth + 1), tensors[i], beginning_of(raw[i], names[i][depth]));
  if (parts.size() > most_parts) return std::nullopt;
  for (auto a = parts.begin(); a != parts.end(); ++a) {
    for (auto b = std::next(a); b != parts.end(); ++b)
      if (a->second.is_twin_of(b->second) && digits_out(a->first) != digits_out(b->first))
        return std::pair(a->second.beginning, b->second.beginning);
    Part rest;  // a copy may lie beside what it copies
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i][depth] != a->first) rest.add(from(names[i], depth), tensors[i], raw[i].front());
    if (a->second.is_twin_of(rest)) return std::pair(a->second.beginning, rest.beginning);
  }
  return std::nullopt;
}

std::string misplaced(const std::vector<std::string>& modules) {
  constexpr std::array<std::string_view, 7> last = {"out", "output", "head", "last", "final", "classifier", "logits"};
  constexpr std::array<std::string_view, 5> first = {"in", "inp", "input", "first", "stem"};
  const auto alone = [&](const auto& words, std::size_t place) -> std::string {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < modules.size(); ++i)
      if (has_word(last_word(modules[i]), words)) found.push_back(i);
    return found.size() == 1 && found[0] != place ? modules[found[0]] : "";
  };
  const std::string late = alone(last, modules.size() - 1);
  return late.empty() ? alone(first, 0) : late;
}

int shards_of(const std::string& file_name) {
  static const std::regex form(R"(.*-(\d{1,6})-of-(\d{1,6})(\..*)?)");
  std::smatch match;
  return std::regex_match(file_name, match, form) ? std::max(1, std::stoi(match[2])) : 1;
}

}  // namespace ansatz::nets
