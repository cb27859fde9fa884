// The kernels of one lane width. Included by each kernels_*.cpp, which are compiled for different instruction sets.
// What depends on materials is compiled by itself: the sweep by vertex in vertex_kernels_*.cpp, those by constraint in
// a source for each material (constraint_table.h).
#pragma once

#include "solver/by_vertex/contact_kernel.h"
#include "solver/by_vertex/quadratic_pressure.h"
#include "solver/multilevel/lattice_kernel.h"
#include "solver/sweep.h"
#include "solver/ties/tie_kernel.h"

namespace sinew {

// solver/by_vertex/vertex_entry.h
template <class Real, int W>
void vertex_entry(const VertexSweep<Real>& sweep, int64_t first_batch, int64_t last_batch);

#define SINEW_MATERIAL(Type, file) \
  template <class T>               \
  struct Type;
#include "material/materials.def"
#undef SINEW_MATERIAL

// solver/by_constraint/constraint_table.h
template <template <class> class Material, class Real, int W>
struct ConstraintTable {
  static const ConstraintKernels<Real> kernels;
};

// clang warns of what another source defines.
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#endif
template <class Real, int W>
constexpr ConstraintKernelsByMaterial<Real> constraint_kernels() {
  return {
#define SINEW_MATERIAL(Type, file) &ConstraintTable<Type, Real, W>::kernels,
#include "material/materials.def"
#undef SINEW_MATERIAL
  };
}
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

template <class Real, int W>
void ties_entry(const VertexSweep<Real>& sweep, int64_t first, int64_t last) {
  tie_kernel::sum_packs<Lane<Real, W>>(sweep, first, last);
}

template <class Real, int W>
void contacts_entry(const VertexSweep<Real>& sweep, const ContactEnds<Real>& ends, int32_t first, int32_t last) {
  contact_kernel::add_ends<Lane<Real, W>>(sweep, ends, first, last);
}

template <class Real, int W>
void pressures_entry(const PressureUpdate<Real>& update, int64_t first, int64_t last) {
  update_pressures<Lane<Real, W>>(update, first, last);
}

template <int float_lanes, int double_lanes>
constexpr Kernels kernel_table(const char* name) {
  return {.name = name,
          .float_lanes = float_lanes,
          .double_lanes = double_lanes,
          .ties_float = ties_entry<float, float_lanes>,
          .ties_double = ties_entry<double, double_lanes>,
          .contacts_float = contacts_entry<float, float_lanes>,
          .contacts_double = contacts_entry<double, double_lanes>,
          .vertex_float = vertex_entry<float, float_lanes>,
          .vertex_double = vertex_entry<double, double_lanes>,
          .pressures_float = pressures_entry<float, float_lanes>,
          .pressures_double = pressures_entry<double, double_lanes>,
          .constraint_float = constraint_kernels<float, float_lanes>(),
          .constraint_double = constraint_kernels<double, double_lanes>(),
          .lattice = lattice_kernel::lattice_kernels<float_lanes>()};
}

}  // namespace sinew
