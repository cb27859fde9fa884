// Tetrahedra from surfaces and shapes.
//
//   auto mesh = sinew::mesh_surface("scan.ply", {.tets = 250000}, {}, {.on_progress = show});
//   auto ring = sinew::mesh_shape({"torus", {{"radius", 0.4}}}, {.cell = 0.02});
//   if (mesh && sinew::write_mesh("scan.vtu", *mesh)) ...
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sinew/named.h"
#include "sinew/option_value.h"
#include "sinew/progress.h"
#include "sinew/real3.h"
#include "sinew/result.h"

namespace sinew {

// stuffing: isosurface stuffing, of this library. tetgen: a separate program that preserves the surface.
enum class Mesher { stuffing, tetgen };
template <>
struct EnumNames<Mesher> {
  static constexpr std::string_view names[] = {"stuffing", "tetgen"};
};

// Settings for filling a solid. At most one of `cell`, `cells` and `tets`; by default 30 cells.
struct MesherSettings {
  std::optional<double> cell = {};   // [m], approximate edge length
  std::optional<double> cells = {};  // along the longest side of the solid's box
  std::optional<double> tets = {};   // approximate number
  int smoothing = 0;                 // passes over all vertices
  bool fit = true;                   // move boundary vertices so that the faces between them approximate the surface
  int coarsest = 0;                  // inner tets grow to 2^coarsest x the size at the surface
  bool sharp_edges = false;          // of surfaces: reproduce them in the mesh
  bool thin_pieces = false;  // keep loose pieces thinner than two cells, the crumbs of parts too thin for the mesh
  Mesher mesher = Mesher::stuffing;

  bool operator==(const MesherSettings&) const = default;
};

// A solid made of formulas (docs/scene-reference.md): a ball, an octopus, a difference of two others.
struct ShapeValue : std::variant<bool, double, Real3> {
  using std::variant<bool, double, Real3>::variant;
  ShapeValue(Integer auto number) : variant(static_cast<double>(number)) {}
};
struct SceneShape {
  std::string kind = "ball";
  // Parameters and placement; the rest have their defaults.
  std::vector<std::pair<std::string, ShapeValue>> values = {};
  std::vector<SceneShape> parts = {};  // of a union and other combinations

  bool operator==(const SceneShape&) const = default;
};

struct MesherOptions {
  int threads = 0;                               // 0: one per core
  const std::atomic<bool>* interrupt = nullptr;  // set it to stop; the result is then an Error
};
struct MesherObserver {
  Listener<Progress> on_progress = {};
};

struct FilledSolid {
  std::vector<Real3> vertices;                               // [m]
  std::vector<std::array<int32_t, 4>> tets;                  // of positive volume
  double cell = 0;                                           // [m] the cell used
  double enclosed = 0;                                       // [m^3] by the surface that was filled; 0: unknown
  std::vector<std::string> warnings;                         // what needs attention
  std::vector<std::string> notes;                            // for information
  std::vector<std::pair<std::string, double>> milliseconds;  // by stage
};

// Fills closed or broken surfaces from .obj, .ply, .stl or .off. Errors: those of the file, invalid settings, a cell
// larger than the solid, more tets than memory, errors of TetGen, an interrupt.
Result<FilledSolid> mesh_surface(const std::filesystem::path& file, const MesherSettings& settings,
                                 const MesherOptions& options = {}, const MesherObserver& observer = {});

// Fills a shape. Errors: as in mesh_surface, and the first fault of the shape with its place.
Result<FilledSolid> mesh_shape(const SceneShape& shape, const MesherSettings& settings,
                               const MesherOptions& options = {}, const MesherObserver& observer = {});

// Fills the surface or, in a .json file, the shape that a file holds. Errors: as above, each with the file.
Result<FilledSolid> mesh_file(const std::filesystem::path& file, const MesherSettings& settings,
                              const MesherOptions& options = {}, const MesherObserver& observer = {});

// A shape as JSON, as scenes have it: { "octopus": { "arms": 6 } }. `name` stands for the file in errors. Errors: an
// unreadable file, text that is no shape; what else is wrong with it is found when it is filled.
Result<SceneShape> read_shape(const std::filesystem::path& file);
Result<SceneShape> parse_shape(std::string_view text, const std::string& name);

// .node/.ele, .mesh, .msh, .vtk or .vtu; whole or not at all.
Status write_mesh(const std::filesystem::path& file, const FilledSolid& mesh);
// Checks, before long work, whether write_mesh can write this file. Errors: another suffix, a folder or a link of this
// name, a companion (.ele of .node) without it, a missing folder, no permission.
Status check_mesh_output(const std::filesystem::path& file);

}  // namespace sinew
