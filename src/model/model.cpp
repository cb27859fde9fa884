#include "model/model.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>

#include "base/format.h"
#include "exec/counting_sort.h"
#include "mesh/coloring.h"
#include "mesh/space_filling.h"
#include "model/rest_shape.h"

namespace sinew {
namespace {

// The lowest number in [0, count) that is faulty, or count.
template <class Faulty>
int64_t first_fault(ThreadPool& pool, int64_t count, const Faulty& faulty) {
  std::mutex mutex;
  int64_t lowest = count;
  pool.parallel_for(count, 1 << 14, [&](int64_t first, int64_t last) {
    for (int64_t k = first; k < last; ++k) {
      if (!faulty(static_cast<size_t>(k))) continue;
      std::lock_guard lock(mutex);
      lowest = std::min(lowest, k);
      return;
    }
  });
  return lowest;
}

bool fits(const Tet& t, const ElasticBlock& block) {
  return traits_of(element_kind(t)).dimension == block.material.lame.dimension;
}

// Checks each tet except for its volume.
Status check(const ModelInput& input, ThreadPool& pool) {
  const TetMesh& mesh = *input.mesh;
  const auto vertices = static_cast<uint32_t>(mesh.vertices.size());
  const auto blocks = static_cast<uint32_t>(input.blocks.size());
  const auto factor_of = [&](size_t e) { return input.stiffness_factor.empty() ? 1 : input.stiffness_factor[e]; };
  const auto is_positive = [](double factor) { return factor > 0 && std::isfinite(factor); };
  const auto count = static_cast<int64_t>(mesh.tets.size());
  // All or none of the middles, as the first tet of the block has them, and inside the mesh.
  std::vector<int8_t> block_is_quadratic(input.blocks.size(), -1);
  const auto has_middles = [&](size_t e) { return !mesh.middles.empty() && mesh.middles[e][0] != no_middle; };
  for (size_t e = 0; e < mesh.tets.size() && !mesh.middles.empty(); ++e) {
    const auto b = static_cast<uint32_t>(input.block_of_tet[e]);
    if (b < blocks && block_is_quadratic[b] < 0) block_is_quadratic[b] = has_middles(e) ? 1 : 0;
  }
  const auto middles_fit = [&](size_t e) {
    if (mesh.middles.empty()) return true;
    const auto b = static_cast<uint32_t>(input.block_of_tet[e]);
    if (b < blocks && has_middles(e) != (block_is_quadratic[b] == 1)) return false;
    return std::all_of(mesh.middles[e].begin(), mesh.middles[e].end(), [&](int32_t v) {
      return has_middles(e) ? static_cast<uint32_t>(v) < vertices : v == no_middle;
    });
  };
  const int64_t fault = first_fault(pool, count, [&](size_t e) {
    const Tet& t = mesh.tets[e];
    const auto out = [&](int32_t v) { return static_cast<uint32_t>(v) >= vertices; };
    return out(t[0]) || out(t[1]) || out(t[2]) || (out(t[3]) && !is_triangle(t)) ||
           static_cast<uint32_t>(input.block_of_tet[e]) >= blocks || !fits(t, input.blocks[input.block_of_tet[e]]) ||
           !is_positive(factor_of(e)) || !middles_fit(e);
  });
  if (fault == count) return {};
  const auto e = static_cast<size_t>(fault);
  const bool has_block = static_cast<uint32_t>(input.block_of_tet[e]) < blocks;
  if (!middles_fit(e)) {
    return Error{format("tet %zu", e), "has middles in a block of linear tets, or none in one of quadratic tets",
                 "give quadratic tets blocks of their own"};
  }
  for (size_t k = 0; k < 4; ++k) {
    const int32_t v = mesh.tets[e][k];
    const bool is_left_out =
        k == 3 && v == no_corner && has_block && input.blocks[input.block_of_tet[e]].material.lame.dimension == 2;
    if (static_cast<uint32_t>(v) < vertices || is_left_out) continue;
    return Error{format("tet %zu", e), format("vertex %d is not in 0..%d", v, static_cast<int32_t>(vertices) - 1),
                 "repair the mesh"};
  }
  if (!has_block) {
    return Error{format("tet %zu", e), "has no material", "give its region or object one"};
  }
  if (!fits(mesh.tets[e], input.blocks[input.block_of_tet[e]])) {
    return Error{format("tet %zu", e), "is in a block of the other dimension", "give triangles blocks of their own"};
  }
  return Error{format("tet %zu", e), format("its stiffness factor %g is not positive", factor_of(e)), "use 1 for none"};
}

// Sweeps walk around the edge of a middle.
Status check_middles(const TetMesh& mesh) {
  std::vector<std::array<int32_t, 2>> ends(mesh.middles.empty() ? 0 : mesh.vertices.size(), {-1, -1});
  for (size_t e = 0; e < mesh.middles.size(); ++e) {
    if (mesh.middles[e][0] == no_middle) continue;
    for (size_t k = 0; k < 6; ++k) {
      const int32_t a = mesh.tets[e][edge_ends[k][0]], b = mesh.tets[e][edge_ends[k][1]], v = mesh.middles[e][k];
      const std::array<int32_t, 2> edge = {std::min(a, b), std::max(a, b)};
      std::array<int32_t, 2>& known = ends[static_cast<size_t>(v)];
      if (known[0] < 0) known = edge;
      if (known == edge) continue;
      return Error{
          format("tet %zu", e),
          format("vertex %d is the middle of %d-%d, and of %d-%d elsewhere", v, edge[0], edge[1], known[0], known[1]),
          "give each edge a middle of its own, as add_middles does"};
    }
  }
  return {};
}

Status check_point_masses(const ModelInput& input) {
  for (size_t v = 0; v < input.point_mass.size(); ++v) {
    if (input.point_mass[v] >= 0 && std::isfinite(input.point_mass[v])) continue;
    return Error{format("vertex %zu", v), format("its point mass %g kg is negative or not finite", input.point_mass[v]),
                 "use 0 for none"};
  }
  return {};
}

Status check_muscles(const std::vector<Activation>& muscles) {
  for (size_t m = 0; m < muscles.size(); ++m) {
    const auto& [times, values] = muscles[m];
    const auto fault = [&](const char* what) {
      return Error{format("muscle %zu", m), what, "give ascending times and as many values from 0 to 1"};
    };
    if (times.empty() || times.size() != values.size()) return fault("not as many times as values of its activation");
    for (size_t k = 0; k < times.size(); ++k) {
      if (!(values[k] >= 0 && values[k] <= 1)) return fault("an activation outside 0 to 1");
      if (!std::isfinite(times[k]) || (k > 0 && !(times[k] > times[k - 1]))) return fault("its times do not ascend");
    }
  }
  return {};
}

// The element with other vertices: place(v) for v.
template <class Place>
Tet moved_to(Tet t, const Place& place) {
  for (size_t k = 0; k < corner_count(t); ++k) t[k] = place(t[k]);
  return t;
}

// Sorts tets by block, then by their first place on the curve, so that they are stored near their vertices. place[v] on
// the curve also replaces vertex v in them until there are slots.
void order_tets(const ModelInput& input, const std::vector<int32_t>& place, Model& model, ThreadPool& pool) {
  const TetMesh& mesh = *input.mesh;
  const auto count = static_cast<int64_t>(mesh.tets.size());
  const auto first_place = [&](int64_t e) {
    int32_t first = place[mesh.tets[e][0]];
    for (const int32_t v : corners_of(mesh.tets[e])) first = std::min(first, place[v]);
    return first;
  };
  std::vector<int64_t> begin;
  counting_sort(pool, count, place.size(), first_place, begin, model.user_tet);
  const std::vector<int32_t>& blocks = input.block_of_tet;
  if (input.blocks.size() > 1) {
    std::vector<int32_t> order;
    const auto block = [&](int64_t k) { return blocks[model.user_tet[k]]; };
    counting_sort(pool, count, input.blocks.size(), block, begin, order);
    pool.for_each(count, [&](size_t k) { order[k] = model.user_tet[order[k]]; });
    model.user_tet = std::move(order);
  } else {
    begin = {0, count};
  }
  model.tets.resize(mesh.tets.size());
  pool.for_each(count, [&](size_t e) {
    model.tets[e] = moved_to(mesh.tets[model.user_tet[e]], [&](int32_t v) { return place[v]; });
  });
  if (!mesh.middles.empty()) {
    model.middles.resize(mesh.tets.size());
    pool.for_each(count, [&](size_t e) {
      model.middles[e] = mesh.middles[model.user_tet[e]];
      for (int32_t& v : model.middles[e])
        if (v != no_middle) v = place[v];
    });
  }
  model.blocks = input.blocks;
  for (size_t b = 0; b < model.blocks.size(); ++b) {
    model.blocks[b].first_tet = static_cast<int32_t>(begin[b]);
    model.blocks[b].last_tet = static_cast<int32_t>(begin[b + 1]);
    if (begin[b] < begin[b + 1])
      model.blocks[b].element = model.is_quadratic(static_cast<int32_t>(begin[b])) ? ElementKind::QuadraticTetrahedron
                                                                                   : element_kind(model.tets[begin[b]]);
  }
}

// Masses by place on the curve. Errors: a volume that is not positive.
Result<std::vector<double>> masses(const ModelInput& input, const Model& model, const Incidence& incidence,
                                   const std::vector<int32_t>& curve, ThreadPool& pool) {
  const TetMesh& mesh = *input.mesh;
  std::vector<Vec3d> rest(curve.size());
  pool.for_each(static_cast<int64_t>(curve.size()), [&](size_t v) { rest[v] = mesh.vertices[curve[v]]; });
  std::vector<double> share(model.tets.size());  // that each corner has of the element's mass
  std::atomic<bool> sound{true};
  for (size_t b = 0; b < model.blocks.size(); ++b) {
    const ElasticBlock& block = model.blocks[b];
    pool.for_each(block.last_tet - block.first_tet, [&](size_t k) {
      const size_t e = block.first_tet + k;
      const double volume = volume_of(rest, model.tets[e]);
      if (!(volume > 0) || !std::isfinite(volume)) sound = false;
      const double of_whole =
          block.quadratic() ? QuadraticTetrahedron::corner_mass : 1.0 / traits_of(block.element).corners;
      share[e] = input.density_of_block[b] * volume * of_whole;
    });
  }
  if (!sound) {
    // Report the first fault in the user's order.
    size_t fault = model.tets.size(), at = 0;
    for (size_t e = 0; e < model.tets.size(); ++e) {
      const double volume = volume_of(rest, model.tets[e]);
      if ((volume > 0 && std::isfinite(volume)) || static_cast<size_t>(model.user_tet[e]) > fault) continue;
      fault = static_cast<size_t>(model.user_tet[e]);
      at = e;
    }
    return Error{format("tet %zu", fault), format("volume %g m^3 is not positive", volume_of(rest, model.tets[at])),
                 "repair the mesh"};
  }
  std::vector<double> mass(curve.size());
  pool.for_each(static_cast<int64_t>(curve.size()), [&](size_t v) {
    double sum = 0;
    for (int64_t k = incidence.begin[v]; k < incidence.begin[v + 1]; ++k) sum += share[incidence.entries[k] >> 2];
    mass[v] = input.point_mass.empty() ? sum : sum + input.point_mass[curve[v]];
  });
  for (const ElasticBlock& block : model.blocks) {
    if (!block.quadratic()) continue;
    constexpr double of_corner = QuadraticTetrahedron::middle_mass / QuadraticTetrahedron::corner_mass;
    for (int32_t e = block.first_tet; e < block.last_tet; ++e)
      for (const int32_t v : model.middles[e]) mass[v] += of_corner * share[e];
  }
  return mass;
}

// Each two of ten nodes are in one of these, or both are corners.
constexpr std::array<std::array<size_t, 4>, 8> node_quadruples = {
    {{3, 5, 6, 8}, {3, 4, 7, 9}, {1, 2, 6, 7}, {1, 4, 5, 8}, {0, 4, 6, 9}, {0, 5, 7, 8}, {2, 5, 8, 9}, {1, 2, 4, 9}}};

// The vertices of a tie, and the nodes of a quadratic tet, are kept apart like the corners of a tet.
Result<StorageOrder> order_for_sweeps(const Model& model, const Incidence& incidence, const std::vector<int32_t>& curve,
                                      int32_t cluster_vertices, ThreadPool& pool) {
  if (model.ties.empty() && model.middles.empty())
    return storage_order(model.tets, incidence, curve, cluster_vertices, pool);
  std::vector<Tet> all = tets_over(model.ties);
  for (int32_t e = 0; e < static_cast<int32_t>(model.middles.size()); ++e) {
    if (!model.is_quadratic(e)) continue;
    const ElementNodes nodes = model.nodes_of(e);
    for (const auto& [a, b, c, d] : node_quadruples) all.push_back({nodes[a], nodes[b], nodes[c], nodes[d]});
  }
  all.insert(all.begin(), model.tets.begin(), model.tets.end());
  return storage_order(all, incidence_of(all, curve.size(), pool), curve, cluster_vertices, pool);
}

int32_t slot_at(const Model& model, const std::vector<int32_t>& curve, size_t place) {
  return static_cast<int32_t>(model.order.slot(UserVertex{curve[place]}));
}

// The vertices of blocks on the grid.
void find_embedded(const ModelInput& input, Model& model) {
  std::vector<uint8_t> embedded(static_cast<size_t>(model.slot_count()), 0);
  for (const ElasticBlock& block : model.blocks) {
    if (!block.on_grid) continue;
    for (int32_t e = block.first_tet; e < block.last_tet; ++e)
      for (const int32_t s : model.tets[static_cast<size_t>(e)])
        if (s != no_corner) embedded[static_cast<size_t>(s)] = 1;
  }
  model.grid.spacing = input.grid_spacing;
  for (int32_t s = 0; s < model.slot_count(); ++s)
    if (embedded[static_cast<size_t>(s)]) model.grid.slots.push_back(s);
}

// Stores factors by tets of the model. If they are constant in a block, its parameters absorb the factor.
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
    block.material = scaled(block.material, first);
    block.stiffness_factor = first;
    std::fill(begin, end, 1.0);
  }
  if (!any) factor = std::vector<double>();
}

}  // namespace

