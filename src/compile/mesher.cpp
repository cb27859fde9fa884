#include "compile/mesher.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

#include "base/format.h"
#include "math/bounds.h"
#include "mesh/repair.h"
#include "mesh/summary.h"
#include "mesh/topology.h"
#include "meshing/cell_size.h"
#include "meshing/fitting.h"
#include "meshing/pieces.h"
#include "meshing/shape_field.h"
#include "meshing/smoothing.h"
#include "meshing/snapping.h"
#include "meshing/stuffing.h"
#include "meshing/surface_field.h"
#include "scene/mesher_settings.h"
#include "scene/shape_text.h"

namespace sinew {
namespace {

constexpr double default_cells = 30;
// [cells] A piece that is nowhere deeper is thinner than two cells.
constexpr double thin_depth = 1;
// Peak memory per tet until the mesh is written. Measured: 170 for 5 million tets of a ball or a scan, also with
// fitting and smoothing or graded; 230 for a million tets of a scan or a thin bowl, more of which are at the surface.
constexpr double bytes_per_filled_tet = 260;

class Stages {
 public:
  explicit Stages(Filling& filling) : filling_(filling) {}
  void finish(const char* name) {
    const auto now = Clock::now();
    filling_.milliseconds.emplace_back(name, std::chrono::duration<double, std::milli>(now - last_).count());
    last_ = now;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Filling& filling_;
  Clock::time_point last_ = Clock::now();
};

double longest_side(const Bounds& bounds) {
  const Vec3d side = bounds.high - bounds.low;
  return std::max({side.x, side.y, side.z});
}

int64_t most_tets(const SceneFiles& files) {
  constexpr int64_t most = 500'000'000;
  const std::optional<int64_t> available = files.available_memory();
  return available ? std::min(most, static_cast<int64_t>(static_cast<double>(*available) / bytes_per_filled_tet))
                   : most;
}

double cell_of(const MesherSettings& settings, const Bounds& bounds) {
  if (settings.cell) return *settings.cell;
  return longest_side(bounds) / settings.cells.value_or(default_cells);
}

Result<Filling> by_tetgen(const SurfaceMesh& surface, const MesherSettings& settings, const SceneFiles& files,
                          const std::atomic<bool>* interrupt) {
  Filling filling;
  Stages stages(filling);
  const SurfaceSummary summary = summarize(surface);
  Bounds box;
  box.add(std::span<const Vec3d>(surface.vertices));
  filling.cell = cell_of(settings, box);
  filling.enclosed = std::abs(summary.volume);
  // The volume of a regular tet with this edge.
  const double largest_volume = filling.cell * filling.cell * filling.cell / (6 * std::numbers::sqrt2);
  if (!(std::isnormal(largest_volume) && largest_volume > 0))
    return Error{"cell", format("= %g m: a tet of that size has a volume of %g m^3", filling.cell, largest_volume),
                 "look whether the surface has any extent, and scale it"};
  const double least_tets = std::abs(summary.volume) / largest_volume;
  if (const auto most = static_cast<double>(most_tets(files)); least_tets > most)
    return Error{
        "cell",
        format("= %g m: the mesh would have %.3g tetrahedra, and %.3g fit into memory", filling.cell, least_tets, most),
        format("take a cell of at least %.3g m", 1.01 * filling.cell * std::cbrt(least_tets / most))};
  Result<TetMesh> mesh = files.tetgen(surface, largest_volume, interrupt);
  if (!mesh) return mesh.error();
  filling.mesh = std::move(*mesh);
  stages.finish("TetGen");
  // Thin parts of the surface may yield flat tets.
  const Result<RepairReport> repaired = repair(filling.mesh);
  if (!repaired) return Error{"tetgen", repaired.error().what, "use the mesher \"stuffing\""};
  if (repaired->changed()) filling.warnings = repaired->sentences();
  return filling;
}

void leave_out_thin_pieces(Filling& filling, const DistanceField& field) {
  double whole = 0;
  for (const Tet& t : filling.mesh.tets) whole += volume_of(filling.mesh.vertices, t);
  const ThinPieces thin = drop_thin_pieces(filling.mesh, field, thin_depth * filling.cell);
  if (thin.dropped == 0) return;
  const bool one = thin.dropped == 1;
  filling.warnings.push_back(
      format("%lld loose piece%s thinner than two cells %s left out, %.2g %% of the volume: a smaller cell joins %s to "
             "the rest; thin_pieces (--thin-pieces) keeps %s",
             static_cast<long long>(thin.dropped), one ? "" : "s", one ? "was" : "were", 100 * thin.volume / whole,
             one ? "it" : "them", one ? "it" : "them"));
}

void tell_of_missed(const StuffingReport& report, Filling& filling) {
  if (report.missed.empty()) return;
  const Vec3d p = report.missed.front();
  const bool one = report.missed.size() == 1;
  filling.warnings.push_back(
      format("%zu part%s of the solid %s too thin for the cells and missing, %snear (%.4g, %.4g, "
             "%.4g): take a smaller cell",
             report.missed.size(), one ? "" : "s", one ? "is" : "are", one ? "" : "one of them ", p.x, p.y, p.z));
}

void tell_of_touching(const StuffingReport& report, Filling& filling, ThreadPool& pool) {
  if (report.touching_vertices > 0) {
    // If parts were joined at a vertex only, they would rotate about it; parted, they are at least what they look like:
    // thinner than a cell. This does no harm if they are connected elsewhere.
    const auto pieces = tet_topology(filling.mesh, extract_boundary(filling.mesh, pool)).components;
    const bool one = report.touching_vertices == 1;
    std::string sentence = format("at %lld place%s parts of the solid touch at a vertex and are not joined",
                                  static_cast<long long>(report.touching_vertices), one ? "" : "s");
    if (pieces > 1)
      filling.warnings.push_back(sentence + format(": the mesh is in %lld pieces; a smaller cell joins or parts them",
                                                   static_cast<long long>(pieces)));
    else
      filling.notes.push_back(sentence + " there; the mesh is in one piece all the same");
  }
  if (report.halved_edges > 0)
    filling.notes.push_back(
        format("%lld edge%s at which sheets of the solid touch w%s halved; a smaller cell parts or joins them",
               static_cast<long long>(report.halved_edges), report.halved_edges == 1 ? "" : "s",
               report.halved_edges == 1 ? "as" : "ere"));
  if (report.pinched_edges > 0)
    filling.warnings.push_back(
        format("%lld edges at which sheets of the solid touch have four faces of the boundary or more: halved, they "
               "would make angles out of bounds; a smaller cell parts or joins the sheets",
               static_cast<long long>(report.pinched_edges)));
}

}  // namespace

Result<Filling> fill(const DistanceField& field, const MesherSettings& settings, const SceneFiles& files,
                     ThreadPool& pool, const ProgressListener& progress, const SharpFeatures* features) {
  if (Status s = check_settings(settings); !s) return s.error();
  Filling filling;
  Stages stages(filling);
  StuffingOptions options;
  options.max_tets = most_tets(files);
  options.limit = "fit into memory";
  options.coarsest = settings.coarsest;
  if (settings.tets) {
    const auto wanted = static_cast<int64_t>(std::min(*settings.tets, 9e15));
    const Result<CellForTets> found = cell_for_tets(field, wanted, options, pool, part_of(progress, 0, 0.2));
    if (!found) return found.error();
    options.cell = found->cell;
    stages.finish("choosing the cell");
  } else {
    options.cell = cell_of(settings, field.bounds());
  }
  filling.cell = options.cell;
  StuffingReport report;
  const double fitted_by = settings.smoothing > 0 ? 0.7 : 1, filled_by = settings.fit ? 0.8 * fitted_by : fitted_by;
  Result<TetMesh> mesh = stuff(field, options, pool, part_of(progress, settings.tets ? 0.2 : 0, filled_by), &report);
  if (!mesh) return mesh.error();
  filling.mesh = std::move(*mesh);
  if (!settings.thin_pieces) leave_out_thin_pieces(filling, field);
  stages.finish("filling");
  // After fitting, vertices near sharp edges need not move far onto them.
  if (settings.fit) {
    fit(filling.mesh, field, {.cell = options.cell}, pool, part_of(progress, filled_by, fitted_by));
    if (!tell(progress, "fitting", fitted_by)) return given_up();
    stages.finish("fitting");
  }
  if (features) {
    const SnappingReport snapped = snap(filling.mesh, field, *features, {.cell = options.cell}, pool);
    stages.finish("sharp edges");
    if (snapped.corners_missed + snapped.edges_missed > 0)
      filling.warnings.push_back(format("%lld corners and %lld edges stay cut off; a smaller cell has more of them",
                                        static_cast<long long>(snapped.corners_missed),
                                        static_cast<long long>(snapped.edges_missed)));
  }
  if (settings.smoothing > 0) {
    smooth(filling.mesh, &field, {.passes = settings.smoothing}, pool, part_of(progress, fitted_by, 1));
    if (!tell(progress, "smoothing", 1)) return given_up();
    stages.finish("smoothing");
  }
  tell_of_touching(report, filling, pool);
  tell_of_missed(report, filling);
  return filling;
}

namespace {

// Parts thinner than a cell are lost, so a coarse mesh may lack most of a solid.
void tell_of_lost_volume(Filling& filling) {
  constexpr double much = 0.1;
  double filled = 0;
  for (const Tet& t : filling.mesh.tets) filled += volume_of(filling.mesh.vertices, t);
  const double lost = 1 - filled / filling.enclosed;
  if (!(lost > much)) return;
  filling.warnings.push_back(format(
      "the mesh lacks %.0f %% of the volume that the surface encloses: parts thinner than a cell are missed; take "
      "a smaller one, unless parts of the surface overlap, which counts them twice",
      100 * lost));
}

void tell_of_lost_parts(const SurfaceField& field, Filling& filling, ThreadPool& pool) {
  if (field.parts() < 2) return;
  std::vector<char> on_boundary(filling.mesh.vertices.size(), 0);
  for (const Triangle& t : extract_boundary(filling.mesh, pool).triangles)
    for (const int32_t v : t) on_boundary[v] = 1;
  std::vector<Vec3d> points;
  for (size_t v = 0; v < on_boundary.size(); ++v)
    if (on_boundary[v]) points.push_back(filling.mesh.vertices[v]);
  const int64_t lost = field.parts_without(points, pool);
  if (lost > 0)
    filling.warnings.push_back(
        format("%lld of the surface's parts, which no triangles join, %s too small for the cells: "
               "the mesh has nothing of %s; take a smaller cell",
               static_cast<long long>(lost), lost == 1 ? "is" : "are", lost == 1 ? "it" : "them"));
}

}  // namespace

Result<Filling> fill(const SurfaceMesh& surface, const MesherSettings& settings, const SceneFiles& files,
                     ThreadPool& pool, const ProgressListener& progress, const std::atomic<bool>* interrupt) {
  if (Status s = check_settings(settings); !s) return s.error();
  if (settings.mesher == Mesher::tetgen) return by_tetgen(surface, settings, files, interrupt);
  const auto start = std::chrono::steady_clock::now();
  if (!tell(progress, "surface", 0)) return given_up();
  const Result<std::unique_ptr<SurfaceField>> field = make_surface_field(surface, pool);
  if (!field) return field.error();
  const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
  std::optional<SharpFeatures> features;
  if (settings.sharp_edges) features = sharp_edges(surface);
  Result<Filling> filling =
      fill(**field, settings, files, pool, part_of(progress, 0.05, 1), features ? &*features : nullptr);
  if (!filling) return filling;
  filling->milliseconds.insert(filling->milliseconds.begin(), {"surface", spent.count()});
  if ((*field)->continuous()) {
    filling->enclosed = (*field)->volume();
    tell_of_lost_volume(*filling);
    tell_of_lost_parts(**field, *filling, pool);
  }
  if (const int64_t strays = (*field)->strays(); strays > 0)
    filling->warnings.push_back(
        format("%lld triangle%s far from the rest of the surface %s left out, enclosing nothing",
               static_cast<long long>(strays), strays == 1 ? "" : "s", strays == 1 ? "was" : "were"));
  if ((*field)->turned()) filling->warnings.emplace_back("most of the surface is inside out; its inside was filled");
  return filling;
}

Result<Filling> fill(const SceneShape& shape, const MesherSettings& settings, const SceneFiles& files, ThreadPool& pool,
                     const ProgressListener& progress) {
  if (settings.mesher == Mesher::tetgen)
    return Error{"mesher", "= \"tetgen\": takes surfaces, not shapes", "use stuffing"};
  if (settings.sharp_edges)
    return Error{"sharp_edges", "= true: is for surfaces; where a shape has edges is not known", "leave it out"};
  Faults faults;
  check_shape(shape, "shape", faults);
  if (!faults.empty()) return faults.error("");
  const Result<std::unique_ptr<ShapeField>> field = make_shape_field(shape_of(shape));
  if (!field) return field.error();
  return fill(**field, settings, files, pool, progress);
}

}  // namespace sinew
