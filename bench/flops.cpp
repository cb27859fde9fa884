#include "flops.h"

#include "counted.h"
#include "objective/objective.h"
#include "solver/by_constraint/compliant_rule.h"
#include "solver/by_constraint/constraint_kernel.h"
#include "solver/by_vertex/vertex_kernel.h"
#include "solver/sweep_solver.h"

namespace sinew::bench {
namespace {

Buffer<Counted> counted(const Buffer<float>& numbers) {
  Buffer<Counted> result;
  result.reserve(numbers.size());
  for (const float number : numbers) result.emplace_back(static_cast<double>(number));
  return result;
}

// One cluster suffices: the kernels are the same for many.
std::unique_ptr<Scene> sample(MeshKind mesh, MaterialKind material) {
  return make_scene({counted_cells, mesh.irregular}, material);
}

}  // namespace

double vbd_flops(MeshKind mesh, MaterialKind material, VertexLayout layout) {
  const auto s = sample(mesh, material);
  const Model& model = s->model;
  const auto slots = static_cast<size_t>(model.slot_count());
  const VertexStream<float> built =
      build_vertex_stream<float>(model, model.blocks[0], incidence_of(model.tets, slots), layout, 1, pool_of(1));
  VertexStream<Counted> stream;
  stream.block = built.block;
  stream.layout = built.layout;
  stream.row_begin = built.row_begin;
  stream.corners = built.corners;
  stream.numbers = counted(built.numbers);
  stream.packed = built.packed;
  stream.laplacian = counted(built.laplacian);
  stream.units = counted(built.units);
  stream.volume_stiffness = Counted(static_cast<double>(built.volume_stiffness));

  Iterate<Counted> iterate;
  load_iterate(s->problem, 0, pool_of(1), iterate);
  Buffer<Vec4<Counted>> target;
  for (size_t slot = 0; slot < slots; ++slot) {
    const Vec3d y = s->problem.x_target[slot];
    target.push_back({Counted(y.x), Counted(y.y), Counted(y.z), Counted(model.mass[slot] * s->problem.inverse_h2())});
  }
  VertexSweep<Counted> sweep;
  const auto view = view_of(stream);
  sweep.blocks = &view;
  sweep.block_count = 1;
  sweep.x = sweep.moved = iterate.x.data();
  sweep.target = target.data();
  sweep.inverse_h = Counted(1 / s->problem.h);
  sweep.singular = Counted(1e-12);
  Counted::operations = 0;
  for (int64_t slot = 0; slot < model.slot_count(); ++slot) {
    if (!model.order.is_padding(Slot{static_cast<int32_t>(slot)})) {
      vertex_kernel::sweep_batches<Counted, false>(sweep, slot, slot + 1);
    }
  }
  return static_cast<double>(Counted::operations) / s->tets();
}

double xpbd_flops(MeshKind mesh, MaterialKind material) {
  const auto s = sample(mesh, material);
  const Model& model = s->model;
  std::vector<int32_t> visit(model.tets.size());
  for (size_t e = 0; e < visit.size(); ++e) visit[e] = static_cast<int32_t>(e);
  const Coloring coloring = color_tets(model.tets, static_cast<size_t>(model.slot_count()), visit);
  const ConstraintStream<float> built =
      build_constraint_stream<float>(model, model.blocks[0], coloring, model.slot_count(), 1, pool_of(1));
  ConstraintStream<Counted> stream;
  stream.block = built.block;
  stream.color_begin = built.color_begin;
  stream.corners = built.corners;
  stream.frames = counted(built.frames);

  Iterate<Counted> iterate;
  load_iterate(s->problem, 1, pool_of(1), iterate);
  // The multipliers of a second sweep; those of the first are 0.
  iterate.multipliers.assign(static_cast<size_t>(built.batch_count()) * traits_of(material).constraint_count,
                             Counted(1e-3));
  const ConstraintSweep<Counted> sweep{&stream, iterate.x.data(), iterate.multipliers.data(),
                                       Counted(s->problem.h * s->problem.h)};
  Counted::operations = 0;
  visit_formula(material, [&]<template <class> class Material>() {
    if constexpr (Material<double>::constraint_count > 0) {
      using Rule = constraint_kernel::CompliantRule<Counted>;
      constraint_kernel::sweep_batches<Counted, Material, false, Rule>(sweep, 0, built.batch_count());
    }
  });
  return static_cast<double>(Counted::operations) / s->tets();
}

}  // namespace sinew::bench
