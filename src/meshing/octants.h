// Grading: the cubes of the lattice grow away from the surface. They become the leaves of an octree, cubes of 1, 2, 4
// or 8 cells with vertices at their corners and centres, and the lattice is that of the leaves (Labelle and Shewchuk
// 2007, section 4 "graded interior"):
//   - a cell with a point that is not inside (or has moved), and all cells around it, are leaves: every tet that is cut
//     or whose corners have moved is one of the uniform lattice, so the bounds on its angles hold
//   - leaves that touch, even at a corner, differ by at most a factor of two
// Between leaves of equal size the tets are those of a lattice, halved if the edge between corners has a vertex in its
// middle; between two sizes, the four small faces form eight quarter tets with the large leaf's centre and two half
// pyramids with each small one's. Their angles are between 45 and 120 degrees.
#pragma once

#include <cstdint>
#include <vector>

#include "exec/thread_pool.h"
#include "meshing/lattice.h"

namespace sinew {

inline constexpr int coarsest_level = 3;  // a leaf of 2^3 cells is a block

class Octants {
 public:
  // Leaves of up to 2^coarsest cells to a side, coarsest in [0, coarsest_level]; 0: no grading.
  Octants(const PointLattice& lattice, int coarsest, ThreadPool& pool);

  bool graded() const { return !levels_.empty(); }
  // The level of the leaf that contains a cell of a block; the cell within -1 .. 8.
  int level(const LatticeBlock& block, int i, int j, int k) const {
    const PointLattice::Place place = lattice_.find(block, centre, i, j, k);
    return place.block < 0 ? 0 : level_of(place.block, place.point - block_cells);
  }
  // The same for cell number `cell` of block number `block`.
  int level_of(int32_t block, int cell) const {
    const Levels& own = levels_[block];
    const int i = cell & 7, j = cell >> 3 & 7, k = cell >> 6;
    if (own.three) return 3;
    if (own.two >> octant(i / 4, j / 4, k / 4, 2) & 1) return 2;
    return own.one >> octant(i / 2, j / 2, k / 2, 4) & 1 ? 1 : 0;
  }
  // Whether an inside point of a block is a vertex: the corner or centre of a leaf.
  bool is_vertex(const LatticeBlock& block, int sub, int i, int j, int k) const;

  // Calls use(a, b, c, d), with four PointLattice::Place of positive volume, for every tet of larger leaves that
  // belongs to a block: those between a leaf and smaller ones, and those between leaves of equal size that lie above
  // it.
  template <class Use>
  void for_each_tet(const LatticeBlock& block, const Use& use) const;

 private:
  // Per block: which of its octants of 2, 4 and 8 cells are leaves or parts of larger leaves, as bits.
  struct Levels {
    uint64_t one = 0;
    uint8_t two = 0;
    bool three = false;
  };
  static constexpr int octant(int i, int j, int k, int side) { return (k * side + j) * side + i; }
  bool clean(const LatticeBlock& block, int i, int j, int k) const;

  // A point of a leaf, in cells from the block's first corner; or the centre of a cell there.
  struct Point {
    int sub, i, j, k;
  };
  static Point centre_of(std::array<int, 3> low, int level) {
    const int half = (1 << level) / 2;
    return level == 0 ? Point{centre, low[0], low[1], low[2]}
                      : Point{corner, low[0] + half, low[1] + half, low[2] + half};
  }

