#include "core/feature_matrix.h"
