// Source: the suffixes promised in files/mesh_file.h; the counts of the real meshes are those of their index.
#include "files/mesh_file.h"

#include <gtest/gtest.h>

#include <clocale>
#include <cstdlib>
#include <fstream>

#include "files/read_file.h"
#include "io/says.h"
#include "io/temporary_folder.h"
#include "io/two_tets.h"
#include "mesh/generators.h"
#include "mesh/repair.h"
#include "mesh/summary.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using MeshFile = TemporaryFolder;

std::string tet_message(const fs::path& path) {
  const auto mesh = read_tet_mesh(path);
  return mesh ? "read" : mesh.error().message();
}
std::string surface_message(const fs::path& path) {
  const auto mesh = read_surface(path);
  return mesh ? "read" : mesh.error().message();
}

TEST_F(MeshFile, GoesRoundInEveryFormatThatIsWritten) {
  for (const char* name : {"a.1.node", "b.ele", "c.mesh", "d.msh", "e.vtk", "f.vtu", "G.MESH"}) {
    ASSERT_TRUE(write_tet_mesh(folder() / name, two_tets()).ok()) << name;
    const auto mesh = read_tet_mesh(folder() / name);
    ASSERT_TRUE(mesh.ok()) << mesh.error().message();
    expect_same(*mesh, two_tets());
  }
  expect_same(read_tet_mesh(folder() / "a.1").value(), two_tets());
  expect_same(read_tet_mesh(folder() / "a.1.ele").value(), two_tets());

  const SurfaceMesh surface = make_grid({.cells = {3, 3}, .size = {0.1, 0.7}}).value();
  for (const char* name : {"s.obj", "s.PLY"}) {
    ASSERT_TRUE(write_surface(folder() / name, surface).ok());
    const SurfaceMesh back = read_surface(folder() / name).value();
    expect_same({back.vertices, {}, {}, {}}, {surface.vertices, {}, {}, {}});
    EXPECT_EQ(back.triangles, surface.triangles);
  }
}

TEST_F(MeshFile, TellsNoCapitalsInSuffixes) {
  for (const char* name : {"a.MESH", "b.VTU", "c.Vtk", "d.MSH", "e.NODE", "f.ELE"}) {
    ASSERT_TRUE(write_tet_mesh(folder() / name, two_tets()).ok()) << name;
    const auto mesh = read_tet_mesh(folder() / name);
    ASSERT_TRUE(mesh.ok()) << mesh.error().message();
    expect_same(*mesh, two_tets());
  }
  // A pair is found from either file and from their common name, with suffixes in either case.
  EXPECT_TRUE(fs::exists(folder() / "e.ELE") && fs::exists(folder() / "f.NODE"));
  fs::rename(folder() / "f.NODE", folder() / "f.node");
  for (const char* name : {"e", "e.ELE", "f", "f.node", "f.ELE", "e.node", "e.ele"}) {
    const auto mesh = read_tet_mesh(folder() / name);
    ASSERT_TRUE(mesh.ok()) << mesh.error().message();
    expect_same(*mesh, two_tets());
  }
}

TEST_F(MeshFile, LooksAtTheContentWhereSuffixesCollide) {
  ASSERT_TRUE(write_tet_mesh(folder() / "a.mesh", two_tets()).ok());
  for (const char* name : {"a.msh", "a.vtk", "a.vtu"}) {
    fs::copy_file(folder() / "a.mesh", folder() / name);
    expect_same(read_tet_mesh(folder() / name).value(), two_tets());
  }
  ASSERT_TRUE(write_tet_mesh(folder() / "b.vtu", two_tets()).ok());
  fs::copy_file(folder() / "b.vtu", folder() / "b.vtk");
  expect_same(read_tet_mesh(folder() / "b.vtk").value(), two_tets());
}

TEST_F(MeshFile, SaysWhatIsWrongWithTheName) {
  EXPECT_TRUE(says(tet_message(folder() / "none.mesh"), "none.mesh: no such file"));
  EXPECT_TRUE(says(tet_message(folder() / "none.xyz"), "no such file"));
  EXPECT_TRUE(says(tet_message(folder()), "is a folder"));
  EXPECT_TRUE(says(surface_message(folder()), "is a folder"));
  for (const char* name : {"a.msg", "a", "a.obj", "a.mesh", "a.node"}) std::ofstream(folder() / name) << "";
  EXPECT_TRUE(says(tet_message(folder() / "a.msg"), "has the suffix '.msg', which is not known"));
  EXPECT_TRUE(says(tet_message(folder() / "a.msg"), "did you mean .msh?"));
  EXPECT_TRUE(says(tet_message(folder() / "a.msg"), ".node .ele .mesh .msh .vtk .vtu .t"));
  EXPECT_TRUE(says(tet_message(folder() / "a"), "has no suffix"));
  EXPECT_TRUE(says(tet_message(folder() / "a.obj"), "'.obj', which does not hold tetrahedral meshes"));
  EXPECT_TRUE(says(surface_message(folder() / "a.node"), "'.node', which does not hold surfaces"));
  EXPECT_TRUE(says(tet_message(folder() / "a.mesh"), "is empty"));
  EXPECT_TRUE(says(tet_message(folder() / "a.node"), "a.ele: no such file"));
  EXPECT_TRUE(says(write_tet_mesh(folder() / "a.xyz", two_tets()).error().message(), "suffix is '.xyz'"));
  EXPECT_TRUE(says(write_surface(folder() / "a.mesh", {}).error().message(), "suffix is '.mesh'"));
  EXPECT_TRUE(says(write_tet_mesh(folder() / "no" / "a.mesh", two_tets()).error().message(), "create the folder"));
}

