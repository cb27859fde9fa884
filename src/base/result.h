// Result and Status for the rooms; users have them too.
#pragma once

#include "base/assert.h"
#include "sinew/result.h"
