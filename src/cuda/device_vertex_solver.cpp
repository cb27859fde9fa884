#include "cuda/device_vertex_solver.h"

#include <algorithm>
#include <cstring>

#include "base/format.h"
#include "contact/contacts.h"
#include "solver/sweep_solver.h"

namespace sinew {

template <class Real>
DeviceVertexSolver<Real>::DeviceVertexSolver(std::shared_ptr<Device> device, const VertexRule& rule)
    : DeviceSolver<Real>(std::move(device)), rule_(rule), order_(rule.sweep_order) {}

namespace {

// Few vertices at a time leave most of a card's threads idle, unless they share them. Of the model alone, so that all
// cards add up the same.
int team_bits_of(const VertexRule& rule, int64_t slots_of_pass) {
  if (rule.line_search) return 0;                  // which wants the whole energy of each vertex
  constexpr int64_t threads = 80000, largest = 4;  // measured
  const int64_t most = rule.lanes > 0 ? rule.lanes : std::min(threads / std::max(int64_t{1}, slots_of_pass), largest);
  int bits = 0;
  while (bits < Device::most_team_bits && int64_t{2} << bits <= most) ++bits;
  return bits;
}

}  // namespace

template <class Real>
VertexLayout DeviceVertexSolver<Real>::layout_of(const ElasticBlock& block) const {
  return has_links(block) && rule_.layout != layout_frames ? VertexLayout::links : VertexLayout::frames;
}

template <class Real>
Status DeviceVertexSolver<Real>::check_step(const StepProblem& problem) const {
  if (!problem.contacts) return {};
  if (problem.contacts->limits()) return this->not_offered("contact.guarantee = \"intersection_free\" is kept");
  if (rule_.recolors) return this->not_offered("recolor = \"incremental\" is followed");
  return {};
}

template <class Real>
void DeviceVertexSolver<Real>::prepare(const Model& model, ThreadPool& pool) {
  DeviceSolver<Real>::prepare(model, pool);
  tell(this->progress, "solver layouts", 0);
  find_passes();
  team_bits_ = team_bits_of(rule_, model.slot_count() / std::max<int64_t>(1, static_cast<int64_t>(passes_.size())));
  quadratic_.prepare(this->device(), model, rule_.layout == layout_frames, rule_.multipliers && !rule_.jacobi, pool);
  if (quadratic_.any()) team_bits_ = 0;  // which have a thread for each vertex
  const Incidence incidence = incidence_of(model.tets, static_cast<size_t>(model.slot_count()), pool);
  streams_.clear();
  views_.clear();
  for (const ElasticBlock& block : model.blocks) {
    if (block.quadratic()) continue;
    const auto share = [&](int32_t tets) { return static_cast<double>(tets) / static_cast<double>(model.tets.size()); };
    const auto here = build_vertex_stream<Real, uint32_t>(
        model, block, incidence, layout_of(block), device_lanes, pool,
        part_of(this->progress, share(block.first_tet), share(block.last_tet)), 1 << team_bits_);
    Stream& there = streams_.emplace_back();
    there.row_begin.upload(this->device(), here.row_begin);
    there.corners.upload(this->device(), here.corners);
    there.numbers.upload(this->device(), here.numbers);
    there.laplacian.upload(this->device(), here.laplacian);
    this->device().wait();  // until then what is here is read
    View view = view_of(here);
    view.row_begin = there.row_begin.data();
    view.corners = there.corners.data();
    view.numbers = there.numbers.data();
    view.laplacian = there.laplacian.data();
    view.packed = nullptr;
    view.units = nullptr;
    views_.push_back(view);
  }
  upload_views();
  upload_ties();
  glides_of_.clear();
  glides_ = {};
  has_that_of_ties_ = false;
}

template <class Real>
void DeviceVertexSolver<Real>::upload_ties() {
  ties_ = {};
  if (this->model().ties.empty()) return;
  Device& device = this->device();
  const auto here = build_vertex_ties<Real, uint32_t>(this->model(), 1);
  VertexTiesView<Real, uint32_t> view = view_of(here);
  for (size_t k = 0; k < here.rows.size(); ++k) {
    const auto& from = here.rows[k];
    auto& to = ties_.rows.emplace_back();
    to.begin.upload(device, from.begin);
    to.muscle.upload(device, from.muscle);
    to.corners.upload(device, from.corners);
    to.weights.upload(device, from.weights);
    to.numbers.upload(device, from.numbers);
    view.rows[k] = {from.kind,         from.others,       from.damped,       to.begin.data(),
                    to.corners.data(), to.weights.data(), to.numbers.data(), to.muscle.data()};
    ties_.damped = ties_.damped || from.damped;
  }
  ties_.own.upload(device, here.own);
  ties_.place.upload(device, here.place);
  ties_.any.upload(device, here.any);
  view.own = ties_.own.data();
  view.place = ties_.place.data();
  view.any = ties_.any.data();
  ties_.view.upload(device, std::span(&view, 1));
  ties_.pack_begin = here.pack_begin;
  ties_.any_here = here.any;
  device.wait();  // until then what is here is read
}

template <class Real>
void DeviceVertexSolver<Real>::upload_views() {
  views_there_.upload(this->device(), views_);
  this->device().wait();
}

// Rest frames hold neither stiffness nor damping; link strips would have to be built anew.
template <class Real>
bool DeviceVertexSolver<Real>::take_parameters(const Model& model) {
  std::vector<const ElasticBlock*> linear;
  for (const ElasticBlock& block : model.blocks)
    if (!block.quadratic()) linear.push_back(&block);
  if (!quadratic_.can_take(model)) return false;
  for (size_t k = 0; k < views_.size(); ++k)
    if (views_[k].layout != VertexLayout::frames || layout_of(*linear[k]) != VertexLayout::frames) return false;
  for (size_t k = 0; k < views_.size(); ++k) views_[k].block = *linear[k];
  quadratic_.take(model);
  upload_views();
  forget_launches();
  return true;
}

// The clusters of a phase share no element, so that their first colours can be swept at once, then their second ones.
template <class Real>
void DeviceVertexSolver<Real>::find_passes() {
  passes_.clear();
  const Clusters& clusters = this->model().clusters;
  for (int32_t phase = 0; phase < clusters.phase_count(); ++phase) {
    const size_t first_pass = passes_.size();
    for (int32_t c = clusters.phase_begin[phase]; c < clusters.phase_begin[phase + 1]; ++c) {
      for (int32_t k = clusters.color_begin[c]; k < clusters.color_begin[c + 1]; ++k) {
        const size_t pass = first_pass + static_cast<size_t>(k - clusters.color_begin[c]);
        if (pass == passes_.size()) passes_.emplace_back();
        passes_[pass].push_back({this->model().color_begin[k],
                                 this->model().color_begin[k + 1] - this->model().color_begin[k],
                                 static_cast<size_t>(k)});
      }
    }
  }
}

template <class Real>
void DeviceVertexSolver<Real>::begin(const StepProblem& problem) {
  order_.begin_step(problem.step);
  if (rule_.jacobi) moved_.resize(this->device(), static_cast<size_t>(this->model().slot_count()));
  Vec4<Real>* const x = this->unknowns().x.data();

  sweep_.blocks = views_there_.data();
  sweep_.block_count = static_cast<int>(views_.size());
  sweep_.team_bits = team_bits_;
  if (!views_.empty()) sweep_.only = views_.front();
  quadratic_.begin_step(problem);
  sweep_.quadratic = quadratic_.views(false);
  sweep_.quadratic_count = quadratic_.count();
  sweep_.x = x;
  sweep_.moved = rule_.jacobi ? moved_.data() : x;
  sweep_.target = this->target();
  sweep_.x_prev = this->x_prev();
  sweep_.inverse_h = static_cast<Real>(problem.quasistatic ? 0 : 1 / problem.h);
  sweep_.quasistatic = problem.quasistatic;
  sweep_.own_block_damping = this->model().damping_form == DampingForm::own_block;
  sweep_.stiffness = rule_.stiffness;
  sweep_.diagonal = rule_.diagonal;
  sweep_.relaxation = static_cast<Real>(rule_.relaxation);
  sweep_.line_search = rule_.line_search;
  sweep_.singular = static_cast<Real>(1e-12);
  begin_summed(problem);
}

template <class Real>
void DeviceVertexSolver<Real>::begin_summed(const StepProblem& problem) {
  Device& device = this->device();
  const bool tied = !ties_.rows.empty(), damped = ties_.damped && !problem.quasistatic;
  if (!grabs_.empty() || !problem.grabs.empty()) forget_launches();  // which know how many there are
  grabs_.begin_step(problem, 1, rule_.jacobi, damped ? ties_.any_here : std::span<const uint8_t>());
  const bool glides_changed = problem.glides != glides_of_;
  if (glides_changed) {
    glides_of_ = problem.glides;
    glides_.build(problem.glides, this->model().slot_count(), 1);
  }
  const bool glides = !glides_.items.empty(), quadratic = damped || !grabs_.empty();
  contacts_.begin_step(this->device(), problem, {.at_once = rule_.jacobi, .shares_penalties = rule_.shares_penalties});
  summed_ = tied || quadratic || glides || contacts_.any();
  sweep_.ties = tied ? ties_.view.data() : nullptr;
  sweep_.ties_are_damped = damped;
  sweep_.tie_sums = sweep_.quadratic_sums = nullptr;
  sweep_.has_quadratic = nullptr;
  sweep_.contact_sums = nullptr;
  sweep_.has_contact = nullptr;
  sweep_.glides = nullptr;
  sweep_.activation = nullptr;
  if (!summed_) return;

  int64_t most = 0;
  for (const std::vector<Range>& pass : passes_)
    for (const Range& range : pass) most = std::max(most, range.count);
  const auto rows = static_cast<size_t>(most) * rows_of_sums;
  contacts_.make_room(rows);
  if (tied) {
    tie_sums_.resize(device, rows);
    sweep_.tie_sums = tie_sums_.data();
    activation_.upload(device, std::vector<Real>(problem.activation.begin(), problem.activation.end()));
    sweep_.activation = activation_.data();
  }
  if (quadratic) {
    quadratic_sums_.resize(device, rows);
    sweep_.quadratic_sums = quadratic_sums_.data();
    if (!grabs_.empty() || !has_that_of_ties_)
      has_quadratic_.upload(device, grabs_.empty() ? ties_.any_here : grabs_.has());
    has_that_of_ties_ = grabs_.empty();
    sweep_.has_quadratic = has_quadratic_.data();
    grab_ends_.upload(device, grabs_.ends());
    grabs_there_.upload(device, problem.grabs);
  }
  if (glides && glides_changed) {
    glide_begin_.upload(device, glides_.begin);
    glide_items_.upload(device, glides_.items);
    const VertexGlidesView<Real> view{glide_begin_.data(), glide_items_.data()};
    glides_there_.upload(device, std::span(&view, 1));
    device.wait();  // until then the view is read
  }
  if (glides) sweep_.glides = glides_there_.data();
  device.wait();  // until then what is here is read
}

template <class Real>
void DeviceVertexSolver<Real>::set_rule(NodalStiffness stiffness, double relaxation) {
  sweep_.stiffness = stiffness;
  sweep_.relaxation = static_cast<Real>(relaxation);
}

// By the kernel that knows what there is and as little else as possible.
template <class Real>
template <bool forces_only>
void DeviceVertexSolver<Real>::launch(const DeviceSummedSweep<Real>& sweep, Range range) {
  bool links = true, damped = false, one = true;
  for (const View& view : views_) {
    links = links && view.layout == VertexLayout::links;
    damped = damped || view.block.damping > 0;
    one = one && view.block.material.kind == views_.front().block.material.kind;
  }
  if (summed_) return launch_summed<forces_only>(sweep, range, links && !sweep.line_search);
  if (links && !sweep.line_search && views_.size() == 1) {
    const auto move = [&]<int at_once>() {
      this->device().run_teams(range.count, team_bits_,
                               MoveVertices<Real, OneBlockOfLinks<at_once>, forces_only>{sweep, range.first});
    };
    // More rows at once take registers, which many threads need.
    if (team_bits_ > 0 && sizeof(Real) == sizeof(float)) {
      move.template operator()<8>();
    } else {
      move.template operator()<4>();
    }
    return;
  }
  if (links && !sweep.line_search) {
    this->device().run_teams(range.count, team_bits_, MoveVertices<Real, NoMaterial, forces_only>{sweep, range.first});
    return;
  }
  if constexpr (sizeof(Real) == 4) {
    if (one && !damped && !sweep.line_search) {
      visit_material(views_.front().block.material.kind, [&]<template <class> class Material>() {
        this->device().run_teams(range.count, team_bits_,
                                 MoveVertices<Real, OneMaterial<Material>, forces_only>{sweep, range.first});
      });
      return;
    }
  }
  this->device().run_teams(range.count, team_bits_, MoveVertices<Real, EveryFormula, forces_only>{sweep, range.first});
}

// What ties and grabs add is summed up before any vertex of the colour moves.
template <class Real>
void DeviceVertexSolver<Real>::launch_sums(const DeviceSummedSweep<Real>& sweep, Range range) {
  if (sweep.ties) {
    const int64_t first = ties_.pack_begin[range.color], last = ties_.pack_begin[range.color + 1];
    this->device().run(last - first, SumTies<Real>{sweep, first});
  }
  const auto grabs = grabs_.ends_of(static_cast<int32_t>(range.first), static_cast<int32_t>(range.first + range.count));
  if (!grabs.empty()) {
    const GrabEnd* const there = grab_ends_.data() + (grabs.data() - grabs_.ends().data());
    this->device().run(1, SumGrabs<Real>{sweep, there, grabs_there_.data(), static_cast<int64_t>(grabs.size())});
  }
  if (sweep.contact_sums) contacts_.add(sweep, range.first, range.first + range.count);
}

template <class Real>
template <bool forces_only>
void DeviceVertexSolver<Real>::launch_summed(DeviceSummedSweep<Real> sweep, Range range, bool links) {
  sweep.first_sum = range.first;
  launch_sums(sweep, range);
  using Sweep = DeviceSummedSweep<Real>;
  if (links) {
    this->device().run_teams(range.count, team_bits_,
                             MoveVertices<Real, NoMaterial, forces_only, Sweep>{sweep, range.first});
  } else {
    this->device().run_teams(range.count, team_bits_,
                             MoveVertices<Real, EveryFormula, forces_only, Sweep>{sweep, range.first});
  }
}

template <class Real>
void DeviceVertexSolver<Real>::launch_quadratic(Range range) {
  using Sweep = DeviceQuadraticSweep<Real>;
  Sweep sweep = sweep_;
  sweep.first_sum = range.first;
  if (summed_) launch_sums(sweep, range);
  const bool links =
      std::all_of(views_.begin(), views_.end(), [](const View& view) { return view.layout == VertexLayout::links; });
  if (links && quadratic_.links_only() && !sweep.line_search) {
    this->device().run_teams(range.count, 0, MoveVertices<Real, NoMaterial, false, Sweep>{sweep, range.first});
  } else {
    this->device().run_teams(range.count, 0, MoveVertices<Real, EveryFormula, false, Sweep>{sweep, range.first});
  }
}

template <class Real>
void DeviceVertexSolver<Real>::sweep(const Visits& passes) {
  for (const int32_t pass : passes)
    for (const Range& range : passes_[static_cast<size_t>(pass)]) {
      quadratic_.any() ? launch_quadratic(range) : launch<false>(sweep_, range);
      if (sweep_.contact_sums && !rule_.jacobi)
        contacts_.note_moved(sweep_.moved, range.first, range.first + range.count);
    }
}

template <class Real>
void DeviceVertexSolver<Real>::iterate() {
  const auto count = static_cast<int32_t>(passes_.size());
  constexpr int32_t colors = 1;  // the list that the CPU has for those of the first cluster
  if (contacts_.any()) contacts_.find(this->unknowns().x, this->pool(), sweep_);
  const bool updating = quadratic_.begin_sweep();
  sweep_.quadratic = quadratic_.views(updating);
  if (contacts_.any() || rule_.sweep_order == sweep_random || this->device().recording()) {
    sweep(order_.visits(count, colors));
  } else {
    Recorded& recorded = recorded_[updating ? 2 : order_.reversed() ? 1 : 0];
    if (!recorded.graph || std::memcmp(&recorded.sweep, &sweep_, sizeof sweep_) != 0) {
      std::memcpy(&recorded.sweep, &sweep_, sizeof sweep_);
      this->device().begin_graph();
      sweep(order_.visits(count, colors));
      recorded.graph = this->device().end_graph();
    }
    this->device().play(*recorded.graph);
  }
  if (rule_.jacobi) {
    this->unknowns().x.swap(moved_);
    sweep_.x = this->unknowns().x.data();
    sweep_.moved = moved_.data();
  }
  order_.end_sweep();
  sweep_.quadratic = quadratic_.views(false);
  if (rule_.sweep_order == sweep_forward) {
    quadratic_.update_in_next_sweep();
  } else if (order_.begins_round()) {
    quadratic_.update(this->unknowns().x.data());
  }
}

template <class Real>
void DeviceVertexSolver<Real>::forget_launches() {
  DeviceSolver<Real>::forget_launches();
  for (Recorded& recorded : recorded_) recorded = {};
}

template <class Real>
std::string DeviceVertexSolver<Real>::launches() const {
  if (rule_.jacobi || rule_.sweep_order == sweep_random || contacts_.any()) return {};
  return {reinterpret_cast<const char*>(&sweep_), sizeof sweep_};
}

template <class Real>
void DeviceVertexSolver<Real>::residual(DeviceArray<Vec4<Real>>& forces) {
  finish_iterations();
  forces.resize(this->device(), static_cast<size_t>(this->model().slot_count()));
  DeviceSummedSweep<Real> sweep = sweep_;
  sweep.moved = forces.data();
  if (!summed_) return launch<true>(sweep, {0, this->model().slot_count(), 0});
  for (const std::vector<Range>& pass : passes_)
    for (const Range& range : pass) launch<true>(sweep, range);
}

template <class Real>
size_t DeviceVertexSolver<Real>::memory_bytes() const {
  size_t bytes = DeviceSolver<Real>::memory_bytes() + moved_.bytes() + quadratic_.memory_bytes();
  for (const Stream& stream : streams_) bytes += stream.bytes();
  return bytes + contacts_.bytes() + ties_.bytes() + tie_sums_.bytes() + quadratic_sums_.bytes() +
         has_quadratic_.bytes() + grab_ends_.bytes() + grabs_there_.bytes() + glide_begin_.bytes() +
         glide_items_.bytes() + glides_there_.bytes() + activation_.bytes();
}

template <class Real>
size_t DeviceVertexSolver<Real>::DeviceTies::bytes() const {
  size_t bytes = own.bytes() + place.bytes() + any.bytes() + view.bytes();
  for (const Rows& r : rows)
    bytes += r.begin.bytes() + r.muscle.bytes() + r.corners.bytes() + r.weights.bytes() + r.numbers.bytes();
  return bytes;
}

template class DeviceVertexSolver<float>;
template class DeviceVertexSolver<double>;

}  // namespace sinew