TEST_F(MeshFile, OutputsAreCheckedBeforeTheyAreMade) {
  fs::create_directory(folder() / "b.mesh");
  fs::create_directory(folder() / "c.ele");
  const auto said = [&](const char* name) {
    const Status status = check_tet_mesh_output(folder() / name);
    return status ? std::string("good") : status.error().message();
  };
  for (const char* name : {"a.node", "a.ele", "a.mesh", "a.msh", "a.vtk", "a.vtu"}) EXPECT_EQ(said(name), "good");
  EXPECT_TRUE(says(said("a.obj"), "the suffix is '.obj'; use one of .node"));
  EXPECT_TRUE(says(said("a.t"), "the suffix is '.t'"));
  EXPECT_TRUE(says(said("a"), "it has no suffix; use one of"));
  EXPECT_TRUE(says(said("b.mesh"), "b.mesh: is a folder; name a file to write"));
  EXPECT_TRUE(says(said("c.node"), "c.ele: is a folder; name a file to write"));
  EXPECT_TRUE(says(said("no/a.mesh"), "create the folder first"));
  EXPECT_EQ(entries(), 2) << "nothing is left behind";
  EXPECT_FALSE(write_tet_mesh(folder() / "c.node", two_tets()).ok());
  EXPECT_EQ(entries(), 2) << "of a pair both or none";
}

TEST_F(MeshFile, IsReadAndWrittenTheSameInEveryLocale) {
  const std::string before = std::setlocale(LC_NUMERIC, nullptr);
  bool any = false;
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8", "ru_RU.UTF-8"})
    any = any || std::setlocale(LC_NUMERIC, name);
  if (!any) GTEST_SKIP() << "no locale with a decimal comma is installed";
  for (const char* name : {"a.node", "a.mesh", "a.msh", "a.vtk", "a.vtu"}) {
    EXPECT_TRUE(write_tet_mesh(folder() / name, two_tets()).ok());
    const auto mesh = read_tet_mesh(folder() / name);
    EXPECT_TRUE(mesh.ok()) << mesh.error().message();
    if (mesh) expect_same(*mesh, two_tets());
  }
  std::setlocale(LC_NUMERIC, before.c_str());
}

// The folder of real meshes: $SINEW_MESHES, or beside the project.
fs::path meshes() {
  if (const char* folder = std::getenv("SINEW_MESHES")) return folder;
  return fs::path(SINEW_SOURCE_DIR) / ".." / "shared" / "meshes";
}

TEST(RealMeshes, ReadWithTheCountsOfTheirIndex) {
  if (!fs::is_directory(meshes())) GTEST_SKIP() << "no folder " << meshes() << "; set SINEW_MESHES";
  struct Known {
    const char* name;
    size_t vertices, tets;
    long components, euler;
  };
  for (const Known& known : {Known{"armadillo_15k", 15228, 62770, 1, 1}, Known{"teapot.node", 1970, 8455, 1, 0},
                             Known{"bunny_small.mesh", 1839, 5891, 1, 1}, Known{"octopus.t", 3891, 14802, 1, 1},
                             Known{"beam.ele", 463, 1479, 1, 1}, Known{"pendulum.node", 304, 755, 1, 1},
                             Known{"liver.mesh", 10641, 40240, 1, 1}, Known{"torus.mesh", 469, 1396, 1, 0},
                             Known{"torus.vtk", 469, 1396, 1, 0}, Known{"armadillo_1k.node", 1180, 3717, 1, 1}}) {
    auto mesh = read_tet_mesh(meshes() / known.name);
    ASSERT_TRUE(mesh.ok()) << mesh.error().message();
    EXPECT_EQ(mesh->vertices.size(), known.vertices) << known.name;
    EXPECT_EQ(mesh->tets.size(), known.tets) << known.name;
    ASSERT_TRUE(repair(*mesh).ok()) << known.name;
    EXPECT_EQ(mesh->tets.size(), known.tets) << known.name;
    const MeshSummary summary = summarize(*mesh);
    EXPECT_EQ(summary.topology.components, known.components) << known.name;
    EXPECT_EQ(summary.topology.euler_characteristic(), known.euler) << known.name;
    EXPECT_TRUE(summary.boundary.watertight()) << known.name;
  }
  for (const auto& [name, vertices, faces] :
       {std::tuple("teapot_container.ply", 1134u, 2268u), std::tuple("bunny_surface.obj", 5002u, 10000u),
        std::tuple("octopus_surface.ply", 2502u, 5000u)}) {
    const auto mesh = read_surface(meshes() / name);
    ASSERT_TRUE(mesh.ok()) << mesh.error().message();
    EXPECT_EQ(mesh->vertices.size(), vertices) << name;
    EXPECT_EQ(mesh->triangles.size(), faces) << name;
    EXPECT_TRUE(summarize(*mesh).topology.watertight()) << name;
  }
  // One mesh in two formats.
  const TetMesh a = read_tet_mesh(meshes() / "torus.mesh").value(), b = read_tet_mesh(meshes() / "torus.vtk").value();
  EXPECT_EQ(a.tets, b.tets);
}

}  // namespace
}  // namespace sinew
