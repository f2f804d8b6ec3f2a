#include "core/run_directory.h"
