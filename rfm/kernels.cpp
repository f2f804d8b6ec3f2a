#include "rfm/kernels.h"
