#include "rfm/rfm.h"
