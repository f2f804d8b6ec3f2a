// The stack machine that read_pickle() builds on: bytes, stack, memo, and the opcodes that build plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "nets/checkpoints/formats/pickle.h"

namespace ansatz::nets {

/// Every access is checked: reading past the end, popping past a mark, or more than 4 million operations throws
/// DataError.
class PickleMachine {
 public:
  using Kind = Pickle::Kind;
  using Value = Pickle::Value;

  PickleMachine(std::string_view bytes, std::string where) : bytes_(bytes), where_(std::move(where)) {}

  [[noreturn]] void fail(const std::string& what) const;  ///< DataError with `where` and the position
  void spend(std::size_t operations);                     ///< fails when the budget is used up

  std::string_view take(std::uint64_t count);
  std::uint64_t little_endian(int size);
  std::string_view line();  ///< up to the next newline, which is skipped

  /// Puts a new value on the stack. References to other values are invalid afterwards.
  Value& push(Kind kind);
  void push_again(std::size_t index) { stack_.push_back(index); }
  std::size_t pop();
  std::size_t top() const;
  Value& value(std::size_t index) { return out_.values[index]; }
  Value& expect(std::size_t index, Kind kind);              ///< fails if of another kind
  std::vector<std::size_t> short_tuple(std::size_t index);  ///< items of a tuple; fails above 32
  void push_tensor(TensorInfo info);

  /// If `opcode` is one that builds or moves plain values, carries it out and returns true.
  bool plain(unsigned char opcode);
  /// Ends the run: the value on top is the root.
  Pickle finish();

 private:
  bool scalar(unsigned char opcode);
  bool text(unsigned char opcode);
  bool container(unsigned char opcode);
  bool memo(unsigned char opcode);
  void long_integer(std::string_view raw);
  std::vector<std::size_t> pop_to_mark();
  std::vector<std::size_t> pop_many(std::size_t count);
  void append_to_top(Kind kind, const std::vector<std::size_t>& items);
  void recall(std::uint64_t key);

  std::string_view bytes_;
  std::string where_;
  std::size_t position_ = 0;
  std::size_t spent_ = 0;
  Pickle out_;
  std::vector<std::size_t> stack_;
  std::vector<std::size_t> marks_;
  std::unordered_map<std::uint64_t, std::size_t> memo_;
};

}  // namespace ansatz::nets
