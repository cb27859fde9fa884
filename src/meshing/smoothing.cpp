#include "meshing/smoothing.h"

#include <vector>

#include "exec/counting_sort.h"
#include "mesh/coloring.h"
#include "mesh/topology.h"
#include "meshing/dihedral.h"

namespace sinew {

namespace {

constexpr double kSurfaceTolerance = 1e-3;  // relative to the mean edge around a vertex
constexpr double kCreaseCosine = 0.866;     // of the angle between a face of the surface and the mean of those around
// If no angle is worse than 30 or 150 degrees, only the mean of the neighbours is tried.
constexpr double kGoodCosine = 0.866;

class Smoother {
 public:
  Smoother(TetMesh& mesh, const DistanceField* field, ThreadPool& pool)
      : mesh_(mesh), field_(field), pool_(pool), incidence_(incidence_of(mesh.tets, mesh.vertices.size(), pool)) {
    const Coloring coloring = color_vertices(mesh.tets, incidence_, {});
    counting_sort(
        pool, static_cast<int64_t>(mesh.vertices.size()), static_cast<size_t>(coloring.count),
        [&](int64_t v) { return static_cast<size_t>(coloring.color[v]); }, first_of_color_, by_color_);
    boundary_ = extract_boundary(mesh, pool).triangles;
    counting_sort(
        pool, static_cast<int64_t>(3 * boundary_.size()), mesh.vertices.size(),
        [&](int64_t c) { return static_cast<size_t>(boundary_[c / 3][c % 3]); }, first_corner_, corners_);
  }

  int64_t pass() {
    int64_t moved = 0;
    for (size_t c = 0; c + 1 < first_of_color_.size(); ++c) {
      const int64_t first = first_of_color_[c], count = first_of_color_[c + 1] - first;
      constexpr int64_t part = 256;  // projections per call
      const int64_t parts = (count + part - 1) / part;
      std::vector<int64_t> moves(static_cast<size_t>(parts), 0);
      pool_.parallel_for(parts, 1, [&](int64_t from, int64_t to) {
        Scratch scratch;
        for (int64_t p = from; p < to; ++p)
          moves[p] = improve(first + p * part, first + std::min((p + 1) * part, count), scratch);
      });
      for (const int64_t m : moves) moved += m;
    }
    return moved;
  }

 private:
  // Candidate positions of a vertex, the preferred one first.
  struct Try {
    int32_t vertex;
    AngleCosines before;
    double edge;  // [m], mean of those around it
    bool on_surface;
    Vec3d mean;      // of its neighbours
    Vec3d over{};    // its offset from the closest point of the surface, if it is on the boundary
    Vec3d height{};  // see height_of_worst()
  };
  struct Scratch {
    std::vector<Try> open;
    std::vector<Vec3d> places, projected;
    std::vector<size_t> which;
    std::vector<double> distances, off_surface;
  };

  int64_t improve(int64_t first, int64_t last, Scratch& scratch) {
    scratch.open.clear();
    for (int64_t n = first; n < last; ++n) prepare(by_color_[n], scratch.open);
    // At their current height over the surface, from which fitting may have lifted them.
    scratch.places.clear();
    for (const Try& t : scratch.open) scratch.places.push_back(mesh_.vertices[t.vertex]);
    project(scratch);
    for (size_t k = 0; k < scratch.open.size(); ++k)
      scratch.open[k].over = mesh_.vertices[scratch.open[k].vertex] - scratch.places[k];
    int64_t moved = 0;
    // The mean, halfway to it, then up and down the height of the worst tet.
    constexpr int choices = 6;
    for (int choice = 0; choice < choices && !scratch.open.empty(); ++choice) {
      auto& places = scratch.places;
      places.clear();
      for (const Try& t : scratch.open) {
        const Vec3d x = mesh_.vertices[t.vertex];
        constexpr double toward[2] = {1, 0.5}, along[4] = {0.1, -0.1, 0.03, -0.03};
        places.push_back(choice < 2 ? x + toward[choice] * (t.mean - x) : x + (along[choice - 2] * t.edge) * t.height);
      }
      project(scratch);
      for (size_t k = 0; k < scratch.open.size(); ++k) {
        const Try& t = scratch.open[k];
        if (scratch.distances[k] > kSurfaceTolerance * t.edge) continue;
        const AngleCosines after = angles(t.vertex, places[k], &t.before);
        if (!after.no_worse_than(t.before) || !(after.roughness < t.before.roughness)) continue;
        mesh_.vertices[t.vertex] = places[k];
        scratch.open[k].edge = 0;  // done
        ++moved;
      }
      std::erase_if(scratch.open, [&](const Try& t) {
        const bool good = t.before.of_smallest < kGoodCosine && t.before.of_largest > -kGoodCosine;
        return t.edge == 0 || (good && choice == 1);
      });
      if (choice == 1)
        for (Try& t : scratch.open) t.height = height_of_worst(t.vertex);
    }
    return moved;
  }

