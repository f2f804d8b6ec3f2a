#include "nets/checkpoints/formats/pickle_machine.h"

#include <cstring>

#include "core/base/error.h"
#include "nets/checkpoints/formats/pickle_names.h"
#include "nets/checkpoints/formats/pickle_opcodes.h"

namespace ansatz::nets {
namespace {

/// Bounds the memory that a small hostile file can ask for; a state dict of 10,000 tensors takes half a million.
constexpr std::size_t most_operations = std::size_t{1} << 22;
/// Tuples that a pickle can have copied many times over (arguments, shapes) are short.
constexpr std::size_t most_arguments = 32;

double big_endian_double(std::string_view raw) {
  std::uint64_t pattern = 0;
  for (const char c : raw) pattern = pattern << 8 | static_cast<unsigned char>(c);
  double value;
  std::memcpy(&value, &pattern, sizeof value);
  return value;
}

}  // namespace

void PickleMachine::fail(const std::string& what) const {
  throw DataError(where_ + ": " + what + " (pickle, byte " + std::to_string(position_) + ")");
}

void PickleMachine::spend(std::size_t operations) {
  spent_ += operations;
  if (spent_ > most_operations) fail("more than 4 million operations; refused");
}

std::string_view PickleMachine::take(std::uint64_t count) {
  if (count > bytes_.size() - position_) fail("truncated");
  const std::string_view taken = bytes_.substr(position_, static_cast<std::size_t>(count));
  position_ += taken.size();
  return taken;
}

std::uint64_t PickleMachine::little_endian(int size) {
  const std::string_view raw = take(static_cast<std::uint64_t>(size));
  std::uint64_t value = 0;
  for (int i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(raw[static_cast<std::size_t>(i)]);
  return value;
}

std::string_view PickleMachine::line() {
  const std::size_t end = bytes_.find('\n', position_);
  if (end == std::string_view::npos) fail("truncated");
  const std::string_view text = take(end - position_);
  take(1);
  return text;
}

PickleMachine::Value& PickleMachine::push(Kind kind) {
  stack_.push_back(out_.values.size());
  out_.values.emplace_back();
  out_.values.back().kind = kind;
  return out_.values.back();
}

std::size_t PickleMachine::pop() {
  const std::size_t index = top();
  stack_.pop_back();
  return index;
}

std::size_t PickleMachine::top() const {
  if (stack_.size() <= (marks_.empty() ? 0 : marks_.back())) fail("takes a value from an empty stack; damaged");
  return stack_.back();
}

std::vector<std::size_t> PickleMachine::pop_to_mark() {
  if (marks_.empty()) fail("has no mark where one is needed; damaged");
  const auto first = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
  std::vector<std::size_t> items(first, stack_.end());
  stack_.erase(first, stack_.end());
  marks_.pop_back();
  return items;
}

PickleMachine::Value& PickleMachine::expect(std::size_t index, Kind kind) {
  Value& value = out_.values[index];
  if (value.kind != kind) fail("holds " + kind_name(value.kind) + " where " + kind_name(kind) + " belongs; damaged");
  return value;
}

std::vector<std::size_t> PickleMachine::short_tuple(std::size_t index) {
  const Value& tuple = expect(index, Kind::tuple);
  if (tuple.items.size() > most_arguments) {
    fail("a tuple of " + std::to_string(tuple.items.size()) + " arguments; refused");
  }
  return tuple.items;
}

void PickleMachine::push_tensor(TensorInfo info) {
  push(Kind::tensor).integer = static_cast<std::int64_t>(out_.tensors.size());
  out_.tensors.push_back(std::move(info));
}

bool PickleMachine::plain(unsigned char op) {
  spend(1);
  return scalar(op) || text(op) || container(op) || memo(op);
}

Pickle PickleMachine::finish() {
  if (!marks_.empty()) fail("ends inside an unfinished container; damaged");
  out_.root = pop();
  return std::move(out_);
}

bool PickleMachine::scalar(unsigned char op) {
  switch (op) {
    case NONE:
      push(Kind::none);
      return true;
    case NEWTRUE:
    case NEWFALSE:
      push(Kind::boolean).integer = op == NEWTRUE;
      return true;
    case BININT:
      push(Kind::integer).integer = static_cast<std::int32_t>(little_endian(4));
      return true;
    case BININT1:
      push(Kind::integer).integer = static_cast<std::int64_t>(little_endian(1));
      return true;
    case BININT2:
      push(Kind::integer).integer = static_cast<std::int64_t>(little_endian(2));
      return true;
    case LONG1:
      long_integer(take(little_endian(1)));
      return true;
    case LONG4:
      long_integer(take(little_endian(4)));
      return true;
    case BINFLOAT:
      push(Kind::real).real = big_endian_double(take(8));
      return true;
    default:
      return false;
  }
}

/// An integer in two's complement, least significant byte first. One longer than 64 bits (the seed of a generator) is
/// kept as bytes.
void PickleMachine::long_integer(std::string_view raw) {
  if (raw.size() > 8) {
    push(Kind::bytes).text = std::string(raw);
    return;
  }
  std::uint64_t value = !raw.empty() && (raw.back() & 0x80) ? ~std::uint64_t{0} : 0;
  for (std::size_t i = raw.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(raw[i]);
  push(Kind::integer).integer = static_cast<std::int64_t>(value);
}

bool PickleMachine::text(unsigned char op) {
  struct Form {
    PickleOpcode opcode;
    int size_bytes;  // of the length in front of the text
    Kind kind;
  };
  constexpr Form forms[] = {
      {SHORT_BINSTRING, 1, Kind::text}, {SHORT_BINUNICODE, 1, Kind::text}, {BINSTRING, 4, Kind::text},
      {BINUNICODE, 4, Kind::text},      {BINUNICODE8, 8, Kind::text},      {SHORT_BINBYTES, 1, Kind::bytes},
      {BINBYTES, 4, Kind::bytes},       {BINBYTES8, 8, Kind::bytes},       {BYTEARRAY8, 8, Kind::bytes}};
  for (const Form& form : forms) {
    if (op != form.opcode) continue;
    const std::string_view taken = take(little_endian(form.size_bytes));
    push(form.kind).text = std::string(taken);
    return true;
  }
  return false;
}

std::vector<std::size_t> PickleMachine::pop_many(std::size_t count) {
  std::vector<std::size_t> items(count);
  for (std::size_t i = count; i-- > 0;) items[i] = pop();
  return items;
}

void PickleMachine::append_to_top(Kind kind, const std::vector<std::size_t>& items) {
  if (kind == Kind::dict && items.size() % 2 != 0) fail("has a key without a value; damaged");
  Value& target = value(top()).kind == Kind::object ? value(top()) : expect(top(), kind);
  target.items.insert(target.items.end(), items.begin(), items.end());
}

bool PickleMachine::container(unsigned char op) {
  std::vector<std::size_t> items;
  switch (op) {
    case EMPTY_LIST:
    case EMPTY_SET:
      push(Kind::list);
      break;
    case EMPTY_DICT:
      push(Kind::dict);
      break;
    case EMPTY_TUPLE:
      push(Kind::tuple);
      break;
    case TUPLE1:
    case TUPLE2:
    case TUPLE3:
      items = pop_many(op - TUPLE1 + std::size_t{1});
      push(Kind::tuple).items = std::move(items);
      break;
    case TUPLE:
      items = pop_to_mark();
      push(Kind::tuple).items = std::move(items);
      break;
    case FROZENSET:
      items = pop_to_mark();
      push(Kind::list).items = std::move(items);
      break;
    case SETITEMS:
      append_to_top(Kind::dict, pop_to_mark());
      break;
    case APPENDS:
    case ADDITEMS:
      append_to_top(Kind::list, pop_to_mark());
      break;
    case APPEND:
      append_to_top(Kind::list, pop_many(1));
      break;
    case SETITEM:
      append_to_top(Kind::dict, pop_many(2));
      break;
    default:
      return false;
  }
  return true;
}

void PickleMachine::recall(std::uint64_t key) {
  const auto found = memo_.find(key);
  if (found == memo_.end()) fail("refers to a value it has not stored; damaged");
  stack_.push_back(found->second);
}

bool PickleMachine::memo(unsigned char op) {
  switch (op) {
    case BINPUT:
      memo_[little_endian(1)] = top();
      return true;
    case LONG_BINPUT:
      memo_[little_endian(4)] = top();
      return true;
    case MEMOIZE:
      memo_[memo_.size()] = top();
      return true;
    case BINGET:
      recall(little_endian(1));
      return true;
    case LONG_BINGET:
      recall(little_endian(4));
      return true;
    case DUP:
      stack_.push_back(top());
      return true;
    case POP:
      pop();
      return true;
    case MARK:
      marks_.push_back(stack_.size());
      return true;
    case POP_MARK:
      pop_to_mark();
      return true;
    default:
      return false;
  }
}

}  // namespace ansatz::nets
