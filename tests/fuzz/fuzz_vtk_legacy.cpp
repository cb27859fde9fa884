#include "io/vtk_legacy.h"

#include "fuzz/fuzz_parser.h"

SINEW_FUZZ_READER(parse_vtk_legacy)
