// A process that another of this program has started ends when that one does, however it ends.
#pragma once

#include <string>

namespace ansatz::experiments {

/// The variable, as NAME=value, that the environment of such a process has.
std::string parent_variable();

/// Where the environment has it, the system sends SIGTERM when the parent ends. Call at the start of a program, after
/// its reaction to signals is settled. Programs that this one starts in turn do not inherit the variable.
void end_with_parent();

}  // namespace ansatz::experiments
