#include "rfm/kernel_machine.h"
