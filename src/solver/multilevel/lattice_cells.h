// The cells of the lattice: cubes around the bodies at rest. Each body has its own lattice, fitted to its longest side.
// Vertices of one cube that no edges within it connect get copies of the cube, and corners of two copies become one
// node if an edge of the mesh joins the copies. So an arm can move without the chest that it touches.
//
// A quadratic tet may be as large as a cube, none of whose vertices lie in it where the cube's own faces hold them all.
// So its points of integration have places too, and its vertices belong to cells of points.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "exec/thread_pool.h"
#include "mesh/disjoint_sets.h"
#include "model/model.h"
#include "solver/multilevel/bodies.h"

namespace sinew {

inline constexpr int cell_corners = 8;  // corner k at (k & 1, k >> 1 & 1, k >> 2)
inline constexpr int cell_pairs = cell_corners * (cell_corners + 1) / 2;
constexpr int cell_pair(int a, int b) {  // a >= b
  return a * (a + 1) / 2 + b;
}

// A cube at an integer place, and its nodes.
struct LatticeCube {
  int32_t i, j, k;
  int32_t body;
  std::array<int32_t, cell_corners> node;
};

struct LatticeCells {
  // An element belongs to the cells of all its vertices, or if it is a quadratic tet of its points, in one share per
  // cell.
  struct Share {
    int32_t element;
    float weight;  // of a tet in a cell: the part of its corners, or points, that lie in it
  };
  struct Shares {
    std::vector<int64_t> begin;
    std::vector<Share> items;
    std::span<const Share> of(int32_t cell) const {
      return {items.data() + begin[cell], static_cast<size_t>(begin[cell + 1] - begin[cell])};
    }
  };
  struct Frame {
    Vec3d origin;     // [m] of cube (0, 0, 0) at rest
    double edge = 0;  // [m]
  };
  std::vector<Frame> frames;       // for each body
  std::vector<LatticeCube> cubes;  // for each cell
  std::vector<int32_t> of_slot;    // the cell of each vertex; -1: its body has no lattice, or it has no mass
  Shares tets, ties;               // for each cell; without ties whose ends lie in cells that do not touch
  std::vector<int32_t> far_ties;   // those ties, if any of their ends is in a cell
  int32_t node_count = 0;

  int32_t count() const { return static_cast<int32_t>(cubes.size()); }
  // The place of a point in a cell; coordinates inside are from 0 to 1.
  Vec3d place_in(int32_t cell, Vec3d x) const {
    const LatticeCube& c = cubes[cell];
    const Frame& f = frames[c.body];
    const Vec3d p = (1 / f.edge) * (x - f.origin);
    return {p.x - c.i, p.y - c.j, p.z - c.k};
  }
};

// The trilinear weights N_a at a place in a cell; they sum to 1.
inline std::array<double, cell_corners> trilinear(Vec3d p) {
  std::array<double, cell_corners> n;
  for (int a = 0; a < cell_corners; ++a)
    n[a] = (a & 1 ? p.x : 1 - p.x) * (a & 2 ? p.y : 1 - p.y) * (a & 4 ? p.z : 1 - p.z);
  return n;
}

// Joins the corners of cubes a and b that lie at the same place.
void join_corners(const LatticeCube& p, int32_t a, const LatticeCube& q, int32_t b, DisjointSets& corners);
// Numbers the sets of corners and writes the numbers into the cubes; returns their count.
int32_t number_corners(std::span<LatticeCube> cubes, DisjointSets& corners);

// `spacing`: the edge of a cube in mean distances of vertices. `wanted`: for each body, whether it gets a lattice.
LatticeCells lattice_cells(const Model& model, const Bodies& bodies, std::span<const uint8_t> wanted, double spacing,
                           ThreadPool& pool);

}  // namespace sinew
