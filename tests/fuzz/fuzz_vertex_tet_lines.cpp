#include "io/vertex_tet_lines.h"

#include "fuzz/fuzz_parser.h"

SINEW_FUZZ_READER(parse_vertex_tet_lines)
