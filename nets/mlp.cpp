#include "nets/mlp.h"
