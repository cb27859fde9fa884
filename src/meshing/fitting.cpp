#include "meshing/fitting.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "exec/counting_sort.h"
#include "math/solve.h"
#include "mesh/coloring.h"
#include "mesh/first_at_place.h"
#include "mesh/topology.h"
#include "meshing/crossing.h"
#include "meshing/dihedral.h"

namespace sinew {
namespace {

// Weights of the samples, by the area of a face.
constexpr double kOfCentroid = 9.0 / 20, kOfMiddle = 2.0 / 15, kOfCorner = 1.0 / 20;
// The weight of staying in place, relative to those of the planes, which do not act along themselves.
constexpr double kInertia = 0.08;
// Relative to a cell: the moves that are too small to make, and too small to update planes.
constexpr double kNoMove = 1e-3, kSamePlane = 0.02;
// The step of differences, relative to a cell.
constexpr double kStep = 0.02;

class Fitter {
 public:
  Fitter(TetMesh& mesh, const DistanceField& field, const FittingOptions& options, ThreadPool& pool)
      : mesh_(mesh), field_(field), options_(options), pool_(pool) {
    bounds_ = angle_bounds(options.smallest_angle, options.largest_angle);
    faces_ = extract_boundary(mesh, pool).triangles;
    vertices_ = renumber(faces_, 0, static_cast<int32_t>(mesh.vertices.size()));
    original_ = positions();
    counting_sort(
        pool_, static_cast<int64_t>(3 * faces_.size()), vertices_.size(),
        [&](int64_t c) { return static_cast<size_t>(faces_[c / 3][c % 3]); }, first_corner_, corners_);
    find_tets();
    find_edges();
    find_colors();
    place_planes({});
    find_fixed();
  }

  void pass() {
    for (size_t c = 0; c + 1 < first_of_color_.size(); ++c)
      in_parts(first_of_color_[c], first_of_color_[c + 1], [&](int64_t first, int64_t last) { improve(first, last); });
  }

  // Updates the planes where vertices have moved.
  void look_again() {
    std::vector<char> moved(vertices_.size());
    const double least = kSamePlane * options_.cell;
    for (size_t b = 0; b < vertices_.size(); ++b) {
      const Vec3d d = x(static_cast<int32_t>(b)) - seen_[b];
      moved[b] = dot(d, d) > least * least;
    }
    place_planes(moved);
  }

  // Faces that intersect others go back to where they were, and with them vertices whose tets would then have bad
  // angles.
  void keep_apart() {
    for (;;) {
      std::vector<int32_t> back;
      for (const auto& pair : crossing_triangles(positions(), faces_, first_at_place(positions()), pool_))
        for (const int32_t f : pair) back.insert(back.end(), faces_[f].begin(), faces_[f].end());
      if (!put_back(std::move(back))) return;
    }
  }

  int64_t moved() const {
    int64_t count = 0;
    for (size_t b = 0; b < vertices_.size(); ++b) count += !is_original(static_cast<int32_t>(b));
    return count;
  }

 private:
  struct Plane {
    Vec3d normal{};    // 0: none
    Vec3d outwards{};  // from the solid there
    double offset = 0;
    double height(Vec3d at) const { return dot(normal, at) - offset; }
  };
  struct Try {
    int32_t vertex;
    AngleCosines limit;
    Vec3d step;
  };

  // Vertices by their number on the boundary.
  Vec3d& x(int32_t b) { return mesh_.vertices[vertices_[b]]; }
  Vec3d x(int32_t b) const { return mesh_.vertices[vertices_[b]]; }
  std::vector<Vec3d> positions() const {
    std::vector<Vec3d> all(vertices_.size());
    for (size_t b = 0; b < all.size(); ++b) all[b] = mesh_.vertices[vertices_[b]];
    return all;
  }
  bool is_original(int32_t b) const {
    const Vec3d d = x(b) - original_[b];
    return d.x == 0 && d.y == 0 && d.z == 0;
  }

