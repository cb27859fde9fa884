// The lattice (solver/multilevel/lattice.h) on a device: built on the CPU, copied, and then used without it.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "cuda/device.h"
#include "cuda/lattice_level.h"
#include "cuda/lattice_operations.h"
#include "solver/multilevel/lattice.h"

namespace sinew {

// What `solve` or `slope` found.
struct LatticeReport {
  double promise = 0;   // [J] forces . P u; of `solve`: 0 if the matrix is not finite
  double residual = 0;  // [N] the norm of the forces
};

template <class Real>
class DeviceLattice {
 public:
  // cycles: the most of a solution.
  void prepare(Device& device, const Lattice& lattice, int cycles);
  // What the lattice has found for the step.
  void begin_step(const Lattice& lattice);

  // Takes the matrix that the lattice has computed; the lattice's own structure must be that of `prepare`.
  void take_matrix(const Lattice& lattice);
  bool has_structure_of(const Lattice& lattice) const { return structure_ == lattice.cycle().revision(); }

  // As of Lattice; none of them waits.
  void refresh(const DeviceArray<Vec4<Real>>& x);
  void solve(const DeviceArray<Vec4<Real>>& forces);
  void slope(const DeviceArray<Vec4<Real>>& forces);
  void move(DeviceArray<Vec4<Real>>& x, double scale);
  // The norm of the forces alone.
  void measure(const DeviceArray<Vec4<Real>>& forces);
  // Waits for the last solve, slope or measure.
  LatticeReport report() const;

  Device& device() const { return *device_; }
  Members members() const { return {cells_.data(), slots_.data(), places_.data()}; }
  const int32_t* cell_of_group() const { return cell_of_group_.data(); }
  int64_t cell_count() const { return static_cast<int64_t>(cells_.size()); }
  int64_t group_count() const { return static_cast<int64_t>(cell_of_group_.size()); }
  const Vec4<float>* correction() const { return left_.data(); }
  size_t memory_bytes() const;

 private:
  struct Level {
    DeviceArray<int32_t> entry_begin, upper_begin, column, up_begin, down_begin, sources, child_begin, children;
    DeviceArray<int64_t> source_begin;
    DeviceArray<LatticeCycle::Weight> up, down;
    DeviceArray<uint8_t> octants;
    DeviceArray<float> block, diagonal, inverse;
    DeviceArray<Vec4<float>> b, x, r, cube_matrices;
    int64_t entries = 0, cubes = 0;
    std::vector<int32_t> packed;  // for each entry here, that of the lattice; -1: none
    size_t bytes() const;
  };
  // Operations of a list that are launched as one, or the one that gets a launch of its own.
  struct Segment {
    int32_t first, last;
    bool large;
  };
  struct Program {
    std::vector<LatticeOperation> list;
    std::vector<Segment> segments;
    DeviceArray<LatticeOperation> there;
  };

  void upload_level(const LatticeCycle::Level& from, std::span<const LatticeCycle::Level> all, size_t l);
  void upload_parts(const LatticeCycle& cycle);
  bool is_large(int32_t level) const;
  void write_programs(const LatticeCycle& cycle, int cycles);
  void upload(Program& program);
  void run(const Program& program);
  void invert_parts();
  void restrict_forces(const DeviceArray<Vec4<Real>>& forces);

  Device* device_ = nullptr;
  // The members of each cell, and its rim.
  DeviceArray<CellMembers> cells_;
  DeviceArray<int32_t> slots_, cell_of_group_, rim_begin_, rim_slots_, share_begin_, shares_of_;
  DeviceArray<float> places_, rim_;
  DeviceArray<uint8_t> plane_;
  int64_t lattice_cells_ = 0;  // without groups of vertices that have no lattice

  DeviceArray<float> moments_, ratios_, damping_;
  DeviceArray<Mat3<float>> before_;
  DeviceArray<Glide> glides_;
  DeviceArray<Vec4<Real>> gliding_;  // where these were
  int64_t revision_ = -1, structure_ = -1;

  std::vector<Level> levels_;
  std::vector<LatticeLevel> views_;
  DeviceArray<LatticeLevel> views_there_;
  DeviceArray<DensePart> part_;
  DeviceArray<DenseNode> node_;
  DeviceArray<int32_t> local_;
  DeviceArray<double> inverse_, least_, pivot_;

  DeviceArray<float> lanes_, frames_;
  DeviceArray<Vec4<float>> matrices_, shares_, right_, left_, direction_, image_;
  DeviceArray<double> sums_, squares_;
  DeviceArray<LatticeState> state_;
  LatticeOperations operations_;
  Program solve_, slope_;
};

extern template class DeviceLattice<float>;
extern template class DeviceLattice<double>;

}  // namespace sinew
