#include "core/comparison.h"
