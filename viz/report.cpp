#include "viz/report.h"
