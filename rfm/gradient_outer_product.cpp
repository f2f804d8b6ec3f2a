#include "rfm/gradient_outer_product.h"
