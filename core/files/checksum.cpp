#include "core/files/checksum.h"

#include <zlib.h>

namespace ansatz {

void Checksum::add(const void* data, std::size_t bytes) {
  if (bytes > 0) crc_ = ::crc32_z(crc_, static_cast<const Bytef*>(data), bytes);  // for a null pointer zlib starts anew
}

}  // namespace ansatz
