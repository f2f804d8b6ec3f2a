#include "nets/trainer.h"