  // Returns boundary vertices to their height over the surface; `distances` is the error left.
  void project(Scratch& scratch) {
    scratch.which.clear();
    scratch.projected.clear();
    double step = 0;
    for (size_t k = 0; k < scratch.open.size(); ++k)
      if (scratch.open[k].on_surface) {
        scratch.which.push_back(k);
        scratch.projected.push_back(scratch.places[k]);
        step = 0.02 * scratch.open[k].edge;
      }
    scratch.off_surface.resize(scratch.which.size());
    if (!scratch.which.empty()) field_->project(scratch.projected, step, scratch.off_surface);
    scratch.distances.assign(scratch.open.size(), 0);
    for (size_t k = 0; k < scratch.which.size(); ++k) {
      scratch.places[scratch.which[k]] = scratch.projected[k] + scratch.open[scratch.which[k]].over;
      scratch.distances[scratch.which[k]] = scratch.off_surface[k];
    }
  }

  void prepare(int32_t v, std::vector<Try>& open) const {
    Try t{v, angles(v, mesh_.vertices[v]), 0, first_corner_[v] < first_corner_[v + 1], {}};
    if (incidence_.begin[v] == incidence_.begin[v + 1] || t.before.inverted) return;
    if (t.on_surface && (!field_ || !smooth_around(v))) return;
    const Vec3d x = mesh_.vertices[v];
    // Neighbours count once for each tet (or face of the surface) that they share with the vertex.
    Vec3d sum{0, 0, 0};
    double edges = 0;
    int count = 0;
    const auto add = [&](int32_t other) {
      const Vec3d y = mesh_.vertices[other];
      sum += y;
      edges += std::sqrt(dot(y - x, y - x));
      ++count;
    };
    if (t.on_surface) {
      for (int64_t c = first_corner_[v]; c < first_corner_[v + 1]; ++c)
        for (const int32_t other : boundary_[corners_[c] / 3])
          if (other != v) add(other);
    } else {
      for_each_tet(v, [&](const Tet& tet, uint32_t) {
        for (const int32_t other : tet)
          if (other != v) add(other);
      });
    }
    t.mean = (1.0 / count) * sum;
    t.edge = edges / count;
    open.push_back(t);
  }

  // The unit vector along the height, over the face opposite to the vertex, of the tet whose cosines are farthest from
  // those of a regular one.
  Vec3d height_of_worst(int32_t v) const {
    Vec3d height{0, 0, 0};
    double worst = -1;
    for_each_tet(v, [&](const Tet& tet, uint32_t corner) {
      AngleCosines own;
      own.add({mesh_.vertices[tet[0]], mesh_.vertices[tet[1]], mesh_.vertices[tet[2]], mesh_.vertices[tet[3]]});
      const double bad = std::max(own.of_smallest, -own.of_largest);
      if (bad <= worst) return;
      worst = bad;
      const auto& face = kTetFaces[corner];
      const Vec3d a = mesh_.vertices[tet[face[0]]];
      const Vec3d n = cross(mesh_.vertices[tet[face[2]]] - a, mesh_.vertices[tet[face[1]]] - a);
      height = (1 / std::sqrt(dot(n, n))) * n;
    });
    return height;
  }

  template <class Use>
  void for_each_tet(int32_t v, const Use& use) const {
    for (int64_t e = incidence_.begin[v]; e < incidence_.begin[v + 1]; ++e)
      use(mesh_.tets[incidence_.entries[e] / 4], incidence_.entries[e] % 4);
  }

  // The angles of the tets around a vertex moved to x; stops early once they are worse than `limit`.
  AngleCosines angles(int32_t v, Vec3d x, const AngleCosines* limit = nullptr) const {
    AngleCosines all;
    for_each_tet(v, [&](const Tet& tet, uint32_t corner) {
      if (all.inverted || (limit && !all.no_worse_than(*limit))) return;
      std::array<Vec3d, 4> p{mesh_.vertices[tet[0]], mesh_.vertices[tet[1]], mesh_.vertices[tet[2]],
                             mesh_.vertices[tet[3]]};
      p[corner] = x;
      all.add(p);
    });
    return all;
  }

  bool smooth_around(int32_t v) const {
    const auto area = [&](int64_t c) {
      const Triangle& f = boundary_[corners_[c] / 3];
      const Vec3d a = mesh_.vertices[f[0]];
      return cross(mesh_.vertices[f[1]] - a, mesh_.vertices[f[2]] - a);
    };
    Vec3d sum{0, 0, 0};
    for (int64_t c = first_corner_[v]; c < first_corner_[v + 1]; ++c) sum += area(c);
    for (int64_t c = first_corner_[v]; c < first_corner_[v + 1]; ++c) {
      const Vec3d n = area(c);
      if (!(dot(n, sum) > kCreaseCosine * std::sqrt(dot(n, n) * dot(sum, sum)))) return false;
    }
    return true;
  }

  TetMesh& mesh_;
  const DistanceField* field_;
  ThreadPool& pool_;
  Incidence incidence_;
  std::vector<int64_t> first_of_color_;
  std::vector<int32_t> by_color_;
  std::vector<Triangle> boundary_;
  std::vector<int64_t> first_corner_;
  std::vector<int32_t> corners_;  // 3 * triangle + corner, by vertex
};

}  // namespace

int64_t smooth(TetMesh& mesh, const DistanceField* field, const SmoothingOptions& options, ThreadPool& pool,
               const ProgressListener& listener) {
  if (mesh.tets.empty()) return 0;
  Smoother smoother(mesh, field, pool);
  int64_t moved = 0;
  for (int pass = 0; pass < options.passes; ++pass) {
    moved += smoother.pass();
    if (!tell(listener, "smoothing", static_cast<double>(pass + 1) / options.passes)) break;
  }
  return moved;
}

}  // namespace sinew
