#include "experiments/benchmark/set_warnings.h"

#include <fmt/format.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>

#include <cctype>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>

#include "core/base/error.h"
#include "core/files/files.h"

namespace ansatz::experiments {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Behind the number that begins at `at`: digits, a fraction, an exponent.
std::size_t end_of_number(const std::string& text, std::size_t at) {
  const auto digits = [&] {
    while (at < text.size() && is_digit(text[at])) ++at;
  };
  const auto digit_at = [&](std::size_t place) { return place < text.size() && is_digit(text[place]); };
  digits();
  if (at < text.size() && text[at] == '.' && digit_at(at + 1)) {
    ++at;
    digits();
  }
  if (at < text.size() && text[at] == 'e') {
    const std::size_t sign = at + 1 < text.size() && (text[at + 1] == '-' || text[at + 1] == '+') ? 1 : 0;
    if (digit_at(at + 1 + sign)) {
      at += 1 + sign;
      digits();
    }
  }
  return at;
}

/// A text as what stands between its numbers, and these.
struct Parted {
  std::vector<std::string> words = {""}, numbers;  ///< one more of words
};

Parted parted(const std::string& text) {
  Parted parts;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_digit(text[at]) || (at > 0 && is_word(text[at - 1]))) {
      parts.words.back() += text[at++];
      continue;
    }
    const std::size_t end = end_of_number(text, at);
    parts.numbers.push_back(text.substr(at, end - at));
    parts.words.emplace_back();
    at = end;
  }
  return parts;
}

/// Warnings of one kind: how many, and the least and the largest number in each place, as they were written.
struct Kind {
  std::size_t count = 0;
  std::vector<std::string> words, least, most;

  void add(Parted parts) {
    const auto value = [](const std::string& number) { return std::strtod(number.c_str(), nullptr); };
    if (count++ == 0) {
      words = std::move(parts.words);
      least = most = std::move(parts.numbers);
      return;
    }
    for (std::size_t i = 0; i < least.size(); ++i) {
      if (value(parts.numbers[i]) < value(least[i])) least[i] = parts.numbers[i];
      if (value(parts.numbers[i]) > value(most[i])) most[i] = parts.numbers[i];
    }
  }

  std::string line() const {
    std::string text = count > 1 ? fmt::format("{} times: ", count) : "";
    for (std::size_t i = 0; i < least.size(); ++i)
      text += words[i] + (least[i] == most[i] ? least[i] : least[i] + " to " + most[i]);
    return text + words.back();
  }
};

/// Keeps warnings; passes all else on.
class KeepingSink : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit KeepingSink(std::vector<spdlog::sink_ptr> others) : others_(std::move(others)) {}
  const std::vector<std::string>& kept() const { return kept_; }

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    if (message.level == spdlog::level::warn)
      kept_.emplace_back(message.payload.data(), message.payload.size());
    else
      for (const spdlog::sink_ptr& other : others_) other->log(message);
  }
  void flush_() override {
    for (const spdlog::sink_ptr& other : others_) other->flush();
  }

 private:
  std::vector<spdlog::sink_ptr> others_;
  std::vector<std::string> kept_;
};

/// The log's sinks are exchanged while this lives.
class KeptWarnings {
 public:
  KeptWarnings() : before_(spdlog::default_logger()->sinks()), sink_(std::make_shared<KeepingSink>(before_)) {
    spdlog::default_logger()->sinks() = {sink_};
  }
  ~KeptWarnings() { spdlog::default_logger()->sinks() = before_; }
  KeptWarnings(const KeptWarnings&) = delete;
  KeptWarnings& operator=(const KeptWarnings&) = delete;

  const std::vector<std::string>& texts() const { return sink_->kept(); }

 private:
  std::vector<spdlog::sink_ptr> before_;
  std::shared_ptr<KeepingSink> sink_;
};

/// Without the name of the set in front, which the line gets anyway.
std::vector<std::string> without_name(std::vector<std::string> texts, const std::string& set) {
  const std::string prefix = set + ": ";
  for (std::string& text : texts)
    if (text.compare(0, prefix.size(), prefix) == 0) text.erase(0, prefix.size());
  return texts;
}

void write_warnings(const std::vector<std::string>& texts, const RunDirectory& directory) {
  constexpr const char* kFile = "warnings.txt";
  const std::filesystem::path file = directory.path() / kFile;
  std::string all = std::filesystem::exists(file) ? read_file(file) : "";
  for (const std::string& text : texts) all += text + "\n";
  if (!all.empty()) directory.write_text(kFile, all);
}

}  // namespace

std::vector<std::string> summarized(const std::vector<std::string>& warnings) {
  std::map<std::vector<std::string>, std::size_t> place;
  std::vector<Kind> kinds;
  for (const std::string& text : warnings) {
    Parted parts = parted(text);
    const auto [at, is_new] = place.emplace(parts.words, kinds.size());
    if (is_new) kinds.emplace_back();
    kinds[at->second].add(std::move(parts));
  }
  std::vector<std::string> lines;
  for (const Kind& kind : kinds) lines.push_back(kind.line());
  return lines;
}

void run_with_summarized_warnings(const std::string& set, const RunDirectory& directory,
                                  const std::function<void()>& body) {
  std::vector<std::string> texts;
  std::exception_ptr failure;
  {
    const KeptWarnings kept;
    try {
      body();
    } catch (...) {
      failure = std::current_exception();
    }
    texts = without_name(kept.texts(), set);
  }
  for (const std::string& line : summarized(texts)) spdlog::warn("{}: {}", set, line);
  if (!failure) return write_warnings(texts, directory);
  try {
    write_warnings(texts, directory);
  } catch (const Error&) {  // what ended the run is the error to be told
  }
  std::rethrow_exception(failure);
}

}  // namespace ansatz::experiments
