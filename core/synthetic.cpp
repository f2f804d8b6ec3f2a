#include "core/synthetic.h"
