#include "io/vtu.h"

#include "fuzz/fuzz_parser.h"

SINEW_FUZZ_READER(parse_vtu)
