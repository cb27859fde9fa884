// Tetrahedra from surfaces and shapes.
//
//   auto mesh = sinew::mesh_surface("scan.ply", {.tets = 250000});
//   auto ring = sinew::mesh_shape({"torus", {{"radius", 0.4}}}, {.cell = 0.02});
//   if (mesh && sinew::write_mesh("scan.vtu", *mesh)) ...
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sinew/real3.h"
#include "sinew/result.h"

namespace sinew {

// How a solid is filled. At most one of `cell`, `cells` and `tets`; without any there are 30 cells.
struct MesherSettings {
  std::optional<double> cell = {};   // [m], about the length of an edge
  std::optional<double> cells = {};  // along the longest side of the solid's box
  std::optional<double> tets = {};   // about so many
  int smoothing = 0;                 // passes over all vertices
  bool fit = true;                   // boundary vertices move so that the faces between them lie closer to the surface
  int coarsest = 0;                  // inner tets grow to 2^coarsest of those at the surface
  bool sharp_edges = false;          // of surfaces: the mesh is to have them too
  bool thin_pieces = false;          // keep loose pieces thinner than two cells, which parts too thin for it break into
  std::string mesher = "stuffing";   // or "tetgen", a program of its own that keeps the surface as it is

  bool operator==(const MesherSettings&) const = default;
};

// A solid made of formulas, as docs/scene-reference.md lists them: a ball, an octopus, a difference of two others.
using ShapeValue = std::variant<bool, double, Real3>;
struct SceneShape {
  std::string kind = "ball";
  // Parameters and placement; the others have their defaults.
  std::vector<std::pair<std::string, ShapeValue>> values = {};
  std::vector<SceneShape> parts = {};  // of a union and its like

  bool operator==(const SceneShape&) const = default;
};

struct MesherOptions {
  int threads = 0;  // 0: one per core
  const std::atomic<bool>* interrupt = nullptr;
  std::function<void(const char* stage, double share)> progress = {};
};

struct FilledSolid {
  std::vector<Real3> vertices;                               // [m]
  std::vector<std::array<int32_t, 4>> tets;                  // of positive volume
  double cell = 0;                                           // [m] that was used
  std::vector<std::string> warnings;                         // what a person should look at
  std::vector<std::string> notes;                            // what is as it should be, and good to know
  std::vector<std::pair<std::string, double>> milliseconds;  // by stage
};

// Closed or broken surfaces of .obj, .ply, .stl or .off. Errors: the file, the settings, a cell larger than the solid,
// more tets than memory, TetGen's own.
Result<FilledSolid> mesh_surface(const std::filesystem::path& file, const MesherSettings& settings,
                                 const MesherOptions& options = {});

// Errors: as in mesh_surface, and the first fault of the shape with its place.
Result<FilledSolid> mesh_shape(const SceneShape& shape, const MesherSettings& settings,
                               const MesherOptions& options = {});

// .node/.ele, .mesh, .msh, .vtk or .vtu; whole or not at all.
Status write_mesh(const std::filesystem::path& file, const FilledSolid& mesh);

}  // namespace sinew
