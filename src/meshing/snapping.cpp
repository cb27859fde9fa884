#include "meshing/snapping.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "mesh/coloring.h"
#include "mesh/simplices.h"
#include "mesh/topology.h"
#include "meshing/dihedral.h"

namespace sinew {

namespace {

constexpr double kBridge =
    0.02;  // relative to a cell: a boundary edge whose middle is farther from the surface is a bridge
constexpr int kPasses = 6;

double distance(Vec3d a, Vec3d b) {
  return std::sqrt(dot(a - b, a - b));
}

// Points and segments in a grid of cubes as wide as the reach; segments in pieces no longer than that.
class FeatureGrid {
 public:
  FeatureGrid(const std::vector<std::array<Vec3d, 2>>& segments, double reach) : reach_(reach) {
    for (const auto& [a, b] : segments) {
      const auto pieces = std::max(1.0, std::ceil(distance(a, b) / reach));
      for (double k = 0; k < pieces; ++k) {
        const Vec3d from = a + (k / pieces) * (b - a), to = a + ((k + 1) / pieces) * (b - a);
        cubes_[key(place(0.5 * (from + to)))].push_back({from, to});
      }
    }
  }
  // The nearest point of a segment, if any is within reach. The middle of its piece is within 1.5 times the reach.
  std::optional<Vec3d> nearest(Vec3d p) const {
    std::optional<Vec3d> best;
    double least = reach_;
    constexpr int around = 2;
    const Place middle = place(p);
    for (int n = 0; n < 125; ++n) {
      const auto cube =
          cubes_.find(key({middle[0] + n % 5 - around, middle[1] + n / 5 % 5 - around, middle[2] + n / 25 - around}));
      if (cube == cubes_.end()) continue;
      for (const auto& [a, b] : cube->second) {
        const double squared = dot(b - a, b - a);
        const double t = squared > 0 ? std::clamp(dot(p - a, b - a) / squared, 0.0, 1.0) : 0;
        const Vec3d q = a + t * (b - a);
        if (distance(p, q) >= least) continue;
        least = distance(p, q);
        best = q;
      }
    }
    return best;
  }

 private:
  using Place = std::array<int64_t, 3>;
  Place place(Vec3d p) const {
    const auto part = [&](double c) { return static_cast<int64_t>(std::floor(c / reach_)); };
    return {part(p.x), part(p.y), part(p.z)};
  }
  static uint64_t key(const Place& p) {
    const auto part = [](int64_t c) { return static_cast<uint64_t>(c) & 0x1fffff; };
    return part(p[0]) | part(p[1]) << 21 | part(p[2]) << 42;
  }
  double reach_;
  std::unordered_map<uint64_t, std::vector<std::array<Vec3d, 2>>> cubes_;
};

class Snapper {
 public:
  Snapper(TetMesh& mesh, const DistanceField& field, const SharpFeatures& features, const SnappingOptions& options,
          ThreadPool& pool)
      : mesh_(mesh),
        field_(field),
        features_(features),
        grid_(features.segments, options.cell),
        options_(options),
        incidence_(incidence_of(mesh.tets, mesh.vertices.size(), pool)),
        original_(mesh.vertices.size()),
        fixed_(mesh.vertices.size(), 0) {
    bounds_ = angle_bounds(options.smallest_angle, options.largest_angle);
    // The vertices and edges of the boundary that are near a feature.
    std::vector<Keyed<2>> edges;
    std::vector<int8_t> near(mesh.vertices.size(), -1);
    const auto is_near = [&](int32_t v) {
      if (near[v] < 0) {
        near[v] = grid_.nearest(mesh.vertices[v]).has_value();
        if (near[v]) {
          near_.push_back(v);
          original_[v] = mesh.vertices[v];
        }
      }
      return near[v] > 0;
    };
    for (const Triangle& t : extract_boundary(mesh, pool).triangles)
      for (int k = 0; k < 3; ++k) {
        const int32_t a = t[k], b = t[(k + 1) % 3];
        const bool near_a = is_near(a), near_b = is_near(b);
        if (a < b && near_a && near_b) edges_.push_back({a, b});
      }
  }

  SnappingReport run() {
    for (const Vec3d corner : features_.corners) report_.corners_missed += !take_corner(corner);
    for (int pass = 0; pass < kPasses; ++pass)
      if (bridge_pass() == 0) break;
    report_.edges_missed = static_cast<int64_t>(bridges().size());
    return report_;
  }

