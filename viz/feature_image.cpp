#include "viz/feature_image.h"