size_t Model::memory_bytes() const {
  return rest.capacity() * sizeof(Vec3d) + mass.capacity() * sizeof(double) + extra_force.capacity() * sizeof(Vec3d) +
         tets.capacity() * sizeof(Tet) + middles.capacity() * sizeof(Middles) +
         stiffness_factor.capacity() * sizeof(double) + user_tet.capacity() * sizeof(int32_t) +
         2 * static_cast<size_t>(slot_count()) * sizeof(int32_t) + clusters.memory_bytes() + ties.memory_bytes();
}

bool Model::is_damped() const {
  return std::any_of(blocks.begin(), blocks.end(), [](const ElasticBlock& b) { return b.damping > 0; }) ||
         std::any_of(ties.laws.begin(), ties.laws.end(), [](const TieLaw<double>& law) { return law.damping > 0; });
}

bool Model::has_stiffness_factors(const ElasticBlock& block) const {
  if (stiffness_factor.empty()) return false;
  return std::any_of(stiffness_factor.begin() + block.first_tet, stiffness_factor.begin() + block.last_tet,
                     [](double f) { return f != 1; });
}

// All stages run along the space-filling curve, whatever the user's order: a random order would cost several times as
// much.
Result<Model> compile_model(const ModelInput& input, ThreadPool& pool) {
  if (Status status = check(input, pool); !status.ok()) return status.error();
  const TetMesh& mesh = *input.mesh;
  if (Status status = check_middles(mesh); !status.ok()) return status.error();
  if (Status status = check_ties(input.ties, mesh.vertices.size(), input.muscles.size()); !status.ok())
    return status.error();
  if (Status status = check_point_masses(input); !status.ok()) return status.error();
  if (Status status = check_muscles(input.muscles); !status.ok()) return status.error();

  const auto vertices = static_cast<int64_t>(mesh.vertices.size());
  Model model;
  model.damping_form = input.damping_form;
  const std::vector<int32_t> curve = space_filling_order(mesh.vertices, pool);
  {
    std::vector<int32_t> place(mesh.vertices.size());
    pool.for_each(vertices, [&](size_t v) { place[curve[v]] = static_cast<int32_t>(v); });
    order_tets(input, place, model, pool);
    model.ties = input.ties;
    model.muscles = input.muscles;
    for (int32_t& v : model.ties.vertices) v = place[v];
  }
  {
    const Incidence incidence = incidence_of(model.tets, mesh.vertices.size(), pool);
    Result<std::vector<double>> mass = masses(input, model, incidence, curve, pool);
    if (!mass) return mass.error();
    Result<StorageOrder> order = order_for_sweeps(model, incidence, curve, input.cluster_vertices, pool);
    if (!order) return order.error();
    model.order = std::move(order->vertices);
    model.color_begin = std::move(order->color_begin);
    model.clusters = std::move(order->clusters);
    model.color_count = order->color_count;
    model.mass.assign(static_cast<size_t>(model.slot_count()), 0);
    pool.for_each(vertices, [&](size_t v) { model.mass[slot_at(model, curve, v)] = (*mass)[v]; });
  }
  pool.for_each(static_cast<int64_t>(model.tets.size()), [&](size_t e) {
    model.tets[e] = moved_to(model.tets[e], [&](int32_t v) { return slot_at(model, curve, static_cast<size_t>(v)); });
  });
  pool.for_each(static_cast<int64_t>(model.middles.size()), [&](size_t e) {
    for (int32_t& v : model.middles[e])
      if (v != no_middle) v = slot_at(model, curve, static_cast<size_t>(v));
  });
  for (int32_t& v : model.ties.vertices) v = slot_at(model, curve, static_cast<size_t>(v));
  // Padding is placed on the first vertex: within the scene's bounds, and finite.
  model.rest = model.order.to_slots(mesh.vertices, mesh.vertices.empty() ? Vec3d{} : mesh.vertices[0]);
  scale_stiffness(input, model);
  find_embedded(input, model);
  model.gravity = input.gravity;
  if (!input.extra_force.empty()) model.extra_force = model.order.to_slots(input.extra_force, Vec3d{});
  return model;
}

