#include "rfm/solve.h"
