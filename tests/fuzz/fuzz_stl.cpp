#include "io/stl.h"

#include "fuzz/fuzz_parser.h"

SINEW_FUZZ_READER(parse_stl)
