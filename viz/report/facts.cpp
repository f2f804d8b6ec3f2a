#include "viz/report/facts.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/files/files.h"
#include "core/record/json/models_json.h"
#include "core/record/json/run_record_json.h"
#include "viz/canvas/text.h"
#include "viz/page/html.h"
#include "viz/page/typeset.h"

namespace ansatz::viz {
namespace {

std::string plain_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return format_number(value.get<double>(), 4);
  if (!value.is_array()) return value.dump();
  std::string text;
  for (const Json& item : value) text += (text.empty() ? "" : ", ") + plain_text(item);
  return text;
}

/// A key as words: "train_size" is "train size".
std::string words_of(std::string key) {
  std::replace(key.begin(), key.end(), '_', ' ');
  return escape_html(key);
}

/// Nested values under the names that lead to them: "rfm 2 seconds".
std::string definitions(const Json& object, const std::string& prefix) {
  std::string html;
  for (const auto& [key, value] : object.items()) {
    const bool nested = value.is_object() || (value.is_array() && !value.empty() && value.front().is_structured());
    html += nested ? definitions(value, prefix + key + " ")
                   : "<dt>" + words_of(prefix + key) + "</dt><dd>" + escape_html(plain_text(value)) + "</dd>";
  }
  return html;
}

std::string definition_list(const Json& object) { return "<dl>" + definitions(object, "") + "</dl>\n"; }

std::string conventions_section(const NamedTexts& conventions) {
  std::string html;
  for (const auto& [name, text] : conventions) html += "<dt>" + words_of(name) + "</dt><dd>" + typeset(text) + "</dd>";
  return "<h2>Conventions</h2>\n<dl>" + html + "</dl>\n";
}

/// What the data were, and, folded up, the checksums by which they are known again.
std::string data_section(const DataRecord& data) {
  Json known = to_json(data);
  const Json digest = known.value("digest", Json::object());
  known.erase("digest");
  known.erase("constant_prediction");  // a row of the models
  return "<h2>Data</h2>\n" + definition_list(known) +
         (digest.empty() ? "" : details("shapes and checksums", definition_list(digest)));
}

}  // namespace

std::string facts_section(const NamedTexts& conventions, const std::optional<DataRecord>& data, const Json& timings,
                          const std::filesystem::path& folder, const JsonValue& manifest) {
  manifest.members();  // it is an object
  return (data ? data_section(*data) : "") + conventions_section(conventions) + "<h2>To run it again</h2>\n" +
         details("configuration", "<pre>" + escape_html(read_file(folder / "config.yaml")) + "</pre>\n") +
         details("timings", definition_list(timings)) + details("environment", definition_list(manifest.json()));
}

}  // namespace ansatz::viz
