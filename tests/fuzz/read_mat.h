// The arrays that SVHN's files hold, read from a .mat file of either version.
#pragma once

#include <string>

namespace ansatz::fuzz {

void read_mat(const std::string& bytes);

}  // namespace ansatz::fuzz
