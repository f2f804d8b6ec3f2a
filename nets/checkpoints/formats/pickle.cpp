#include "nets/checkpoints/formats/pickle.h"

#include "core/base/error.h"
#include "nets/checkpoints/formats/pickle_machine.h"
#include "nets/checkpoints/formats/pickle_names.h"
#include "nets/checkpoints/formats/pickle_opcodes.h"

namespace ansatz::nets {
namespace {

using Kind = Pickle::Kind;
using Value = Pickle::Value;

/// Class names and storage keys, which a pickle can have copied many times over, are short.
constexpr std::size_t longest_name = 512;

/// Adds to PickleMachine, which only moves data, the opcodes that would call something in Python.
class Reader {
 public:
  Reader(std::string_view bytes, const std::string& where) : machine_(bytes, where) {}

  Pickle run() {
    for (;;) {
      const auto op = static_cast<unsigned char>(machine_.take(1)[0]);
      if (op == STOP) return machine_.finish();
      if (!machine_.plain(op) && !structure(op)) {
        machine_.fail("opcode " + std::to_string(op) + " is not one that plain data and tensors need; refused");
      }
    }
  }

 private:
  bool structure(unsigned char op) {
    switch (op) {
      case PROTO:
        if (machine_.little_endian(1) > 5) machine_.fail("a pickle protocol above 5");
        return true;
      case FRAME:
        machine_.take(8);
        return true;
      case GLOBAL: {
        const std::string_view module = machine_.line();
        name(module, machine_.line());
        return true;
      }
      case STACK_GLOBAL: {
        const std::size_t attribute = machine_.pop(), module = machine_.pop();
        const std::string module_name = machine_.expect(module, Kind::text).text;
        name(module_name, machine_.expect(attribute, Kind::text).text);
        return true;
      }
      case BINPERSID:
        storage();
        return true;
      case REDUCE:
        call();
        return true;
      case NEWOBJ:
        new_object();
        return true;
      case NEWOBJ_EX:
        machine_.pop();  // its named arguments, which no tensor has
        new_object();
        return true;
      case BUILD:
        build();
        return true;
      default:
        return false;
    }
  }

  // --- names and what may be made with them -------------------------------------------------------------------------
  void name(std::string_view module, std::string_view attribute) {
    const std::string global = std::string(module) + "." + std::string(attribute);
    if (global.size() > longest_name)
      machine_.fail("a name of " + std::to_string(global.size()) + " characters; refused");
    machine_.push(Kind::global).text = global;
  }

  /// ('storage', torch.FloatStorage, key, location, elements)
  void storage() {
    const std::vector<std::size_t> id = machine_.short_tuple(machine_.pop());
    if (id.size() < 5 || machine_.expect(id[0], Kind::text).text != "storage")
      machine_.fail("a persistent id that is no storage; refused");
    const std::string type_global = machine_.expect(id[1], Kind::global).text;
    if (!is_storage_type(type_global)) machine_.fail(printable(type_global) + " is no storage type; damaged");
    const std::string key = machine_.expect(id[2], Kind::text).text;
    const std::int64_t elements = machine_.expect(id[4], Kind::integer).integer;
    if (elements < 0 || key.size() > longest_name)
      machine_.fail("a storage of negative size or overlong name; damaged");
    Value& made = machine_.push(Kind::storage);
    made.text = key;
    made.integer = elements;
    made.type = element_type_of(type_global);
    made.type_name = type_global.substr(type_global.rfind('.') + 1);
  }

  std::vector<std::int64_t> integers(std::size_t tuple) {
    std::vector<std::int64_t> out;
    for (const std::size_t item : machine_.short_tuple(tuple))
      out.push_back(machine_.expect(item, Kind::integer).integer);
    return out;
  }

  /// The numbers of some views are not those in their storage.
  void require_as_stored(const Value& metadata) {
    for (std::size_t i = 0; metadata.kind == Kind::dict && i + 1 < metadata.items.size(); i += 2) {
      const std::string& key = machine_.value(metadata.items[i]).text;
      if ((key == "neg" || key == "conj") && machine_.value(metadata.items[i + 1]).integer != 0)
        machine_.fail("a tensor that is a view with the opposite sign; save tensor.resolve_conj().resolve_neg()");
    }
  }