  // use(first, last) for parts of a range: the number of points per call of the field.
  template <class Use>
  void in_parts(int64_t first, int64_t last, const Use& use) {
    constexpr int64_t part = 256;
    pool_.parallel_for((last - first + part - 1) / part, 1, [&](int64_t from, int64_t to) {
      for (int64_t p = from; p < to; ++p) use(first + p * part, std::min(first + (p + 1) * part, last));
    });
  }

  // The tets with a vertex of the boundary, by vertex.
  void find_tets() {
    std::vector<int32_t> own(mesh_.vertices.size(), -1);
    for (size_t b = 0; b < vertices_.size(); ++b) own[vertices_[b]] = static_cast<int32_t>(b);
    for (const Tet& tet : mesh_.tets) {
      const Tet corners{own[tet[0]], own[tet[1]], own[tet[2]], own[tet[3]]};
      if (std::max({corners[0], corners[1], corners[2], corners[3]}) < 0) continue;
      tets_.push_back(tet);
      own_.push_back(corners);
    }
    const size_t inner = vertices_.size();
    counting_sort(
        pool_, static_cast<int64_t>(4 * tets_.size()), inner + 1,
        [&](int64_t e) { return own_[e / 4][e % 4] < 0 ? inner : static_cast<size_t>(own_[e / 4][e % 4]); }, first_tet_,
        tet_corners_);
  }

  // Sides of faces between the same vertices are one edge, in either direction.
  void find_edges() {
    const auto ends = [&](int64_t side) {
      const int32_t a = faces_[side / 3][side % 3], b = faces_[side / 3][(side % 3 + 1) % 3];
      return std::array<int32_t, 2>{std::min(a, b), std::max(a, b)};
    };
    std::vector<int64_t> begin;
    std::vector<int32_t> sides;
    counting_sort(
        pool_, static_cast<int64_t>(3 * faces_.size()), vertices_.size(),
        [&](int64_t side) { return static_cast<size_t>(ends(side)[0]); }, begin, sides);
    edge_of_.assign(3 * faces_.size(), -1);
    for (size_t v = 0; v < vertices_.size(); ++v)
      for (int64_t n = begin[v]; n < begin[v + 1]; ++n) {
        int32_t& edge = edge_of_[sides[n]];
        for (int64_t m = begin[v]; m < n && edge < 0; ++m)
          if (ends(sides[m]) == ends(sides[n])) edge = edge_of_[sides[m]];
        if (edge >= 0) continue;
        edge = static_cast<int32_t>(edges_.size());
        edges_.push_back(ends(sides[n]));
      }
  }

  void find_colors() {
    const Coloring coloring = greedy_coloring(vertices_.size(), {}, [&](int32_t b, const auto& visit) {
      for (int64_t e = first_tet_[b]; e < first_tet_[b + 1]; ++e)
        for (const int32_t other : own_[tet_corners_[e] / 4])
          if (other >= 0) visit(other);
    });
    counting_sort(
        pool_, static_cast<int64_t>(vertices_.size()), static_cast<size_t>(coloring.count),
        [&](int64_t b) { return static_cast<size_t>(coloring.color[b]); }, first_of_color_, by_color_);
  }

  void find_fixed() {
    const std::vector<int32_t> first = first_at_place(positions());
    fixed_.assign(vertices_.size(), 0);
    for (size_t b = 0; b < vertices_.size(); ++b) {
      const auto own = static_cast<int32_t>(b);
      if (first[b] != own) fixed_[b] = fixed_[first[b]] = 1;
      const double off = planes_[b].height(x(own));
      if (!(std::abs(off) <= options_.farthest_off * options_.cell)) fixed_[b] = 1;
    }
  }

