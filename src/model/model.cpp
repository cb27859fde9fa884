#include "model/model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/format.h"
#include "element/tet.h"

namespace sinew {
namespace {

Status check(const ModelInput& input) {
  const TetMesh& mesh = *input.mesh;
  const auto vertex_count = static_cast<int32_t>(mesh.vertices.size());
  for (size_t e = 0; e < mesh.tets.size(); ++e) {
    for (const int32_t v : mesh.tets[e]) {
      if (v < 0 || v >= vertex_count) {
        return Error{format("tet %zu", e), format("vertex %d is not in 0..%d", v, vertex_count - 1), "mend the mesh"};
      }
    }
    const Tet t = mesh.tets[e];
    const auto x = [&](int k) { return mesh.vertices[t[k]]; };
    const double det = dot(x(1) - x(0), cross(x(2) - x(0), x(3) - x(0)));
    if (!(det > 0) || !std::isfinite(det)) {
      return Error{format("tet %zu", e), format("volume %g m^3 is not positive", det / 6), "mend the mesh"};
    }
    const int32_t b = input.block_of_tet[e];
    if (b < 0 || b >= static_cast<int32_t>(input.blocks.size())) {
      return Error{format("tet %zu", e), "has no material", "give its region or object one"};
    }
    const double factor = input.stiffness_factor.empty() ? 1 : input.stiffness_factor[e];
    if (!(factor > 0) || !std::isfinite(factor)) {
      return Error{format("tet %zu", e), format("its stiffness factor %g is not positive", factor), "use 1 for none"};
    }
  }
  return {};
}

// 0 .. count-1 in the order of their keys, which lie in [0, keys); equal ones in that of `order`.
template <class Key>
std::vector<int32_t> counting_sort(const std::vector<int32_t>& order, size_t keys, const Key& key) {
  std::vector<int32_t> next(keys + 1, 0);
  for (const int32_t e : order) ++next[key(e) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<int32_t> sorted(order.size());
  for (const int32_t e : order) sorted[next[key(e)]++] = e;
  return sorted;
}

// Tets by block, then by their first slot: side by side where their vertices are.
void order_tets(const ModelInput& input, Model& model) {
  const TetMesh& mesh = *input.mesh;
  const auto slot = [&](int32_t v) { return static_cast<int32_t>(model.order.slot(UserVertex{v})); };
  const auto first_slot = [&](int32_t e) {
    const Tet& t = mesh.tets[e];
    return std::min({slot(t[0]), slot(t[1]), slot(t[2]), slot(t[3])});
  };
  const auto block = [&](int32_t e) { return input.block_of_tet[e]; };
  model.user_tet.resize(mesh.tets.size());
  std::iota(model.user_tet.begin(), model.user_tet.end(), 0);
  model.user_tet = counting_sort(model.user_tet, static_cast<size_t>(model.slot_count()), first_slot);
  model.user_tet = counting_sort(model.user_tet, input.blocks.size(), block);
  model.tets.resize(mesh.tets.size());
  for (size_t e = 0; e < model.tets.size(); ++e) {
    const Tet& t = mesh.tets[model.user_tet[e]];
    for (int k = 0; k < 4; ++k) model.tets[e][k] = slot(t[k]);
  }

  model.blocks = input.blocks;
  int32_t tet = 0;
  for (size_t b = 0; b < model.blocks.size(); ++b) {
    model.blocks[b].first_tet = tet;
    while (tet < static_cast<int32_t>(model.tets.size()) && block(model.user_tet[tet]) == static_cast<int32_t>(b)) {
      ++tet;
    }
    model.blocks[b].last_tet = tet;
  }
}

// Factors by tets of the model. Where a block has the same one throughout, its parameters take it.
void scale_stiffness(const ModelInput& input, Model& model) {
  if (input.stiffness_factor.empty()) return;
  std::vector<double>& factor = model.stiffness_factor;
  factor.resize(model.tets.size());
  for (size_t e = 0; e < factor.size(); ++e) factor[e] = input.stiffness_factor[model.user_tet[e]];
  bool any = false;
  for (ElasticBlock& block : model.blocks) {
    if (block.first_tet == block.last_tet) continue;
    const double first = factor[block.first_tet];
    const auto begin = factor.begin() + block.first_tet, end = factor.begin() + block.last_tet;
    if (std::any_of(begin, end, [&](double f) { return f != first; })) {
      any = true;
      continue;
    }
    block.lame.mu *= first;
    block.lame.lambda *= first;
    std::fill(begin, end, 1.0);
  }
  if (!any) factor = std::vector<double>();
}

void distribute_mass(const ModelInput& input, Model& model) {
  model.mass.assign(static_cast<size_t>(model.slot_count()), 0);
  for (size_t b = 0; b < model.blocks.size(); ++b) {
    for (int32_t e = model.blocks[b].first_tet; e < model.blocks[b].last_tet; ++e) {
      const Tet& t = model.tets[e];
      const auto x = [&](int k) { return model.rest[t[k]]; };
      const double volume = tet_rest(x(1) - x(0), x(2) - x(0), x(3) - x(0)).volume;
      for (const int32_t s : t) model.mass[s] += input.density_of_block[b] * volume / 4;
    }
  }
}

}  // namespace

size_t Model::memory_bytes() const {
  return rest.capacity() * sizeof(Vec3d) + mass.capacity() * sizeof(double) + extra_force.capacity() * sizeof(Vec3d) +
         tets.capacity() * sizeof(Tet) + stiffness_factor.capacity() * sizeof(double) +
         user_tet.capacity() * sizeof(int32_t) + 2 * static_cast<size_t>(slot_count()) * sizeof(int32_t) +
         clusters.memory_bytes();
}

bool Model::has_stiffness_factors(const ElasticBlock& block) const {
  if (stiffness_factor.empty()) return false;
  return std::any_of(stiffness_factor.begin() + block.first_tet, stiffness_factor.begin() + block.last_tet,
                     [](double f) { return f != 1; });
}

Result<Model> compile_model(const ModelInput& input) {
  if (Status status = check(input); !status.ok()) return status.error();
  const TetMesh& mesh = *input.mesh;
  Model model;
  model.damping_form = input.damping_form;
  Result<SweepOrder> order = sweep_order(mesh, input.cluster_vertices);
  if (!order) return order.error();
  model.order = std::move(order->vertices);
  model.color_begin = std::move(order->color_begin);
  model.clusters = std::move(order->clusters);
  model.color_count = order->color_count;
  // Padding lies on the first vertex: inside the scene's bounds, and finite.
  model.rest = model.order.to_slots(mesh.vertices, mesh.vertices.empty() ? Vec3d{} : mesh.vertices[0]);
  order_tets(input, model);
  scale_stiffness(input, model);
  distribute_mass(input, model);
  model.gravity = input.gravity;
  if (!input.extra_force.empty()) model.extra_force = model.order.to_slots(input.extra_force, Vec3d{});
  return model;
}

std::vector<Tet> user_tets(const Model& model) {
  std::vector<Tet> tets(model.tets.size());
  for (size_t e = 0; e < tets.size(); ++e)
    for (size_t k = 0; k < 4; ++k)
      tets[model.user_tet[e]][k] = static_cast<int32_t>(model.order.vertex(Slot{model.tets[e][k]}));
  return tets;
}

State rest_state(const Model& model) {
  State state;
  state.x = model.rest;
  state.v.assign(model.rest.size(), Vec3d{});
  state.fall.assign(model.rest.size(), 1);
  return state;
}

}  // namespace sinew
