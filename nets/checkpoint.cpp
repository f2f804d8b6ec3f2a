#include "nets/checkpoint.h"
