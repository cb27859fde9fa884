// Assertions guard against programmers' mistakes only; user data is answered with an Error.
#pragma once

#include <cassert>

#define SINEW_ASSERT(condition) assert(condition)
