#include "io/off.h"

#include "fuzz/fuzz_parser.h"

SINEW_FUZZ_READER(parse_off)
