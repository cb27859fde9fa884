#include "io/gmsh.h"

#include "fuzz/fuzz_parser.h"

SINEW_FUZZ_READER(parse_gmsh)
