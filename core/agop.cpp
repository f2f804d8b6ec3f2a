#include "core/agop.h"