 private:
  struct Bridge {
    double height;
    int32_t a, b;
  };

  bool take_corner(Vec3d corner) {
    std::vector<std::pair<double, int32_t>> choices;
    for (const int32_t v : near_)
      if (const double d = distance(mesh_.vertices[v], corner); d < options_.cell && !fixed_[v])
        choices.push_back({d, v});
    std::sort(choices.begin(), choices.end());
    return std::any_of(choices.begin(), choices.end(), [&](const auto& choice) { return move(choice.second, corner); });
  }

  // Boundary edges whose middles are off the surface, the worst first.
  std::vector<Bridge> bridges() const {
    std::vector<Vec3d> middles;
    for (const auto& [a, b] : edges_) middles.push_back(0.5 * (mesh_.vertices[a] + mesh_.vertices[b]));
    std::vector<double> heights(middles.size());
    field_.distances(middles, heights);
    std::vector<Bridge> found;
    for (size_t e = 0; e < edges_.size(); ++e)
      if (std::abs(heights[e]) > kBridge * options_.cell)
        found.push_back({std::abs(heights[e]), edges_[e][0], edges_[e][1]});
    std::stable_sort(found.begin(), found.end(), [](const Bridge& s, const Bridge& t) { return s.height > t.height; });
    return found;
  }

  int64_t bridge_pass() {
    int64_t moved = 0;
    std::vector<uint8_t> touched(mesh_.vertices.size(), 0);
    for (const Bridge& bridge : bridges()) {
      if (touched[bridge.a] || touched[bridge.b]) continue;  // reconsidered in the next pass
      // The end that is closer to the feature first.
      std::array<std::pair<double, int32_t>, 2> ends{{{0, bridge.a}, {0, bridge.b}}};
      std::array<std::optional<Vec3d>, 2> to;
      for (size_t k = 0; k < 2; ++k) {
        to[k] = grid_.nearest(mesh_.vertices[ends[k].second]);
        ends[k].first = to[k] ? distance(mesh_.vertices[ends[k].second], *to[k]) : options_.cell;
      }
      const size_t first = ends[1].first < ends[0].first ? 1 : 0;
      for (const size_t k : {first, 1 - first}) {
        const int32_t v = ends[k].second;
        if (!to[k] || fixed_[v] || !move(v, *to[k])) continue;
        touched[v] = 1;
        ++moved;
        break;
      }
    }
    return moved;
  }

  // Moves a vertex of the surface permanently, if the bounds hold.
  bool move(int32_t v, Vec3d to) {
    if (distance(original_[v], to) > options_.cell) return false;
    AngleCosines after;
    for (int64_t e = incidence_.begin[v]; e < incidence_.begin[v + 1]; ++e) {
      const Tet& tet = mesh_.tets[incidence_.entries[e] / 4];
      std::array<Vec3d, 4> x{mesh_.vertices[tet[0]], mesh_.vertices[tet[1]], mesh_.vertices[tet[2]],
                             mesh_.vertices[tet[3]]};
      x[incidence_.entries[e] % 4] = to;
      after.add(x);
      if (!after.no_worse_than(bounds_)) return false;
    }
    mesh_.vertices[v] = to;
    fixed_[v] = 1;
    ++report_.moved;
    return true;
  }

  TetMesh& mesh_;
  const DistanceField& field_;
  const SharpFeatures& features_;
  FeatureGrid grid_;
  SnappingOptions options_;
  Incidence incidence_;
  AngleCosines bounds_;
  std::vector<int32_t> near_;                  // vertices of the boundary within reach of a feature
  std::vector<std::array<int32_t, 2>> edges_;  // of the boundary, between those
  std::vector<Vec3d> original_;                // original positions of the near ones
  std::vector<uint8_t> fixed_;                 // vertices that have moved
  SnappingReport report_;
};

}  // namespace

SnappingReport snap(TetMesh& mesh, const DistanceField& field, const SharpFeatures& features,
                    const SnappingOptions& options, ThreadPool& pool) {
  if (mesh.tets.empty() || features.segments.empty() || !(options.cell > 0)) return {};
  return Snapper(mesh, field, features, options, pool).run();
}

}  // namespace sinew
