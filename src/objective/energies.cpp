#include "objective/energies.h"

#include <algorithm>

#include "objective/element_terms.h"

namespace sinew {
namespace {

struct OfVertices {
  double kinetic = 0, gravity = 0, loads = 0;
  void operator+=(const OfVertices& o) {
    kinetic += o.kinetic;
    gravity += o.gravity;
    loads += o.loads;
  }
};

double elastic(const Model& model, std::span<const Vec3d> x, ThreadPool& pool) {
  ElementKernel* const kernel = element_kernel_with_lanes(0);
  constexpr int32_t piece = 128;  // elements whose terms are kept on the stack
  double whole = 0;
  for (const ElasticBlock& block : model.blocks) {
    const int32_t count = block.last_tet - block.first_tet;
    whole += ordered_sum<double>(pool, (count + piece - 1) / piece, [&](int64_t k) {
      double energy[piece], det_f[piece];
      const int32_t first = block.first_tet + piece * static_cast<int32_t>(k);
      const int32_t last = std::min(first + piece, block.last_tet);
      kernel({ElementArrays::of(model), &block, x.data(), nullptr, 0, energy, det_f, nullptr}, first, last);
      double sum = 0;
      for (int32_t e = 0; e < last - first; ++e) sum += energy[e];
      return sum;
    });
  }
  return whole;
}

}  // namespace

Energies energies(const Model& model, std::span<const Vec3d> x, std::span<const Vec3d> v,
                  std::span<const double> activation, std::span<const Vec3d> load, ThreadPool& pool) {
  const OfVertices vertices = ordered_sum<OfVertices>(pool, model.slot_count(), [&](int64_t s) {
    if (model.mass[s] == 0) return OfVertices{};
    const Vec3d moved = x[s] - model.rest[s];
    Vec3d force = model.extra_force.empty() ? Vec3d{} : model.extra_force[s];
    if (!load.empty()) force += load[s];
    return OfVertices{model.mass[s] * dot(v[s], v[s]) / 2, -model.mass[s] * dot(model.gravity, moved),
                      -dot(force, moved)};
  });
  const Ties& ties = model.ties;
  const double of_ties = ordered_sum<double>(pool, ties.count(), [&](int64_t k) {
    const auto t = static_cast<int32_t>(k);
    const TieLaw<double>& law = ties.laws[t];
    return tie_energy(law, ties.vector(t, x), law.activation(activation.data()));
  });
  return {vertices.kinetic, elastic(model, x, pool), of_ties, vertices.gravity, vertices.loads};
}

}  // namespace sinew
