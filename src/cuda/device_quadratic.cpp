#include "cuda/device_quadratic.h"

#include <algorithm>
#include <span>

#include "material/material_kind.h"
#include "model/rest_shape.h"

namespace sinew {
template <class Real>
void DeviceQuadraticTets<Real>::prepare(Device& device, const Model& model, bool frames_only, bool multipliers,
                                        ThreadPool& pool) {
  device_ = &device;
  frames_only_ = frames_only;
  multipliers_ = multipliers;
  blocks_.clear();
  bool linear = false;
  for_each_quadratic_block(model, [&](size_t, const ElasticBlock& block) {
    upload(model, block, blocks_.emplace_back(), pool);
    linear |= !traits_of(block.material.kind).rotation_invariant;
  });
  rest_.upload(device, std::span(model.rest).first(linear ? model.rest.size() : 0));
  find_laws(model);
}

template <class Real>
void DeviceQuadraticTets<Real>::upload(const Model& model, const ElasticBlock& block, Block& there, ThreadPool& pool) {
  const auto here = build_quadratic_stream<Real, uint32_t>(model, block, quadratic_layout(model, block, frames_only_),
                                                           device_lanes, pool);
  there.row_begin.upload(*device_, here.row_begin);
  there.middle_begin.upload(*device_, here.middle_begin);
  there.elements.upload(*device_, here.elements);
  there.first_visits.upload(*device_, here.first_visits);
  there.nodes.upload(*device_, here.nodes);
  there.numbers.upload(*device_, here.numbers);
  there.laplacian.upload(*device_, here.laplacian);
  there.view = {.block = here.block,
                .points = here.points,
                .layout = here.layout,
                .row_begin = there.row_begin.data(),
                .middle_begin = there.middle_begin.data(),
                .nodes = there.nodes.data(),
                .elements = there.elements.data(),
                .first_visits = there.first_visits.data(),
                .numbers = there.numbers.data(),
                .laplacian = there.laplacian.data()};
  const auto first = static_cast<size_t>(block.first_tet);
  const size_t count = here.elements.empty() ? 0 : static_cast<size_t>(block.last_tet) - first;
  std::vector<Real> inverse_volumes(count);
  pool.for_each(static_cast<int64_t>(count), [&](size_t n) {
    inverse_volumes[n] = static_cast<Real>(1 / (6 * volume_of(model.rest, model.tets[first + n])));
  });
  there.tets.upload(*device_, std::span(model.tets).subspan(first, count));
  there.middles.upload(*device_, std::span(model.middles).subspan(first, count));
  there.inverse_volumes.upload(*device_, inverse_volumes);
  device_->wait();  // until then what is here is read
}

// Which blocks have multipliers, and with what stiffness.
template <class Real>
void DeviceQuadraticTets<Real>::find_laws(const Model& model) {
  bool any = false;
  for (Block& block : blocks_) {
    block.law = MultiplierLaw::of(model, block.view.block, multipliers_);
    any |= block.law.any();
  }
  pressures_.resize(*device_, any ? model.tets.size() + 1 : 0);
  std::vector<QuadraticBlock<Real, uint32_t>> views;
  for (Block& block : blocks_) {
    block.view.slope = block.law.slope(block.view.points.mean_lambda);
    block.view.shrink = block.law.shrink;
    block.view.pressures = block.law.any() ? pressures_.data() : nullptr;
    views.push_back(block.view);
  }
  for (size_t k = 0; k < blocks_.size(); ++k) {
    views.push_back(views[k]);
    views.back().updates = blocks_[k].law.any();
  }
  views_there_.upload(*device_, views);
  device_->wait();  // until then what is here is read
}

template <class Real>
bool DeviceQuadraticTets<Real>::can_take(const Model& model) const {
  bool all = true;
  for_each_quadratic_block(model, [&](size_t k, const ElasticBlock& block) {
    const QuadraticBlock<Real, uint32_t>& view = blocks_[k].view;
    const bool has_elements = blocks_[k].elements.size() > 0;
    all = all && quadratic_layout(model, block, frames_only_) == view.layout &&
          can_rescale_quadratic(view.layout, has_elements, view.block, block);
  });
  return all;
}

template <class Real>
void DeviceQuadraticTets<Real>::take(const Model& model) {
  for_each_quadratic_block(model, [&](size_t k, const ElasticBlock& block) {
    blocks_[k].view.block = block;
    blocks_[k].view.points = PointMaterial::of(block);
  });
  find_laws(model);
}

template <class Real>
void DeviceQuadraticTets<Real>::begin_step(const StepProblem& problem) {
  due_ = false;
  if (!has_multipliers()) return;
  std::vector<Real> shrunk(pressures_.size());
  for (const Block& block : blocks_) {
    const ElasticBlock& tets = block.view.block;
    if (problem.pressures.empty()) continue;
    for (auto e = static_cast<size_t>(tets.first_tet); e < static_cast<size_t>(tets.last_tet); ++e)
      shrunk[e] = static_cast<Real>(block.law.shrink * problem.pressures[e]);
  }
  pressures_.upload(*device_, shrunk);
  device_->wait();  // until then what is here is read
}

template <class Real>
void DeviceQuadraticTets<Real>::update(const Vec4<Real>* x) {
  due_ = false;
  for (const Block& block : blocks_) {
    if (!block.law.any()) continue;
    const ElasticBlock& tets = block.view.block;
    const PressureUpdate<Real> update{
        block.tets.data(), block.middles.data(), block.inverse_volumes.data(),      x, nullptr,
        block.view.slope,  block.law.shrink,     pressures_.data() + tets.first_tet};
    const int64_t count = tets.last_tet - tets.first_tet;
    if (traits_of(tets.material.kind).rotation_invariant) {
      device_->run(count, UpdatePressures<Real>{update});
    } else {
      device_->run(count, UpdateLinearPressures<Real>{update, rest_.data()});
    }
  }
}

template <class Real>
bool DeviceQuadraticTets<Real>::links_only() const {
  return std::all_of(blocks_.begin(), blocks_.end(),
                     [](const Block& block) { return block.view.layout == VertexLayout::links; });
}

template <class Real>
void DeviceQuadraticTets<Real>::pressures(std::vector<double>& out) const {
  std::vector<Real> shrunk;
  pressures_.download(shrunk);
  out.assign(shrunk.empty() ? 0 : shrunk.size() - 1, 0.0);
  if (out.empty()) return;
  for (const Block& block : blocks_) {
    const ElasticBlock& tets = block.view.block;
    for (auto e = static_cast<size_t>(tets.first_tet); e < static_cast<size_t>(tets.last_tet); ++e)
      out[e] = static_cast<double>(shrunk[e]) / block.law.shrink;
  }
}

template <class Real>
size_t DeviceQuadraticTets<Real>::memory_bytes() const {
  size_t bytes = views_there_.bytes() + pressures_.bytes() + rest_.bytes();
  for (const Block& block : blocks_) bytes += block.bytes();
  return bytes;
}

template <class Real>
size_t DeviceQuadraticTets<Real>::Block::bytes() const {
  return row_begin.bytes() + middle_begin.bytes() + elements.bytes() + first_visits.bytes() + nodes.bytes() +
         numbers.bytes() + laplacian.bytes() + tets.bytes() + middles.bytes() + inverse_volumes.bytes();
}

template class DeviceQuadraticTets<float>;
template class DeviceQuadraticTets<double>;

}  // namespace sinew