  // The tangent planes of the samples on vertices, edges and faces; all of them, or those at vertices that have moved.
  void place_planes(const std::vector<char>& moved) {
    const auto vertices = static_cast<int64_t>(vertices_.size()), edges = static_cast<int64_t>(edges_.size());
    const int64_t all = vertices + edges + static_cast<int64_t>(faces_.size());
    planes_.resize(static_cast<size_t>(all));
    in_parts(0, all, [&](int64_t first, int64_t last) {
      std::vector<int64_t> samples;
      std::vector<Vec3d> points;
      const auto add = [&](int64_t sample, const auto& corners) {
        if (!moved.empty() && std::none_of(corners.begin(), corners.end(), [&](int32_t b) { return moved[b] != 0; }))
          return;
        Vec3d sum{0, 0, 0};
        for (const int32_t b : corners) sum += x(b);
        samples.push_back(sample);
        points.push_back((1.0 / static_cast<double>(corners.size())) * sum);
      };
      for (int64_t s = first; s < last; ++s) {
        if (s < vertices)
          add(s, std::array{static_cast<int32_t>(s)});
        else if (s < vertices + edges)
          add(s, edges_[s - vertices]);
        else
          add(s, faces_[s - vertices - edges]);
      }
      std::vector<TangentPlane> found(points.size());
      field_.tangent_planes(points, kStep * options_.cell, found);
      for (size_t n = 0; n < points.size(); ++n)
        planes_[samples[n]] = {found[n].normal, found[n].outwards, dot(found[n].normal, points[n]) - found[n].height};
    });
    seen_.resize(vertices_.size());
    for (size_t b = 0; b < vertices_.size(); ++b)
      if (moved.empty() || moved[b]) seen_[b] = x(static_cast<int32_t>(b));
  }

  // The step that brings the samples around the vertex closest to their planes.
  Vec3d step_of(int32_t b) const {
    Sym3<double> a{};
    Vec3d g{0, 0, 0};
    double sum = 0;
    for (int64_t c = first_corner_[b]; c < first_corner_[b + 1]; ++c) {
      const int32_t f = corners_[c] / 3, k = corners_[c] % 3;
      const std::array<Vec3d, 3> p{x(faces_[f][0]), x(faces_[f][1]), x(faces_[f][2])};
      const Vec3d normal = cross(p[1] - p[0], p[2] - p[0]);
      const double area = 0.5 * std::sqrt(dot(normal, normal));
      // A sample that moves by `share` x the vertex; a plane that faces the other way belongs to the far side of a
      // sheet.
      const auto add = [&](double weight, double share, size_t sample, Vec3d at) {
        const Plane& plane = planes_[sample];
        if (!(dot(plane.outwards, normal) > 0)) return;
        const double w = area * weight * share;
        sum += w * share;
        add_outer(a, w * share, plane.normal);
        g += (w * plane.height(at)) * plane.normal;
      };
      add(kOfCorner, 1, static_cast<size_t>(b), p[k]);
      for (const int32_t side : {k, (k + 2) % 3})
        add(kOfMiddle, 0.5, vertices_.size() + static_cast<size_t>(edge_of_[3 * f + side]),
            0.5 * (p[side] + p[(side + 1) % 3]));
      add(kOfCentroid, 1.0 / 3, vertices_.size() + edges_.size() + static_cast<size_t>(f),
          (1.0 / 3) * (p[0] + p[1] + p[2]));
    }
    add_identity(a, kInertia * sum);
    // Limited to the largest move from the original place.
    Vec3d whole = x(b) - solve_or_skip(a, g, 1e-12) - original_[b];
    const double size = std::sqrt(dot(whole, whole)), most = options_.farthest_move * options_.cell;
    if (size > most) whole = (most / size) * whole;
    return original_[b] + whole - x(b);
  }

  void improve(int64_t first, int64_t last) {
    std::vector<Try> open;
    std::vector<Vec3d> places;
    std::vector<TangentPlane> planes;
    const double least = kNoMove * options_.cell, most_off = options_.farthest_off * options_.cell;
    for (int64_t n = first; n < last; ++n) {
      const int32_t b = by_color_[n];
      if (fixed_[b]) continue;
      Try t{b, {}, step_of(b)};
      if (!(dot(t.step, t.step) > least * least)) continue;
      t.limit = angles(b, x(b));
      if (t.limit.inverted) continue;
      t.limit.of_smallest = std::max(t.limit.of_smallest, bounds_.of_smallest);
      t.limit.of_largest = std::min(t.limit.of_largest, bounds_.of_largest);
      open.push_back(t);
    }
    for (const double share : {1.0, 0.5, 0.25}) {
      if (open.empty()) return;
      places.clear();
      for (const Try& t : open) places.push_back(x(t.vertex) + share * t.step);
      planes.resize(places.size());
      field_.tangent_planes(places, kStep * options_.cell, planes);
      for (size_t k = 0; k < open.size(); ++k) {
        Try& t = open[k];
        Vec3d to = places[k];
        // Back into reach of the surface.
        const double height = planes[k].height;
        if (std::abs(height) > most_off) to = to - (height - std::copysign(most_off, height)) * planes[k].normal;
        if (!angles(t.vertex, to, &t.limit).no_worse_than(t.limit)) continue;
        x(t.vertex) = to;
        t.vertex = -1;  // done
      }
      std::erase_if(open, [](const Try& t) { return t.vertex < 0; });
    }
  }

