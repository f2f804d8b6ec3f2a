#include "viz/page/glossary.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace ansatz::viz {
namespace {

constexpr std::pair<const char*, const char*> kAbbreviations[] = {
    {"RFM", "Recursive Feature Machine, a kernel machine that learns a feature matrix M"},
    {"AGOP", "average gradient outer product of a model’s outputs with respect to its inputs"},
    {"NTK", "neural tangent kernel"},
    {"ntk", "a neural tangent kernel, of infinitely wide networks"},
    {"NNGP", "neural network Gaussian process kernel"},
    {"nngp", "a kernel of infinitely wide networks as Gaussian processes"},
    {"MSE", "mean squared error"},
    {"RMSE", "root of the mean squared error"},
    {"R²", "share of the targets’ variance that is explained: 1 is perfect, 0 no better than their mean"},
};

/// What is read: a space in place of each tag, since the cells of a table are words of their own.
std::string read_text(const std::string& html) {
  std::string text;
  bool within_tag = false;
  for (const char c : html) {
    if (c == '<') {
      within_tag = true;
      text += ' ';
    }
    if (!within_tag) text += c;
    if (c == '>') within_tag = false;
  }
  return text;
}

bool has_word(const std::string& text, const std::string& word) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_letter(text[at - 1])) && (end == text.size() || !is_letter(text[end]))) return true;
  }
  return false;
}

/// What the models of some runs are.
struct Used {
  bool network = false, rfm = false, classes = false, regression = false, comparison = false, scaled_targets = false;
  std::vector<std::string> kernels;   ///< "ntk, depth = 2: ..."
  std::vector<std::string> networks;  ///< "784-256-10 relu, no bias, ..."
  std::vector<std::string> losses;
};

void note(const RunRecord& record, Used& used) {
  if (!record.data) return;
  used.network |= record.network.has_value();
  used.rfm |= record.rfm.has_value();
  used.comparison |= !record.pairs.empty();
  used.scaled_targets |= record.data->target_scaling.scales();
  (record.data->task == Task::classification ? used.classes : used.regression) = true;
  if (record.network) {
    used.networks.push_back(record.network->description);
    used.losses.push_back(record.network->metrics.train.cross_entropy ? "cross_entropy" : "mse");
  }
  if (record.rfm) used.kernels.push_back(record.rfm->description);
  for (const KernelMachineRecord& machine : record.kernel_machines) used.kernels.push_back(machine.description);
}

bool is_used(const std::string& convention, const Used& used) {
  const bool kernel_machine = !used.kernels.empty();
  const std::pair<const char*, bool> conditions[] = {{"class_coding", used.classes},
                                                     {"target_scaling", used.scaled_targets},
                                                     {"activation", used.network},
                                                     {"network_loss", used.network},
                                                     {"rfm_iterations", used.rfm},
                                                     {"feature_matrix", used.rfm},
                                                     {"agop", used.rfm || used.comparison},
                                                     {"centering", used.rfm || used.comparison},
                                                     {"coincident_points", used.rfm},
                                                     {"reported", used.network || used.rfm},
                                                     {"ridge", kernel_machine},
                                                     {"distance", kernel_machine},
                                                     {"inner_product", kernel_machine},
                                                     {"r2", used.regression},
                                                     {"diagonal_pearson", used.comparison},
                                                     {"matrix_pearson", used.comparison},
                                                     {"top_eigenvector_pearson", used.comparison},
                                                     {"principal_angles_deg", used.comparison}};
  for (const auto& [name, condition] : conditions)
    if (convention == name) return condition;
  return true;
}

/// Of "relu: max(z, 0); tanh: tanh z" the items whose names are used; all, if that is none.
template <class IsUsed>
std::string used_items(const std::string& text, IsUsed is_used) {
  const std::string between = "; ";
  std::string kept;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(between, begin), text.size());
    const std::string item = text.substr(begin, end - begin);
    if (is_used(item.substr(0, item.find(':')))) kept += (kept.empty() ? "" : between) + item;
    begin = end + between.size();
  }
  return kept.empty() ? text : kept;
}

/// Of the text of a convention what was used of it.
std::string used_text(const std::string& convention, const std::string& text, const Used& used) {
  if (convention == "activation")
    return used_items(text, [&](const std::string& name) {
      return std::any_of(used.networks.begin(), used.networks.end(),
                         [&](const std::string& description) { return has_word(description, name); });
    });
  if (convention != "network_loss") return text;
  return used_items(text, [&](const std::string& name) {
    return std::find(used.losses.begin(), used.losses.end(), name) != used.losses.end();
  });
}

/// Whether the name is that of a kernel, as far as the record's own conventions tell: kernels come after "r2".
bool is_a_kernel(const NamedTexts& conventions, std::size_t index) {
  for (std::size_t i = 0; i < index; ++i)
    if (conventions[i].first == "r2") return true;
  return false;
}

bool uses_kernel(const Used& used, const std::string& name) {
  return std::any_of(used.kernels.begin(), used.kernels.end(), [&](const std::string& description) {
    return description == name || description.rfind(name + ",", 0) == 0 || description.rfind(name + ":", 0) == 0;
  });
}

}  // namespace

std::string abbreviations_in(const std::string& html) {
  const std::string text = read_text(html);
  std::string line;
  for (const auto& [word, meaning] : kAbbreviations)
    if (has_word(text, word)) line += (line.empty() ? "" : "; ") + std::string("<b>") + word + "</b> " + meaning;
  return line.empty() ? "" : "<p class=\"soft\">" + line + ".</p>\n";
}

NamedTexts used_conventions(const RunRecord& record, const std::vector<RunRecord>& parts) {
  Used used;
  note(record, used);
  for (const RunRecord& part : parts) note(part, used);
  if (!used.classes && !used.regression) return record.conventions;
  NamedTexts out;
  for (std::size_t i = 0; i < record.conventions.size(); ++i) {
    const auto& [name, text] = record.conventions[i];
    const bool kernel = is_a_kernel(record.conventions, i);
    if (kernel ? uses_kernel(used, name) : is_used(name, used)) out.emplace_back(name, used_text(name, text, used));
  }
  return out;
}

}  // namespace ansatz::viz
