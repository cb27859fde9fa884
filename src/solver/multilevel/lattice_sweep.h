// What the kernels of the lattice read and write (lattice_kernel.h). The members of a cell, its vertices, lie side by
// side in groups, the last one padded; what is kept of them lies likewise.
#pragma once

#include <array>
#include <cstdint>

#include "math/lane.h"
#include "solver/multilevel/lattice_moments.h"

namespace sinew {

// So many members, and so many entries of a cell's rim, make a group, whatever the lanes: sums are taken lane by lane,
// then over the lanes, in one order for all widths.
inline constexpr int member_group = 16;
// So many nodes of one colour are treated at once.
inline constexpr int node_group = 8;

struct CellMembers {
  std::array<int32_t, cell_corners> node;  // or -1: vertices that have no lattice
  int32_t first_group, count;
};

struct Members {
  const CellMembers* cells = nullptr;
  const int32_t* slot = nullptr;  // groups x 16; the padding repeats the last
  const float* place = nullptr;   // groups x 4 x 16: the place in the cell, and 1; of the padding 0
};

// shares = P^T forces, cell by cell.
template <class Real>
struct RestrictSweep {
  Members members;
  const Vec4<Real>* forces = nullptr;  // by slot [N]; 0 at held vertices
  Vec4<float>* shares = nullptr;       // cells x 8
};

// x += scale P u at vertices that are free.
template <class Real>
struct ProlongSweep {
  Members members;
  const Vec4<float>* u = nullptr;  // by node [m]
  float scale = 1;
  Vec4<Real>* x = nullptr;  // by slot; w = 1/m, 0: held
};

// What the mixing of iterations (mixing.h) sums over all members.
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

// change := x + P u - from, and what it differs from the change before; by members.
template <class Real>
struct ChangeSweep {
  Members members;
  const Vec4<float>* u = nullptr;  // null: x has moved already
  const Vec4<Real>* x = nullptr;   // by slot
  const Real* from = nullptr;      // groups x 4 x 16: the iterate before, and w
  float* change = nullptr;         // groups x 3 x 16 [m]
  bool has_last = false;           // `change` holds that of the iteration before
  bool has_other = false;          // and `other` is there
  float* step = nullptr;           // groups x 3 x 16: the difference of the last two changes
  const float* other = nullptr;    // the one before
  MixingSums* sums = nullptr;      // of each cell
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
  const float* image_last = nullptr;  // the one before. The one before that was where `image` is
  float last[2] = {0, 0}, now[2] = {0, 0};
};

// The mean deformation gradient of cells, sum x_i b_i^T over the rim: the vertices on the boundary of their tets.
template <class Real>
struct DeformationSweep {
  const int32_t* rim_begin = nullptr;  // groups of each cell
  const int32_t* slot = nullptr;       // groups x 16; the padding repeats the first
  const float* b = nullptr;            // groups x 3 x 16 [1/m]; of the padding 0
  const Vec4<Real>* x = nullptr;       // by slot
  const uint8_t* plane = nullptr;      // of each cell: its elements are triangles, F = [F2 0; 0 1]
  float* f = nullptr;                  // groups of cells x 9 x 16, by columns; of cells without tets the identity
};

// The matrices of cells, at their F.
struct CellMatrixSweep {
  const float* f = nullptr;
  const float* moments = nullptr;
  const float* ratios = nullptr;  // the least lambda / mu of each cell
  Vec4<float>* matrix = nullptr;  // cells x 36 x 3 columns; room for whole groups of cells
};

// A x = b on one level of the lattice, in groups of nodes of one colour. Row entries are other nodes: those of lower
// colours, then those of higher ones.
struct NodeRows {
  const int32_t* entry_begin = nullptr;  // of each group
  const int32_t* upper_begin = nullptr;  // of each group
  const int32_t* column = nullptr;       // entries x 8; the padding is of the node itself
  const float* block = nullptr;          // entries x 9 x 8, by columns; of the padding 0
  const float* diagonal = nullptr;       // groups x 9 x 8
  const float* inverse = nullptr;        // of the diagonal, likewise
  const Vec4<float>* b = nullptr;
  Vec4<float>* x = nullptr;
  Vec4<float>* r = nullptr;
};
// forward from zero: x = D^-1 (b - L x), where x was 0 before;
// residual from zero: r = -U x, which is b - A x after that;
// forward, backward: x = D^-1 (b - L x - U x), by colours one way or the other;
// product: r = A x.
enum class RowPass { forward_from_zero, residual_from_zero, forward, backward, product };

// In both precisions of positions.
template <template <class> class Sweep>
struct LatticeKernel {
  void (*in_float)(const Sweep<float>&, int64_t first, int64_t last);
  void (*in_double)(const Sweep<double>&, int64_t first, int64_t last);

  void operator()(const Sweep<float>& s, int64_t first, int64_t last) const { in_float(s, first, last); }
  void operator()(const Sweep<double>& s, int64_t first, int64_t last) const { in_double(s, first, last); }
};

// Over cells [first, last); of matrices over groups of cells, of rows over groups of nodes.
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