  /// _rebuild_tensor_v2(storage, offset, shape, strides, requires_grad, hooks[, metadata])
  void tensor(std::size_t arguments_at) {
    const std::vector<std::size_t> arguments = machine_.short_tuple(arguments_at);
    if (arguments.size() < 6) machine_.fail("a tensor with too few arguments; damaged");
    TensorInfo info;
    const Value& from = machine_.expect(arguments[0], Kind::storage);
    info.type = from.type;
    info.type_name = from.type_name;
    info.storage = from.text;
    info.storage_elements = from.integer;
    info.offset = machine_.expect(arguments[1], Kind::integer).integer;
    info.shape = integers(arguments[2]);
    info.strides = integers(arguments[3]);
    if (arguments.size() > 6) require_as_stored(machine_.value(arguments[6]));
    if (info.shape.size() != info.strides.size())
      machine_.fail("a tensor whose strides do not match its shape; damaged");
    machine_.push_tensor(std::move(info));
  }

  /// OrderedDict() or, from Python 2, OrderedDict([(key, value), ...])
  void ordered_dict(std::size_t arguments_at) {
    const std::vector<std::size_t> arguments = machine_.short_tuple(arguments_at);
    std::vector<std::size_t> items;
    if (!arguments.empty()) {
      const std::vector<std::size_t>& pairs = machine_.expect(arguments[0], Kind::list).items;
      machine_.spend(pairs.size());
      for (const std::size_t pair : pairs) {
        const Value& entry = machine_.value(pair);
        if ((entry.kind != Kind::list && entry.kind != Kind::tuple) || entry.items.size() != 2) {
          machine_.fail("an OrderedDict made of something other than pairs; damaged");
        }
        items.insert(items.end(), entry.items.begin(), entry.items.end());
      }
    }
    machine_.push(Kind::dict).items = std::move(items);
  }

  void call() {
    std::size_t arguments = machine_.pop(), callee = machine_.pop();
    machine_.expect(arguments, Kind::tuple);
    // _rebuild_from_type_v2(function, type, arguments, state): a tensor of a class of its own.
    while (name_of(callee) == "torch._tensor._rebuild_from_type_v2") {
      machine_.spend(1);
      const std::vector<std::size_t> inner = machine_.short_tuple(arguments);
      if (inner.size() < 3) machine_.fail("a tensor with too few arguments; damaged");
      callee = inner[0];
      machine_.expect(arguments = inner[2], Kind::tuple);
    }
    const std::string& name = name_of(callee);
    if (name == "collections.OrderedDict") return ordered_dict(arguments);
    if (name == "collections.defaultdict") return void(machine_.push(Kind::dict));
    if (name == "torch._utils._rebuild_tensor_v2") return tensor(arguments);
    if (!returns_its_argument(name)) return object(callee, arguments);
    const std::vector<std::size_t>& items = machine_.value(arguments).items;
    if (items.empty()) machine_.fail(printable(name) + " without arguments; damaged");
    machine_.push_again(items[0]);
  }

  void new_object() {
    const std::size_t arguments = machine_.pop(), cls = machine_.pop();
    machine_.expect(arguments, Kind::tuple);
    object(cls, arguments);
  }

  /// The name of a global; of anything else "".
  const std::string& name_of(std::size_t index) {
    static const std::string none;
    return machine_.value(index).kind == Kind::global ? machine_.value(index).text : none;
  }

  void object(std::size_t maker, std::size_t arguments) {
    if (machine_.value(maker).kind != Kind::object) machine_.expect(maker, Kind::global);
    machine_.push(Kind::object).items = {maker, arguments};
  }

  /// The state of an OrderedDict (PyTorch's _metadata) says nothing about the weights.
  void build() {
    const std::size_t state = machine_.pop();
    Value& target = machine_.value(machine_.top());
    if (target.kind == Kind::object) {
      target.items.push_back(state);
    } else if (target.kind != Kind::dict) {
      machine_.fail("wants to set the state of " + kind_name(target.kind) + "; refused");
    }
  }

  PickleMachine machine_;
};

}  // namespace

Pickle read_pickle(std::string_view bytes, const std::string& where) { return Reader(bytes, where).run(); }

}  // namespace ansatz::nets
