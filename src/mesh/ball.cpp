// The ball of generators.h: an icosahedron's 20 tetrahedra (centre and a face each), refined regularly.
#include <algorithm>
#include <cmath>
#include <map>

#include "base/format.h"
#include "mesh/generators.h"

namespace sinew {

namespace {

constexpr double kGolden = 1.6180339887498949;

constexpr Vec3d kCorners[12] = {{-1, kGolden, 0}, {1, kGolden, 0}, {-1, -kGolden, 0}, {1, -kGolden, 0},
                                {0, -1, kGolden}, {0, 1, kGolden}, {0, -1, -kGolden}, {0, 1, -kGolden},
                                {kGolden, 0, -1}, {kGolden, 0, 1}, {-kGolden, 0, -1}, {-kGolden, 0, 1}};

// Counter-clockwise seen from outside.
constexpr Triangle kFaces[20] = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                                 {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                                 {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};

// A lattice point of the 20 tetrahedra: the number of steps towards each of (at most three) corners. The steps sum to
// the shell, and a point that two tetrahedra share has the same name in both.
using LatticePoint = std::array<std::pair<int32_t, int32_t>, 3>;  // (corner, steps), by corner
constexpr int32_t kAbsent = 12;                                   // after every corner

class BallMesher {
 public:
  explicit BallMesher(const BallOptions& options) : options_(options) { mesh_.vertices.push_back(options.centre); }

  TetMesh run() {
    const int n = options_.shells;
    // Shell by shell, so that neighbours in space are close in memory.
    for (int shell = 0; shell < n; ++shell)
      for (const Triangle& face : kFaces)
        for (int a = 0; a <= shell; ++a)
          for (int b = 0; a + b <= shell; ++b) fill(face, {a, b, shell - a - b});
    return std::move(mesh_);
  }

 private:
  using Steps = std::array<int, 3>;

  // The tets whose lowest lattice point is `base`: one that points inwards, an octahedron cut into four, and one that
  // points outwards; over all bases, shells^3 tets per face.
  void fill(const Triangle& face, Steps base) {
    const auto at = [&](int a, int b, int c) { return vertex(face, {base[0] + a, base[1] + b, base[2] + c}); };
    const int shell = base[0] + base[1] + base[2];
    const int32_t o = at(0, 0, 0), a = at(1, 0, 0), b = at(0, 1, 0), c = at(0, 0, 1);
    add({o, a, b, c});
    if (shell + 2 > options_.shells) return;
    const int32_t ab = at(1, 1, 0), bc = at(0, 1, 1), ca = at(1, 0, 1);
    add_octahedron({a, b, c}, {bc, ca, ab});
    if (shell + 3 > options_.shells) return;
    add({ab, bc, ca, at(1, 1, 1)});
  }

  // Corner k is opposite to far[k]. The cut runs along the shortest diagonal: the other two make flatter tets.
  void add_octahedron(std::array<int32_t, 3> near, std::array<int32_t, 3> far) {
    int axis = 0;
    double shortest = length_squared(near[0], far[0]);
    for (int k = 1; k < 3; ++k)
      // Lengths equal up to rounding count as equal, so that the choice does not depend on the last bit.
      if (const double length = length_squared(near[k], far[k]); length < shortest * (1 - 1e-9)) {
        shortest = length;
        axis = k;
      }
    const int32_t p = near[axis], q = far[axis];
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    const std::array<int32_t, 4> ring{near[i], near[j], far[i], far[j]};
    for (int k = 0; k < 4; ++k) add({p, q, ring[k], ring[(k + 1) % 4]});
  }

  void add(Tet tet) {
    const auto& x = mesh_.vertices;
    const Vec3d o = x[tet[0]];
    if (dot(x[tet[1]] - o, cross(x[tet[2]] - o, x[tet[3]] - o)) < 0) std::swap(tet[2], tet[3]);
    mesh_.tets.push_back(tet);
  }

  int32_t vertex(const Triangle& face, Steps steps) {
    if (steps == Steps{}) return 0;
    LatticePoint point;
    for (int k = 0; k < 3; ++k) point[k] = steps[k] > 0 ? std::pair(face[k], steps[k]) : std::pair(kAbsent, 0);
    if (point[1] < point[0]) std::swap(point[0], point[1]);
    if (point[2] < point[1]) std::swap(point[1], point[2]);
    if (point[1] < point[0]) std::swap(point[0], point[1]);
    const auto [place, is_new] = index_.try_emplace(point, static_cast<int32_t>(mesh_.vertices.size()));
    if (is_new) mesh_.vertices.push_back(position(point));
    return place->second;
  }

  // The direction of the weighted corners, at the shell's radius.
  Vec3d position(const LatticePoint& point) const {
    Vec3d direction{0, 0, 0};
    int shell = 0;
    for (const auto& [corner, steps] : point)
      if (corner != kAbsent) {
        direction += static_cast<double>(steps) * kCorners[corner];
        shell += steps;
      }
    const double radius = options_.radius * shell / options_.shells;
    return options_.centre + (radius / std::sqrt(dot(direction, direction))) * direction;
  }

  double length_squared(int32_t a, int32_t b) const {
    const Vec3d edge = mesh_.vertices[a] - mesh_.vertices[b];
    return dot(edge, edge);
  }

  BallOptions options_;
  TetMesh mesh_;
  std::map<LatticePoint, int32_t> index_;
};

}  // namespace

double tet_count(const BallOptions& options) {
  return 20.0 * options.shells * options.shells * options.shells;
}

double vertex_count(const BallOptions& options) {
  // Shell s has 10 s^2 + 2 vertices.
  const double n = options.shells;
  return 1 + 10 * n * (n + 1) * (2 * n + 1) / 6 + 2 * n;
}

Result<TetMesh> make_ball(const BallOptions& options) {
  if (!(std::isfinite(options.radius) && options.radius > 0))
    return Error{"make_ball", format("radius = %g m", options.radius), "the radius is positive"};
  if (!std::isfinite(options.centre.x) || !std::isfinite(options.centre.y) || !std::isfinite(options.centre.z))
    return Error{"make_ball", "the centre is not finite", "give finite coordinates"};
  // 20 shells^3 tets must fit into 32 bits.
  constexpr int32_t kMostShells = 475;
  if (options.shells < 1 || options.shells > kMostShells)
    return Error{"make_ball", format("shells = %d", options.shells), format("give 1 to %d shells", kMostShells)};
  return BallMesher(options).run();
}

}  // namespace sinew
