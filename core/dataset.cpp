#include "core/dataset.h"
