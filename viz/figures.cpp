#include "viz/figures.h"
