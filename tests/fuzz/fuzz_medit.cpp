#include "io/medit.h"

#include "fuzz/fuzz_parser.h"

SINEW_FUZZ_READER(parse_medit)
