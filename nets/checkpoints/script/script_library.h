// The files of a TorchScript archive's code, parsed when they are first asked for.
#pragma once

#include <map>
#include <string>

#include "nets/checkpoints/script/forward_chain.h"
#include "nets/checkpoints/script/script_text.h"

namespace ansatz::nets {

class ScriptLibrary {
 public:
  ScriptLibrary(const ScriptSource& source, const std::string& where) : source_(source), where_(where) {}

  /// By "__torch__.torch.nn.modules.linear.Linear"; null if there is none.
  const ScriptClass* find_class(const std::string& name) {
    const std::size_t dot = name.rfind('.');
    if (dot == std::string::npos) return nullptr;
    const ScriptFile& in = file(name.substr(0, dot));
    const auto found = in.classes.find(name.substr(dot + 1));
    return found == in.classes.end() ? nullptr : &found->second;
  }
  const ScriptFunction* find_function(const std::string& name) {
    const std::size_t dot = name.rfind('.');
    if (dot == std::string::npos) return nullptr;
    const ScriptFile& in = file(name.substr(0, dot));
    const auto found = in.functions.find(name.substr(dot + 1));
    return found == in.functions.end() ? nullptr : &found->second;
  }

 private:
  const ScriptFile& file(const std::string& module) {
    const auto found = files_.find(module);
    if (found != files_.end()) return found->second;
    return files_.emplace(module, parse_script(source_.code(module), where_)).first->second;
  }

  const ScriptSource& source_;
  const std::string& where_;
  std::map<std::string, ScriptFile> files_;
};

}  // namespace ansatz::nets