  // The angles of the tets around a vertex moved to `to`; stops early once they are worse than `limit`.
  AngleCosines angles(int32_t b, Vec3d to, const AngleCosines* limit = nullptr) const {
    AngleCosines all;
    for (int64_t e = first_tet_[b]; e < first_tet_[b + 1]; ++e) {
      std::array<Vec3d, 4> p = corners_of(tets_[tet_corners_[e] / 4]);
      p[tet_corners_[e] % 4] = to;
      all.add(p);
      if (all.inverted || (limit && !all.no_worse_than(*limit))) break;
    }
    return all;
  }
  std::array<Vec3d, 4> corners_of(const Tet& tet) const {
    return {mesh_.vertices[tet[0]], mesh_.vertices[tet[1]], mesh_.vertices[tet[2]], mesh_.vertices[tet[3]]};
  }

  // Returns whether any had moved.
  bool put_back(std::vector<int32_t> open) {
    bool any = false;
    while (!open.empty()) {
      const int32_t b = open.back();
      open.pop_back();
      if (is_original(b)) continue;
      x(b) = original_[b];
      any = true;
      for (int64_t e = first_tet_[b]; e < first_tet_[b + 1]; ++e) {
        AngleCosines own;
        own.add(corners_of(tets_[tet_corners_[e] / 4]));
        if (own.no_worse_than(bounds_)) continue;
        for (const int32_t other : own_[tet_corners_[e] / 4])
          if (other >= 0) open.push_back(other);
      }
    }
    return any;
  }

  TetMesh& mesh_;
  const DistanceField& field_;
  FittingOptions options_;
  ThreadPool& pool_;
  AngleCosines bounds_;
  std::vector<Triangle> faces_;    // of the boundary, in its own vertex numbering, like all that follows
  std::vector<int32_t> vertices_;  // their indices in the mesh
  std::vector<Vec3d> original_;    // original positions
  std::vector<Vec3d> seen_;        // positions at the last update of the planes
  std::vector<char> fixed_;        // vertices that stay
  std::vector<int64_t> first_corner_;
  std::vector<int32_t> corners_;  // 3 * face + corner, by vertex
  std::vector<std::array<int32_t, 2>> edges_;
  std::vector<int32_t> edge_of_;  // by 3 * face + side
  std::vector<Tet> tets_, own_;   // those at the boundary, by the mesh's indices and by the boundary's (-1: inner)
  std::vector<int64_t> first_tet_;
  std::vector<uint32_t> tet_corners_;  // 4 * (number in tets_) + corner, by vertex
  std::vector<int64_t> first_of_color_;
  std::vector<int32_t> by_color_;
  std::vector<Plane> planes_;  // of vertices, edges, faces
};

}  // namespace

int64_t fit(TetMesh& mesh, const DistanceField& field, const FittingOptions& options, ThreadPool& pool,
            const ProgressListener& listener) {
  if (mesh.tets.empty() || !(options.cell > 0)) return 0;
  Fitter fitter(mesh, field, options, pool);
  for (int pass = 0; pass < options.passes; ++pass) {
    if (pass > 0) fitter.look_again();
    fitter.pass();
    if (!tell(listener, "fitting", static_cast<double>(pass + 1) / options.passes)) break;
  }
  fitter.keep_apart();
  return fitter.moved();
}

}  // namespace sinew
