#include "core/load_dataset.h"
