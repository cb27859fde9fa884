// What the kernels of the lattice (lattice_kernel.h) read and write. The members of a cell, its vertices, are stored in
// groups, the last of which is padded; their data is stored likewise.
#pragma once

#include <array>
#include <cstdint>

#include "math/lane.h"
#include "solver/multilevel/lattice_moments.h"

namespace sinew {

// Number of members, or of entries of a cell's rim, in a group, for any lane width. Sums are computed lane by lane,
// then over the lanes, in the same order for all widths.
inline constexpr int member_group = 16;
// Number of nodes of one colour that are processed at once.
inline constexpr int node_group = 8;

struct CellMembers {
  std::array<int32_t, cell_corners> node;  // -1: these vertices have no lattice
  int32_t first_group, count;
};

struct Members {
  const CellMembers* cells = nullptr;
  const int32_t* slot = nullptr;  // groups x 16; the padding repeats the last slot
  const float* place = nullptr;   // groups x 4 x 16: the place in the cell, and 1; 0 in the padding
};

// shares = P^T forces, cell by cell.
template <class Real>
struct RestrictSweep {
  Members members;
  const Vec4<Real>* forces = nullptr;  // by slot [N]; 0 at held vertices
  Vec4<float>* shares = nullptr;       // cells x 8
};

// x += scale P u at free vertices.
template <class Real>
struct ProlongSweep {
  Members members;
  const Vec4<float>* u = nullptr;  // by node [m]
  float scale = 1;
  Vec4<Real>* x = nullptr;  // by slot; w = 1/m; 0 if held
};

// The sums over all members that the mixing of iterations (mixing.h) needs.
struct MixingSums {
  double change = 0, step = 0, other = 0, right = 0, other_right = 0;
  void operator+=(const MixingSums& o) {
    change += o.change;
    step += o.step;
    other += o.other;
    right += o.right;
    other_right += o.other_right;
  }
};

// change := x + P u - from, and its difference from the previous change; by members.
template <class Real>
struct ChangeSweep {
  Members members;
  const Vec4<float>* u = nullptr;  // null: x contains P u already
  const Vec4<Real>* x = nullptr;   // by slot
  const Real* from = nullptr;      // groups x 4 x 16: the previous iterate, and w
  float* change = nullptr;         // groups x 3 x 16 [m]
  bool has_last = false;           // `change` holds that of the previous iteration
  bool has_other = false;          // `other` holds a difference
  float* step = nullptr;           // groups x 3 x 16: the difference of the last two changes
  const float* other = nullptr;    // the previous difference
  MixingSums* sums = nullptr;      // for each cell
};

// image := change - last[0] image_last - last[1] image;  x = next := from + change - now[0] image - now[1] image_last.
template <class Real>
struct MixSweep {
  Members members;
  Vec4<Real>* x = nullptr;  // by slot
  const Real* from = nullptr;
  Real* next = nullptr;  // as `from`
  const float* change = nullptr;
  bool has_last = false, mixes = false;
  float* image = nullptr;             // groups x 3 x 16: the difference of the last two images
  const float* image_last = nullptr;  // the previous one; the one before that was stored in `image`
  float last[2] = {0, 0}, now[2] = {0, 0};
};

// The mean deformation gradient of cells, sum x_i b_i^T over the rim: the vertices on the boundary of their tets.
template <class Real>
struct DeformationSweep {
  const int32_t* rim_begin = nullptr;  // groups of each cell
  const int32_t* slot = nullptr;       // groups x 16; the padding repeats the first slot
  const float* b = nullptr;            // groups x 3 x 16 [1/m]; 0 in the padding
  const Vec4<Real>* x = nullptr;       // by slot
  const uint8_t* plane = nullptr;      // for each cell: whether its elements are triangles, F = [F2 0; 0 1]
  float* f = nullptr;                  // groups of cells x 9 x 16, by columns; the identity for cells without tets
};

// The matrices of cells at their F.
struct CellMatrixSweep {
  const float* f = nullptr;
  const float* moments = nullptr;
  const float* ratios = nullptr;  // the least lambda / mu of each cell
  Vec4<float>* matrix = nullptr;  // cells x 36 x 3 columns; with room for whole groups of cells
};

// A x = b on one level of the lattice, in groups of nodes of one colour. The entries of a row are the other nodes:
// those of lower colours, then those of higher ones.
struct NodeRows {
  const int32_t* entry_begin = nullptr;  // of each group
  const int32_t* upper_begin = nullptr;  // of each group
  const int32_t* column = nullptr;       // entries x 8; the padding refers to the node itself
  const float* block = nullptr;          // entries x 9 x 8, by columns; 0 in the padding
  const float* diagonal = nullptr;       // groups x 9 x 8
  const float* inverse = nullptr;        // of the diagonal, in the same layout
  const Vec4<float>* b = nullptr;
  Vec4<float>* x = nullptr;
  Vec4<float>* r = nullptr;
};
// forward from zero:   x = D^-1 (b - L x), where x was 0 before
// residual from zero:  r = -U x, which then equals b - A x
// forward, backward:   x = D^-1 (b - L x - U x), by ascending or descending colours
// product:             r = A x
enum class RowPass { forward_from_zero, residual_from_zero, forward, backward, product };

// A kernel in both precisions of positions.
template <template <class> class Sweep>
struct LatticeKernel {
  void (*in_float)(const Sweep<float>&, int64_t first, int64_t last);
  void (*in_double)(const Sweep<double>&, int64_t first, int64_t last);

  void operator()(const Sweep<float>& s, int64_t first, int64_t last) const { in_float(s, first, last); }
  void operator()(const Sweep<double>& s, int64_t first, int64_t last) const { in_double(s, first, last); }
};

// Kernels over cells [first, last); those of matrices over groups of cells, those of rows over groups of nodes.
struct LatticeKernels {
  LatticeKernel<RestrictSweep> restrict;
  LatticeKernel<ProlongSweep> prolong;
  LatticeKernel<ChangeSweep> change;
  LatticeKernel<MixSweep> mix;
  LatticeKernel<DeformationSweep> deformation;
  void (*matrices)(const CellMatrixSweep&, int64_t first, int64_t last);
  void (*rows)(const NodeRows&, RowPass, int64_t first, int64_t last);
};

}  // namespace sinew
