// Source: VTK's collection files as ParaView writes them ("ParaView Guide", PVD file format).
#include "io/pvd.h"

#include <gtest/gtest.h>

#include <vector>

namespace sinew {
namespace {

TEST(Pvd, ListsFilesWithTheirTimes) {
  const std::vector<PvdEntry> entries = {{0, "frames/a.vtu"}, {1.0 / 3, "frames/b.vtu"}};
  EXPECT_EQ(encode_pvd(entries),
            "<?xml version=\"1.0\"?>\n"
            "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
            "  <Collection>\n"
            "    <DataSet timestep=\"0\" group=\"\" part=\"0\" file=\"frames/a.vtu\"/>\n"
            "    <DataSet timestep=\"0.3333333333333333\" group=\"\" part=\"0\" file=\"frames/b.vtu\"/>\n"
            "  </Collection>\n"
            "</VTKFile>\n");
}

}  // namespace
}  // namespace sinew
