// Result and Status for the rooms; the public header has them too.
#pragma once

#include "base/assert.h"
#include "sinew/result.h"