  const PointLattice& lattice_;
  std::vector<Levels> levels_;
};

template <class Use>
void Octants::for_each_tet(const LatticeBlock& block, const Use& use) const {
  const auto emit = [&](std::array<Point, 4> p) {
    // Twice the coordinates are whole numbers: the sign is exact.
    const auto twice = [&](int n) {
      return Vec3d{2.0 * p[n].i + p[n].sub, 2.0 * p[n].j + p[n].sub, 2.0 * p[n].k + p[n].sub};
    };
    if (dot(twice(1) - twice(0), cross(twice(2) - twice(0), twice(3) - twice(0))) < 0) std::swap(p[2], p[3]);
    const auto find = [&](const Point& q) { return lattice_.find(block, q.sub, q.i, q.j, q.k); };
    use(find(p[0]), find(p[1]), find(p[2]), find(p[3]));
  };
  const auto corner_at = [](const std::array<int, 3>& p) { return Point{corner, p[0], p[1], p[2]}; };

  const auto visit_leaf = [&](const std::array<int, 3>& low, int level) {
    const int side = 1 << level;
    const Point middle = centre_of(low, level);
    for (int axis = 0; axis < 3; ++axis)
      for (int up = 0; up < 2; ++up) {
        // The face, and the leaf behind it.
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        std::array<int, 3> face = low, behind = low;
        face[axis] += up ? side : 0;
        behind[axis] += up ? side : -1;
        const auto on_face = [&](int a, int b) {  // in half sides
          std::array<int, 3> p = face;
          p[u] += a * side / 2;
          p[v] += b * side / 2;
          return p;
        };
        const int other = this->level(block, behind[0], behind[1], behind[2]);
        if (other > level || (other == level && !up)) continue;
        constexpr int ring[4][2] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}};
        if (other == level) {
          std::array<int, 3> next = low;
          next[axis] += side;
          const Point apex = centre_of(next, level);
          for (int e = 0; e < 4; ++e) {
            const auto& from = ring[e];
            const auto& to = ring[(e + 1) % 4];
            // Beside the edge: two more leaves, one of which may be smaller.
            std::array<int, 3> beside = low;
            if (from[0] == to[0]) {
              beside[u] += from[0] == 2 ? side : -1;
            } else {
              beside[v] += from[1] == 2 ? side : -1;
            }
            std::array<int, 3> beside_next = beside;
            beside_next[axis] += side;
            const Point a = corner_at(on_face(from[0], from[1])), b = corner_at(on_face(to[0], to[1]));
            if (this->level(block, beside[0], beside[1], beside[2]) < level ||
                this->level(block, beside_next[0], beside_next[1], beside_next[2]) < level) {
              const Point half = corner_at(on_face((from[0] + to[0]) / 2, (from[1] + to[1]) / 2));
              emit({middle, apex, a, half});
              emit({middle, apex, half, b});
            } else {
              emit({middle, apex, a, b});
            }
          }
          continue;
        }
        const Point face_middle = corner_at(on_face(1, 1));
        for (int e = 0; e < 4; ++e) {
          const Point at_corner = corner_at(on_face(ring[e][0], ring[e][1]));
          // The small leaf behind this corner of the face.
          std::array<int, 3> small = face;
          small[u] += ring[e][0] * side / 4;
          small[v] += ring[e][1] * side / 4;
          small[axis] -= up ? 0 : side / 2;
          const Point apex = centre_of(small, level - 1);
          for (const int neighbour : {(e + 1) % 4, (e + 3) % 4}) {
            const Point half =
                corner_at(on_face((ring[e][0] + ring[neighbour][0]) / 2, (ring[e][1] + ring[neighbour][1]) / 2));
            emit({middle, face_middle, at_corner, half});
            emit({apex, face_middle, at_corner, half});
          }
        }
      }
  };
  const Levels& own = levels_[block.neighbours[13]];
  if (own.three) return visit_leaf({0, 0, 0}, 3);
  for (int two = 0; two < 8; ++two) {
    const std::array<int, 3> low{(two & 1) * 4, (two >> 1 & 1) * 4, (two >> 2) * 4};
    if (own.two >> two & 1) {
      visit_leaf(low, 2);
      continue;
    }
    for (int n = 0; n < 8; ++n) {
      const std::array<int, 3> place{low[0] + (n & 1) * 2, low[1] + (n >> 1 & 1) * 2, low[2] + (n >> 2) * 2};
      if (own.one >> octant(place[0] / 2, place[1] / 2, place[2] / 2, 4) & 1) visit_leaf(place, 1);
    }
  }
}

}  // namespace sinew