std::vector<Tet> user_tets(const Model& model) {
  std::vector<Tet> tets(model.tets.size());
  for (size_t e = 0; e < tets.size(); ++e) {
    tets[model.user_tet[e]] =
        moved_to(model.tets[e], [&](int32_t s) { return static_cast<int32_t>(model.order.vertex(Slot{s})); });
  }
  return tets;
}

std::vector<Middles> user_middles(const Model& model) {
  std::vector<Middles> middles(model.middles.size());
  for (size_t e = 0; e < middles.size(); ++e) {
    Middles& own = middles[model.user_tet[e]];
    own = model.middles[e];
    for (int32_t& v : own)
      if (v != no_middle) v = static_cast<int32_t>(model.order.vertex(Slot{v}));
  }
  return middles;
}

PointMaterial PointMaterial::of(const ElasticBlock& block) {
  if (!block.quadratic()) return {block.material, 0};
  const SplitBulk lambda = SplitBulk::of(block.material.lame.mu, block.material.lame.lambda);
  if (!(lambda.mean > 0)) return {block.material, 0};
  return {with_lambda(block.material, lambda.points), lambda.mean};
}

State rest_state(const Model& model) {
  State state;
  state.x = model.rest;
  state.v.assign(model.rest.size(), Vec3d{});
  state.fall.assign(model.rest.size(), 1);
  state.affine.assign(model.grid.slots.size(), Mat3d{});
  return state;
}

State reordered(const State& state, const Model& from, const Model& to) {
  SINEW_ASSERT(from.grid.empty() && to.grid.empty());
  SINEW_ASSERT(from.order.vertex_count() == to.order.vertex_count() && from.tets.size() == to.tets.size());
  State result = rest_state(to);
  for (int32_t v = 0; v < to.order.vertex_count(); ++v) {
    const auto old = static_cast<size_t>(from.order.slot(UserVertex{v}));
    const auto slot = static_cast<size_t>(to.order.slot(UserVertex{v}));
    result.x[slot] = state.x[old];
    result.v[slot] = state.v[old];
    result.fall[slot] = state.fall[old];
  }
  if (!state.pressures.empty()) {
    std::vector<double> of_user(state.pressures.size());
    for (size_t e = 0; e < of_user.size(); ++e) of_user[from.user_tet[e]] = state.pressures[e];
    result.pressures.resize(of_user.size());
    for (size_t e = 0; e < of_user.size(); ++e) result.pressures[e] = of_user[to.user_tet[e]];
  }
  result.time = state.time;
  result.step = state.step;
  return result;
}

}  // namespace sinew
