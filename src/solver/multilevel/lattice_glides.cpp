#include "solver/multilevel/lattice_glides.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "material/materials.h"
#include "solver/quadratic_tangent.h"

namespace sinew {

void LatticeGlides::begin_step(const StepProblem& problem, const LatticeCells& cells, const LatticeMoments& moments) {
  glides_.clear();
  parts_.clear();
  glide_of_.clear();
  if (problem.glides.empty()) return;
  model_ = problem.model;
  cells_ = &cells;
  glides_ = problem.glides;
  held_ = problem.held;
  inverse_h_ = problem.quasistatic ? 0 : 1 / problem.h;
  const bool strain_rate = model_->damping_form == DampingForm::strain_rate && !problem.quasistatic &&
                           std::any_of(model_->blocks.begin(), model_->blocks.end(),
                                       [](const ElasticBlock& block) { return block.damping > 0; });
  before_.clear();
  if (strain_rate) before_ = problem.x_prev;
  glide_of_.assign(held_.size(), -1);
  mean_stiffness_.clear();
  for (const LatticeMoments::Moduli& moduli : moments.moduli()) mean_stiffness_.push_back(moduli.mean);
  inertia_.clear();
  for (size_t k = 0; k < glides_.size(); ++k) {
    glide_of_[static_cast<size_t>(glides_[k].slot)] = static_cast<int32_t>(k);
    inertia_.push_back(moments.inertia_of(glides_[k].slot, problem));
  }
  std::vector<std::vector<int32_t>> members(static_cast<size_t>(cells.count()));
  for (const Glide& g : glides_) {
    if (const int32_t cell = cells.of_slot[static_cast<size_t>(g.slot)]; cell >= 0)
      members[static_cast<size_t>(cell)].push_back(g.slot);
  }
  for (int32_t cell = 0; cell < cells.count(); ++cell) {
    Part part{cell, {}, std::move(members[static_cast<size_t>(cell)])};
    for (const LatticeCells::Share& share : cells.tets.of(cell)) {
      const ElementNodes nodes = model_->nodes_of(share.element);
      if (std::any_of(nodes.begin(), nodes.end(), [&](int32_t s) { return glide_of_[static_cast<size_t>(s)] >= 0; }))
        part.tets.push_back(share);
    }
    if (!part.tets.empty() || !part.members.empty()) parts_.push_back(std::move(part));
  }
}

template <class Real>
void LatticeGlides::add(std::span<const Vec4<Real>> x, std::span<Vec4<float>> matrices, ThreadPool& pool) const {
  pool.parallel_for(static_cast<int64_t>(parts_.size()), 1, [&](int64_t first, int64_t last) {
    for (int64_t k = first; k < last; ++k) {
      const Part& part = parts_[static_cast<size_t>(k)];
      Vec4<float>* const own = &matrices[static_cast<size_t>(part.cell) * cell_pairs * 3];
      for (const LatticeCells::Share& share : part.tets) add_tet(part, share, x, own);
      for (const int32_t slot : part.members) {
        const auto g = static_cast<size_t>(glide_of_[static_cast<size_t>(slot)]);
        const Sym3<double>& n = glides_[g].fixed;
        const PairMatrix p({{1 - n.xx, -n.xy, -n.xz}, {-n.xy, 1 - n.yy, -n.yz}, {-n.xz, -n.yz, 1 - n.zz}});
        const auto at = trilinear(cells_->place_in(part.cell, model_->rest[static_cast<size_t>(slot)]));
        for (int a = 0; a < cell_corners; ++a)
          for (int b = 0; b <= a; ++b) add_to_pair(own, a, b, inertia_[g] * at[a] * at[b], p);
      }
    }
  });
}

template <class Real>
void LatticeGlides::add_tet(const Part& part, const LatticeCells::Share& share, std::span<const Vec4<Real>> x,
                            Vec4<float>* matrices) const {
  const Model& model = *model_;
  const Tet& t = model.tets[static_cast<size_t>(share.element)];
  const ElementNodes nodes = model.nodes_of(share.element);
  const auto block = std::find_if(model.blocks.begin(), model.blocks.end(),
                                  [&](const ElasticBlock& b) { return share.element < b.last_tet; });
  const ElementShape shape(t, model.rest, share.weight * model.stiffness_factor_of(share.element));
  Vec3d place[most_nodes];  // from the first node
  const Vec4<Real>& first = x[static_cast<size_t>(nodes[0])];
  for (size_t k = 0; k < nodes.size(); ++k) {
    const Vec4<Real>& p = x[static_cast<size_t>(nodes[k])];
    place[k] = Vec3d{p.x, p.y, p.z} - Vec3d{first.x, first.y, first.z};
    if (!std::isfinite(dot(place[k], place[k]))) return;
  }
  const double rate = before_.empty() ? 0 : block->damping * inverse_h_;
  QuadraticStiffness k{};
  if (block->quadratic()) {
    const PointMaterial points = PointMaterial::of(*block);
    visit_formula(points.material.kind, [&]<template <class> class Material>() {
      k = quadratic_stiffness(coefficients_of<Material>(points.material),
                              mean_stiffness_[static_cast<size_t>(block - model.blocks.begin())], shape, place,
                              Tangent::projected);
    });
    if (rate > 0) add_strain_rate(points.material.lame, rate, shape, places_from_first(nodes, before_).data(), k);
  } else {
    const ElementPoint point{shape.gradient, shape.corners, shape.volume};
    const Mat3d f = shape.deformation_gradient([&](int c) { return place[c]; });
    visit_formula(block->material.kind, [&]<template <class> class Material>() {
      add_point_stiffness(coefficients_of<Material>(block->material), f, 0.0, point, Tangent::projected, k.block);
    });
    const auto before = [&] { return shape.deformation_gradient(t, before_); };
    if (rate > 0) add_strain_rate(StrainRate<double>::of(block->material.lame, rate, before()), point, k.block);
  }

  // The rows and columns of each vertex are multiplied by its P, and distributed to nodes by the cell's functions.
  std::array<double, cell_corners> n[most_nodes];
  const int count = nodes.count;
  for (int i = 0; i < count; ++i) {
    const auto slot = static_cast<size_t>(nodes[static_cast<size_t>(i)]);
    if (!held_[slot]) n[i] = trilinear(cells_->place_in(part.cell, model.rest[slot]));
  }
  for (int i = 0; i < count; ++i) {
    const int32_t slot = nodes[static_cast<size_t>(i)];
    if (held_[static_cast<size_t>(slot)]) continue;
    for (int j = 0; j < count; ++j) {
      const int32_t other = nodes[static_cast<size_t>(j)];
      if (held_[static_cast<size_t>(other)]) continue;
      Mat3d m = i >= j ? k.block[corner_pair(i, j)] : transpose(k.block[corner_pair(j, i)]);
      m = {moved(slot, m.c0), moved(slot, m.c1), moved(slot, m.c2)};
      m = transpose(m);
      const PairMatrix freed(transpose(Mat3d{moved(other, m.c0), moved(other, m.c1), moved(other, m.c2)}));
      for (int a = 0; a < cell_corners; ++a)
        for (int b = 0; b <= a; ++b) add_to_pair(matrices, a, b, n[i][a] * n[j][b], freed);
    }
  }
}

template void LatticeGlides::add(std::span<const Vec4<float>>, std::span<Vec4<float>>, ThreadPool&) const;
template void LatticeGlides::add(std::span<const Vec4<double>>, std::span<Vec4<float>>, ThreadPool&) const;

size_t LatticeGlides::memory_bytes() const {
  size_t bytes = glides_.capacity() * sizeof(Glide) + glide_of_.capacity() * sizeof(int32_t) + held_.capacity() +
                 (inertia_.capacity() + mean_stiffness_.capacity()) * sizeof(double) +
                 before_.capacity() * sizeof(Vec3d) + parts_.capacity() * sizeof(Part);
  for (const Part& part : parts_)
    bytes += part.tets.capacity() * sizeof(LatticeCells::Share) + part.members.capacity() * sizeof(int32_t);
  return bytes;
}

}  // namespace sinew
