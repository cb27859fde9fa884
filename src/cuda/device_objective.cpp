#include "cuda/device_objective.h"

#include <cmath>
#include <vector>

#include "cuda/device_sum.h"

namespace sinew {

void DeviceObjective::prepare(const Model& model) {
  model_ = &model;
  elements_ = 0;
  tested_ = false;
}

size_t DeviceObjective::bytes_needed() const {
  const size_t slots = model_->mass.size(), tets = model_->tets.size();
  return slots * (4 * sizeof(Vec3d) + sizeof(int32_t)) +
         tets * (sizeof(Tet) + most_corners * (sizeof(Vec3d) + sizeof(int32_t)) + 3 * sizeof(double));
}

bool DeviceObjective::offered() const {
  constexpr double share = 0.7;  // of what is free
  if (!model_->middles.empty() || !model_->ties.empty() || model_->tets.empty()) return false;
  if (model_->tets.size() > std::numeric_limits<int32_t>::max() / most_corners) return false;
  return is_there() || static_cast<double>(bytes_needed()) < share * static_cast<double>(device_.free_bytes());
}

void DeviceObjective::upload() {
  const size_t slots = model_->mass.size();
  // By slot, the corners that elements have there, in the order of the elements.
  std::vector<int32_t> begin(slots + 1, 0);
  const auto for_each_corner = [&](const auto& visit) {
    for (size_t e = 0; e < model_->tets.size(); ++e) {
      const Tet& tet = model_->tets[e];
      for (size_t c = 0; c < corner_count(tet); ++c)
        visit(static_cast<size_t>(tet[c]), static_cast<int32_t>(most_corners * e + c));
    }
  };
  for_each_corner([&](size_t s, int32_t) { ++begin[s + 1]; });
  for (size_t s = 0; s < slots; ++s) begin[s + 1] += begin[s];
  std::vector<int32_t> places(static_cast<size_t>(begin[slots])), next(begin.begin(), begin.end() - 1);
  for_each_corner([&](size_t s, int32_t place) { places[static_cast<size_t>(next[s]++)] = place; });
  begin_.upload(device_, begin);
  places_.upload(device_, places);
  tets_.upload(device_, model_->tets);
  rest_.upload(device_, model_->rest);
  stiffness_factor_.upload(device_, model_->stiffness_factor);
  const size_t elements = model_->tets.size();
  gradient_.resize(device_, most_corners * elements);
  energy_.resize(device_, elements);
  det_f_.resize(device_, elements);
  for (DeviceArray<Vec3d>* array : {&x_, &tested_at_, &forces_}) array->resize(device_, slots);
  parts_.resize(device_, parts_of_sum);
  device_.wait();  // until then what is here is read
  elements_ = static_cast<int64_t>(elements);
}

template <class Real>
DeviceObjective::Result DeviceObjective::evaluate(const DeviceState::Step& step, const Vec4<Real>* x, bool tested) {
  if (!is_there()) upload();
  const auto slots = static_cast<int64_t>(rest_.size());
  const Vec3d* at = step.bodies.x;
  if (x) {
    device_.run(slots, WidenPositions<Real>{x, x_.data()});
    at = x_.data();
  }
  for (const ElasticBlock& block : model_->blocks) {
    const double rate = step.quasistatic ? 0 : block.damping / step.h;
    const ElementTerms terms{{tets_.data(), nullptr, rest_.data(), stiffness_factor_.data(), model_->damping_form},
                             nullptr,
                             at,
                             step.bodies.x_prev,
                             rate,
                             energy_.data(),
                             det_f_.data(),
                             gradient_.data()};
    device_.run(block.last_tet - block.first_tet, ElementsOfBlock{terms, block});
  }
  device_.run(parts_of_sum, SumElements{energy_.data(), det_f_.data(), elements_, parts_.data(), parts_of_sum});
  device_.run(parts_of_sum,
              SumVertices{step.bodies, step.quasistatic ? 0 : 1 / (step.h * step.h), rest_.data(), begin_.data(),
                          places_.data(), gradient_.data(), at, tested ? tested_at_.data() : nullptr, forces_.data(),
                          slots, parts_.data(), parts_of_sum});
  device_.run_phases(AddPairs<EvaluationSum>{parts_.data(), 1});
  EvaluationSum sum;
  device_.download(&sum, parts_.data(), sizeof sum);

  Result result;
  Evaluation& evaluation = result.evaluation;
  evaluation.energy = sum.energy;
  evaluation.min_j = sum.min_j;
  evaluation.inverted = static_cast<int32_t>(sum.inverted);
  evaluation.finite = sum.bad_slot == std::numeric_limits<int64_t>::max() && std::isfinite(sum.energy);
  if (sum.bad_slot != std::numeric_limits<int64_t>::max()) evaluation.bad_slot = static_cast<int32_t>(sum.bad_slot);
  constexpr double unknown = std::numeric_limits<double>::infinity();
  evaluation.residual = evaluation.finite ? std::sqrt(sum.squares) : unknown;
  evaluation.residual_max = evaluation.finite ? std::sqrt(sum.largest) : unknown;
  result.motion = tested && tested_ ? std::sqrt(sum.moved) : unknown;
  tested_ = tested_ || tested;
  return result;
}

size_t DeviceObjective::memory_bytes() const {
  return tets_.bytes() + rest_.bytes() + gradient_.bytes() + x_.bytes() + tested_at_.bytes() + forces_.bytes() +
         stiffness_factor_.bytes() + energy_.bytes() + det_f_.bytes() + begin_.bytes() + places_.bytes() +
         parts_.bytes();
}

template DeviceObjective::Result DeviceObjective::evaluate(const DeviceState::Step&, const Vec4<float>*, bool);
template DeviceObjective::Result DeviceObjective::evaluate(const DeviceState::Step&, const Vec4<double>*, bool);

}  // namespace sinew
