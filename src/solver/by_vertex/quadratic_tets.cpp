#include "solver/by_vertex/quadratic_tets.h"

#include "element/quadratic_tetrahedron.h"
#include "material/material_kind.h"
#include "model/rest_shape.h"

namespace sinew {
namespace {

// sigma over mu: smaller, and more sweeps correct the multipliers; larger, and sweeps are slow again.
constexpr double sigma_of_shear = 8;

template <class Each>
void for_each_quadratic(const Model& model, const Each& each) {
  size_t k = 0;
  for (const ElasticBlock& block : model.blocks)
    if (block.quadratic()) each(k++, block);
}

MultiplierLaw multiplier_law(const Model& model, const ElasticBlock& block, double mean_lambda, bool multipliers) {
  const bool own_block = block.damping > 0 && model.damping_form == DampingForm::own_block;
  if (!multipliers || own_block || !(mean_lambda > 0)) return {};
  const double mu = block.material.lame.mu;
  return {mean_lambda / (mean_lambda + sigma_of_shear * mu), sigma_of_shear * mu};
}
double slope_of(const MultiplierLaw& law, double mean_lambda) {
  return law.sigma > 0 ? law.shrink * law.sigma : mean_lambda;
}

}  // namespace

double mean_stiffness(const Model& model, const ElasticBlock& block, bool multipliers) {
  const double lambda = PointMaterial::of(block).mean_lambda;
  return slope_of(multiplier_law(model, block, lambda, multipliers), lambda);
}

template <class Real>
void QuadraticTets<Real>::prepare(const Model& model, const Kernels& kernels, bool frames_only, ThreadPool& pool) {
  model_ = &model;
  kernels_ = &kernels;
  pool_ = &pool;
  frames_only_ = frames_only;
  streams_.clear();
  for_each_quadratic(model, [&](size_t, const ElasticBlock& block) {
    streams_.push_back(
        build_quadratic_stream<Real>(model, block, layout_of(model, block), kernels.lanes<Real>(), pool));
  });
  inverse_volumes_.resize(streams_.empty() ? 0 : model.tets.size());
  for (const QuadraticStream<Real>& stream : streams_)
    pool.for_each(stream.block.last_tet - stream.block.first_tet, [&](size_t n) {
      const auto e = static_cast<size_t>(stream.block.first_tet) + n;
      inverse_volumes_[e] = static_cast<Real>(1 / (6 * volume_of(model.rest, model.tets[e])));
    });
}

template <class Real>
VertexLayout QuadraticTets<Real>::layout_of(const Model& model, const ElasticBlock& block) const {
  const bool links = has_links(block) && !frames_only_ && !model.has_stiffness_factors(block);
  return links ? VertexLayout::links : VertexLayout::frames;
}

template <class Real>
bool QuadraticTets<Real>::can_take(const Model& model) const {
  bool all = true;
  for_each_quadratic(model, [&](size_t k, const ElasticBlock& block) {
    // What has come to be split needs a list of elements.
    const bool listed = !streams_[k].elements.empty() || !(PointMaterial::of(block).mean_lambda > 0);
    all = all && listed && layout_of(model, block) == streams_[k].layout && can_rescale(streams_[k], block);
  });
  return all;
}

template <class Real>
void QuadraticTets<Real>::take(const Model& model) {
  for_each_quadratic(model, [&](size_t k, const ElasticBlock& block) { rescale(streams_[k], block); });
}

template <class Real>
void QuadraticTets<Real>::begin_step(const StepProblem& problem, bool multipliers) {
  views_.clear();
  laws_.clear();
  bool any = false;
  for (const QuadraticStream<Real>& stream : streams_) {
    const double lambda = stream.points.mean_lambda;
    const MultiplierLaw law = multiplier_law(*model_, stream.block, lambda, multipliers);
    any |= law.sigma > 0;
    laws_.push_back(law);
    views_.push_back({.block = stream.block,
                      .points = stream.points,
                      .layout = stream.layout,
                      .row_begin = stream.row_begin.data(),
                      .middle_begin = stream.middle_begin.data(),
                      .nodes = stream.nodes.data(),
                      .elements = stream.elements.data(),
                      .numbers = stream.numbers.data(),
                      .laplacian = stream.laplacian.data(),
                      .slope = slope_of(law, lambda)});
  }
  pressures_.resize(any ? model_->tets.size() : 0);
  shrunk_.resize(pressures_.size());
  if (!any) return;
  const auto before = [&](size_t e) { return problem.pressures.empty() ? 0.0 : problem.pressures[e]; };
  pool_->for_each(static_cast<int64_t>(pressures_.size()), [&](size_t e) {
    pressures_[e] = static_cast<Real>(before(e));
    shrunk_[e] = 0;
  });
  for (size_t k = 0; k < streams_.size(); ++k)
    if (laws_[k].sigma > 0) views_[k].pressures = shrunk_.data();
  shrink();
}

template <class Real>
void QuadraticTets<Real>::shrink() {
  for (size_t k = 0; k < streams_.size(); ++k) {
    const ElasticBlock& block = streams_[k].block;
    for (int32_t e = block.first_tet; e < block.last_tet; ++e)
      shrunk_[e] = static_cast<Real>(laws_[k].shrink) * pressures_[e];
  }
}

template <class Real>
void QuadraticTets<Real>::restore(std::span<const double> pressures) {
  for (size_t e = 0; e < pressures_.size(); ++e) pressures_[e] = static_cast<Real>(pressures[e]);
  if (!pressures_.empty()) shrink();
}

template <class Real>
void QuadraticTets<Real>::update(const Buffer<Vec4<Real>>& x, const Buffer<Vec4<Real>>& base) {
  constexpr int64_t grain = 1024;
  for (size_t k = 0; k < streams_.size(); ++k) {
    if (!(laws_[k].sigma > 0)) continue;
    const ElasticBlock& block = streams_[k].block;
    if (!traits_of(block.material.kind).rotation_invariant) {
      update_linear(block, laws_[k], x, base);
      continue;
    }
    const auto first_tet = static_cast<size_t>(block.first_tet);
    const PressureUpdate<Real> update{model_->tets.data() + first_tet,
                                      model_->middles.data() + first_tet,
                                      inverse_volumes_.data() + first_tet,
                                      x.data(),
                                      base.empty() ? nullptr : base.data(),
                                      laws_[k].sigma,
                                      laws_[k].shrink,
                                      pressures_.data() + first_tet,
                                      shrunk_.data() + first_tet};
    pool_->parallel_for(block.last_tet - block.first_tet, grain,
                        [&](int64_t first, int64_t last) { kernels_->pressures(update, first, last); });
  }
}

// Of linear elasticity, whose J is the trace of F.
template <class Real>
void QuadraticTets<Real>::update_linear(const ElasticBlock& block, const MultiplierLaw& law,
                                        const Buffer<Vec4<Real>>& x, const Buffer<Vec4<Real>>& base) {
  const auto at = [&](int32_t s) {
    const Vec4<Real>& p = x[static_cast<size_t>(s)];
    Vec3d place{p.x, p.y, p.z};
    if (base.empty()) return place;
    const Vec4<Real>& b = base[static_cast<size_t>(s)];
    return place + Vec3d{b.x, b.y, b.z};
  };
  pool_->for_each(block.last_tet - block.first_tet, [&](size_t n) {
    const size_t e = static_cast<size_t>(block.first_tet) + n;
    const ElementShape shape(model_->tets[e], model_->rest);
    const ElementNodes nodes = model_->nodes_of(static_cast<int32_t>(e));
    Vec3d place[most_nodes]{};
    for (size_t j = 1; j < most_nodes; ++j) place[j] = at(nodes[j]) - at(nodes[0]);
    double mean = 0;
    for (const Mat3d& f : PointGradients<double>::of(place, shape.gradient).at)
      mean += PointVolume<double, false>::j(f) / QuadraticTetrahedron::points;
    const double p = law.shrink * (static_cast<double>(pressures_[e]) + law.sigma * (mean - 1));
    pressures_[e] = static_cast<Real>(p);
    shrunk_[e] = static_cast<Real>(law.shrink * p);
  });
}

template <class Real>
size_t QuadraticTets<Real>::memory_bytes() const {
  size_t bytes = (inverse_volumes_.size() + pressures_.size() + shrunk_.size()) * sizeof(Real);
  for (const QuadraticStream<Real>& stream : streams_) bytes += stream.memory_bytes();
  return bytes;
}

template class QuadraticTets<float>;
template class QuadraticTets<double>;

}  // namespace sinew
