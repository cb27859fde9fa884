// Assertions guard against programmers' mistakes only; bad user data results in an Error.
#pragma once

#include <cassert>

#define SINEW_ASSERT(condition) assert(condition)
