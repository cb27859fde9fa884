#include "io/obj.h"

#include "fuzz/fuzz_parser.h"

SINEW_FUZZ_READER(parse_obj)
