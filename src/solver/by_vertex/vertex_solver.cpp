#include "solver/by_vertex/vertex_solver.h"

#include <algorithm>
#include <array>
#include <type_traits>

#include "solver/sweep_solver.h"

namespace sinew {
namespace {

constexpr int most_lanes = 16;

// Of colours in the order of a sweep; the phases are list 0.
int32_t list_of(int32_t cluster) {
  return 1 + cluster;
}

}  // namespace

template <class Real>
VertexSolver<Real>::VertexSolver(const VertexRule& rule)
    : rule_(rule), order_(rule.sweep_order), kernels_(kernels_with_lanes(rule.lanes)) {}

template <class Real>
void VertexSolver<Real>::prepare(const Model& model, ThreadPool& pool) {
  pool_ = &pool;
  clusters_ = &model.clusters;
  copies_.assign(static_cast<size_t>(pool.size()), {});
  tell(progress, "solver layouts", 0);
  const Incidence incidence = incidence_of(model.tets, static_cast<size_t>(model.slot_count()), pool);
  streams_.clear();
  batch_begin_.clear();
  quadratic_.prepare(model, *kernels_, rule_.layout == layout_frames, pool);
  for (const ElasticBlock& block : model.blocks) {
    if (block.quadratic()) continue;
    const auto share = [&](int32_t tets) { return static_cast<double>(tets) / static_cast<double>(model.tets.size()); };
    streams_.push_back(build_vertex_stream<Real>(model, block, incidence, layout_of(block), kernels_->lanes<Real>(),
                                                 pool,
                                                 part_of(progress, share(block.first_tet), share(block.last_tet))));
  }
  ties_ = model.ties.empty() ? VertexTies<Real>{} : build_vertex_ties<Real>(model, kernels_->lanes<Real>());
  for (const int32_t slot : model.color_begin) batch_begin_.push_back(slot / kernels_->lanes<Real>());
}

// Where the block would be streamed in another layout that has to be built.
template <class Real>
bool VertexSolver<Real>::take_parameters(const Model& model) {
  std::vector<const ElasticBlock*> linear;
  for (const ElasticBlock& block : model.blocks)
    if (!block.quadratic()) linear.push_back(&block);
  if (!quadratic_.can_take(model)) return false;
  for (size_t k = 0; k < streams_.size(); ++k)
    if (layout_of(*linear[k]) != streams_[k].layout || !can_rescale(streams_[k], *linear[k])) return false;
  for (size_t k = 0; k < streams_.size(); ++k) rescale(streams_[k], *linear[k], *pool_);
  quadratic_.take(model);
  return true;
}

template <class Real>
void VertexSolver<Real>::begin_step(const Objective& objective) {
  const StepProblem& problem = objective.problem();
  const Model& model = *problem.model;
  const auto slots = static_cast<size_t>(model.slot_count());
  order_.begin_step(problem.step);
  load_iterate(problem, 0, *pool_, iterate_);
  limits_.begin_step(problem, pool_->size());
  // A base would hide where vertices are stored.
  const bool refined = rule_.refines && problem.quasistatic && std::is_same_v<Real, float> && !limits_.any();
  base_.resize(refined ? slots : 0);
  pool_->for_each(static_cast<int64_t>(base_.size()), [&](size_t s) {
    const Vec3d p = problem.x_start[s];
    Vec4<Real>&x = iterate_.x[s], &b = base_[s];
    b = {x.x, x.y, x.z, 0};
    x = {static_cast<Real>(p.x - b.x), static_cast<Real>(p.y - b.y), static_cast<Real>(p.z - b.z), x.w};
  });

  target_.resize(slots);
  pool_->for_each(model.slot_count(), [&](size_t s) {
    const Vec3d t = problem.quasistatic ? problem.external_force(s) : problem.x_target[s];
    target_[s] = {static_cast<Real>(t.x), static_cast<Real>(t.y), static_cast<Real>(t.z),
                  static_cast<Real>(model.mass[s] * problem.inverse_h2())};
  });
  x_prev_.resize(model.is_damped() && !problem.quasistatic ? slots : 0);
  pool_->for_each(static_cast<int64_t>(x_prev_.size()), [&](size_t s) {
    const Vec3d p = problem.x_prev[s];
    x_prev_[s] = {static_cast<Real>(p.x), static_cast<Real>(p.y), static_cast<Real>(p.z), 0};
  });

  views_.clear();
  for (const VertexStream<Real>& stream : streams_) views_.push_back(view_of(stream));
  sweep_.blocks = views_.data();
  sweep_.block_count = static_cast<int>(views_.size());
  quadratic_.begin_step(problem, rule_.multipliers && !rule_.jacobi);
  sweep_.quadratic = quadratic_.views().data();
  sweep_.quadratic_count = static_cast<int>(quadratic_.views().size());
  ties_view_ = view_of(ties_);
  sweep_.ties = ties_.empty() ? nullptr : &ties_view_;
  sweep_.ties_are_damped = !problem.quasistatic && std::any_of(ties_.rows.begin(), ties_.rows.end(),
                                                               [](const auto& rows) { return rows.damped; });
  const std::span<const uint8_t> damped = sweep_.ties_are_damped ? ties_.any : std::span<const uint8_t>();
  grabs_.begin_step(problem, kernels_->lanes<Real>(), rule_.jacobi, damped);
  sweep_.has_quadratic = grabs_.empty() ? damped.data() : grabs_.has().data();
  iterate_.collided.assign(problem.contacts ? slots : 0, 0);
  contacts_.begin_step(
      problem, kernels_->lanes<Real>(),
      {.at_once = rule_.jacobi, .recolored = rule_.recolors, .shares_penalties = rule_.shares_penalties});
  make_room_for_sums();
  glides_.build(problem.glides, model.slot_count(), kernels_->lanes<Real>());
  glides_view_ = glides_.view();
  sweep_.glides = glides_.items.empty() ? nullptr : &glides_view_;
  activation_.assign(problem.activation.begin(), problem.activation.end());
  sweep_.activation = activation_.data();
  sweep_.target = target_.data();
  sweep_.x_prev = x_prev_.data();
  sweep_.inverse_h = static_cast<Real>(problem.quasistatic ? 0 : 1 / problem.h);
  sweep_.quasistatic = problem.quasistatic;
  sweep_.own_block_damping = model.damping_form == DampingForm::own_block;
  sweep_.stiffness = rule_.stiffness;
  sweep_.diagonal = rule_.diagonal;
  sweep_.relaxation = static_cast<Real>(rule_.relaxation);
  sweep_.line_search = rule_.line_search;
  sweep_.singular = static_cast<Real>(1e-12);
}

template <class Real>
int64_t VertexSolver<Real>::grain() const {
  // A vertex of quadratic tets is worth ten of linear ones, a corner several middles.
  const int64_t least = quadratic_.any() ? least_shared / 16 : least_shared;
  return std::max<int64_t>(least / kernels_->lanes<Real>(), 1);
}

template <class Real>
void VertexSolver<Real>::make_room_for_sums() {
  const bool none = ties_.empty() && grabs_.empty() && !contacts_.any();
  sums_.resize(none ? 0 : clusters_->count() > 1 ? copies_.size() : 1);
  int32_t most = 0;  // batches of a colour
  for (size_t k = 1; k < batch_begin_.size(); ++k) most = std::max(most, batch_begin_[k] - batch_begin_[k - 1]);
  const size_t rows = static_cast<size_t>(most) * static_cast<size_t>(kernels_->lanes<Real>()) * rows_of_sums;
  for (ColorSums& sums : sums_) {
    sums.ties.resize(ties_.empty() ? 0 : rows);
    sums.quadratic.resize(sweep_.ties_are_damped || !grabs_.empty() ? rows : 0);
    sums.contacts.resize(contacts_.any() ? rows : 0);
  }
}

// Those that hold for the next sweep.
template <class Real>
void VertexSolver<Real>::find_contacts(bool anew) {
  if (!contacts_.any() || !contacts_.find(iterate_.x, base_, *pool_, anew)) return;
  contacts_.mark(iterate_.collided);
  if (!rule_.recolors) return;
  color_begin_.clear();
  for (const int32_t batch : batch_begin_) color_begin_.push_back(batch * kernels_->lanes<Real>());
  contacts_.take_turns(color_begin_);
}

// `sweep` of one colour.
template <class Real>
VertexSweep<Real> VertexSolver<Real>::in_color(VertexSweep<Real> sweep, int thread, int32_t color) {
  if (sums_.empty()) return sweep;
  ColorSums& sums = sums_[thread];
  sweep.tie_sums = sums.ties.data();
  sweep.quadratic_sums = sums.quadratic.empty() ? nullptr : sums.quadratic.data();
  sweep.contact_sums = contacts_.empty() ? nullptr : sums.contacts.data();
  sweep.has_contact = contacts_.has().data();
  sweep.first_sum = sweep.own(int64_t{batch_begin_[color]} * kernels_->lanes<Real>());
  return sweep;
}

// Moves the vertices of one colour, or writes their forces, by threads of the pool unless it is null.
template <class Real>
void VertexSolver<Real>::move_color(const VertexSweep<Real>& sweep, int thread, int32_t color, ThreadPool* pool) {
  const int32_t begin = batch_begin_[color], end = batch_begin_[color + 1];
  const bool in_place = !sweep.residual && !rule_.jacobi, limited = in_place && limits_.any();
  const std::span<const Waiting> waiting = in_place ? contacts_.waiting(color) : std::span<const Waiting>();
  if (limited) limits_.keep(sweep, thread, slot_begin(color), slot_begin(color + 1));
  if (!waiting.empty()) {
    Buffer<Vec4<Real>>& before = sums_[thread].waiting;
    before.resize(waiting.size());
    for (size_t k = 0; k < waiting.size(); ++k) before[k] = sweep.x[sweep.own(waiting[k].slot)];
  }
  if (pool) {
    pool->parallel_for(end - begin, grain(),
                       [&](int64_t first, int64_t last) { kernels_->vertex(sweep, begin + first, begin + last); });
  } else {
    kernels_->vertex(sweep, begin, end);
  }
  for (size_t k = 0; k < waiting.size(); ++k) sweep.moved[sweep.own(waiting[k].slot)] = sums_[thread].waiting[k];
  if (limited) limits_.apply(sweep, thread, slot_begin(color), slot_begin(color + 1), pool);
  if (in_place && !contacts_.empty()) contacts_.note_moved(sweep, slot_begin(color), slot_begin(color + 1));
  if (!waiting.empty()) move_waiting(sweep, thread, color);
}

// Turn by turn. The kernel moves whole batches, whose other vertices are put back.
template <class Real>
void VertexSolver<Real>::move_waiting(const VertexSweep<Real>& sweep, int thread, int32_t color) {
  const std::span<const Waiting> waiting = contacts_.waiting(color);
  const int lanes = kernels_->lanes<Real>();
  for (size_t first = 0; first < waiting.size();) {
    const int32_t batch = waiting[first].slot / lanes, from = batch * lanes;
    size_t last = first + 1;
    while (last < waiting.size() && waiting[last].turn == waiting[first].turn && waiting[last].slot / lanes == batch)
      ++last;
    contacts_.add(*kernels_, sweep, from, from + lanes, nullptr);
    if (limits_.any()) limits_.keep(sweep, thread, from, from + lanes);
    Vec4<Real>* const at = sweep.moved + sweep.own(from);
    std::array<Vec4<Real>, most_lanes> before;
    std::copy_n(at, lanes, before.begin());
    kernels_->vertex(sweep, batch, batch + 1);
    size_t next = first;
    for (int32_t k = 0; k < lanes; ++k) {
      if (next < last && waiting[next].slot == from + k) {
        ++next;
      } else {
        at[k] = before[static_cast<size_t>(k)];
      }
    }
    if (limits_.any()) limits_.apply(sweep, thread, from, from + lanes, nullptr);
    contacts_.note_moved(sweep, from, from + lanes);
    first = last;
  }
}

// Threads share the colours; what ties and grabs add is summed up before any vertex of the colour moves.
template <class Real>
void VertexSolver<Real>::sweep_together(const VertexSweep<Real>& all) {
  for (const int32_t color : order_.visits(static_cast<int32_t>(batch_begin_.size()) - 1, list_of(0))) {
    const VertexSweep<Real> sweep = in_color(all, 0, color);
    if (sweep.ties) {
      const int32_t begin = ties_.pack_begin[color];
      pool_->parallel_for(ties_.pack_begin[color + 1] - begin, grain(),
                          [&](int64_t first, int64_t last) { kernels_->ties(sweep, begin + first, begin + last); });
    }
    if (!grabs_.empty()) grabs_.add(sweep, slot_begin(color), slot_begin(color + 1));
    if (!contacts_.empty()) contacts_.add(*kernels_, sweep, slot_begin(color), slot_begin(color + 1), pool_);
    move_color(sweep, 0, color, pool_);
  }
}

// The colours of a cluster, by one thread.
template <class Real>
void VertexSolver<Real>::sweep_colors(const VertexSweep<Real>& all, int thread, int32_t cluster) {
  const int32_t first_color = clusters_->color_begin[cluster];
  for (const int32_t k : order_.visits(clusters_->color_begin[cluster + 1] - first_color, list_of(cluster))) {
    const int32_t color = first_color + k;
    const VertexSweep<Real> sweep = in_color(all, thread, color);
    if (sweep.ties) kernels_->ties(sweep, ties_.pack_begin[color], ties_.pack_begin[color + 1]);
    if (!grabs_.empty()) grabs_.add(sweep, slot_begin(color), slot_begin(color + 1));
    if (!contacts_.empty()) contacts_.add(*kernels_, sweep, slot_begin(color), slot_begin(color + 1), nullptr);
    move_color(sweep, thread, color, nullptr);
  }
}

template <class Real>
void VertexSolver<Real>::iterate() {
  moved_.resize(rule_.jacobi ? iterate_.x.size() : 0);
  find_contacts(false);
  quadratic_.begin_sweep();
  if (clusters_->count() > 1) {
    const Visits phases = order_.visits(clusters_->phase_count());
    const auto sweep = [&](int thread, int32_t cluster) { sweep_cluster(thread, cluster); };
    // A contact joins clusters that are no neighbours.
    if (contacts_.any()) {
      ClusterSweeps::run_phases(
          *pool_, *clusters_, phases, [&] { contacts_.begin_phase(); }, sweep);
    } else {
      cluster_sweeps_.run(*pool_, *clusters_, phases, sweep);
    }
  } else {
    sweep_.x = iterate_.x.data();
    sweep_.base = base_.empty() ? nullptr : base_.data();
    sweep_.moved = rule_.jacobi ? moved_.data() : iterate_.x.data();
    sweep_together(sweep_);
  }
  if (rule_.jacobi) {
    if (limits_.any()) limits_.apply(iterate_.x, moved_, *pool_);
    iterate_.x.swap(moved_);
  }
  order_.end_sweep();
  quadratic_.end_sweep();
  // What takes turns is visited more than once.
  if (rule_.sweep_order == sweep_forward && !rule_.recolors) {
    quadratic_.update_in_next_sweep();
  } else if (order_.begins_round()) {  // after both of two symmetric sweeps: after each they would grow without limit
    quadratic_.update(iterate_.x, base_);
  }
}

template <class Real>
void VertexSolver<Real>::positions(std::span<Vec3d> x) const {
  store_positions(iterate_, *pool_, x);
  if (base_.empty()) return;
  pool_->for_each(static_cast<int64_t>(x.size()), [&](size_t s) { x[s] += Vec3d{base_[s].x, base_[s].y, base_[s].z}; });
}

// Base and displacement are added; the displacement becomes the rounding error of that sum (Knuth 1969, 4.2.2).
template <class Real>
void VertexSolver<Real>::rebase() {
  pool_->for_each(static_cast<int64_t>(base_.size()), [&](size_t s) {
    const auto take = [](Real& base, Real& rest) {
      const Real sum = base + rest, added = sum - base;
      rest = (base - (sum - added)) + (rest - added);
      base = sum;
    };
    Vec4<Real>&b = base_[s], &x = iterate_.x[s];
    take(b.x, x.x);
    take(b.y, x.y);
    take(b.z, x.z);
  });
}

template <class Real>
size_t VertexSolver<Real>::memory_bytes() const {
  size_t bytes =
      (iterate_.x.size() + base_.size() + moved_.size() + target_.size() + x_prev_.size()) * sizeof(Vec4<Real>);
  for (const ClusterCopy<Real>& copy : copies_) bytes += copy.memory_bytes();
  for (const VertexStream<Real>& s : streams_) bytes += s.memory_bytes();
  for (const ColorSums& sums : sums_)
    bytes +=
        (sums.ties.size() + sums.quadratic.size() + sums.contacts.size() + sums.waiting.size()) * sizeof(Vec4<Real>);
  return bytes + quadratic_.memory_bytes() + ties_.memory_bytes() + grabs_.memory_bytes() + contacts_.memory_bytes() +
         limits_.memory_bytes() + glides_.memory_bytes();
}

template <class Real>
VertexLayout VertexSolver<Real>::layout_of(const ElasticBlock& block) const {
  if (!has_links(block) || rule_.layout == layout_frames) return VertexLayout::frames;
  // Packed entries have half the size, which matters more on large meshes, whose data lies farther from the core.
  const bool pack = rule_.layout == layout_packed || (rule_.layout == layout_auto && clusters_->count() > 1);
  return pack && std::is_same_v<Real, float> ? VertexLayout::packed : VertexLayout::links;
}

// Sweeps as on a mesh of one cluster, on a copy that stays in the core's own cache.
template <class Real>
void VertexSolver<Real>::sweep_cluster(int thread, int32_t cluster) {
  ClusterCopy<Real>& copy = copies_[thread];
  VertexSweep<Real> sweep = sweep_;
  sweep.first_slot = clusters_->slot_begin[cluster];
  sweep.own_count = clusters_->own_count(cluster);
  Vec4<Real>* const here = copy.take(*clusters_, cluster, iterate_.x);
  sweep.x = here;
  sweep.moved = rule_.jacobi ? moved_.data() + sweep.first_slot : here;
  if (!x_prev_.empty()) sweep.x_prev = copy.take_previous(*clusters_, cluster, x_prev_);
  sweep.base = base_.empty() ? nullptr : copy.take_base(*clusters_, cluster, base_);
  sweep_colors(sweep, thread, cluster);
  if (!rule_.jacobi) copy.give_back(*clusters_, cluster, iterate_.x);
}

// No position changes, so clusters may be visited in any order.
template <class Real>
void VertexSolver<Real>::residual(Buffer<Vec4<Real>>& forces) {
  find_contacts(true);
  settle_pressures();
  VertexSweep<Real> sweep = sweep_;
  sweep.residual = true;
  if (clusters_->count() == 1) {
    sweep.x = iterate_.x.data();
    sweep.base = base_.empty() ? nullptr : base_.data();
    sweep.moved = forces.data();
    if (!sums_.empty()) {
      sweep_together(sweep);
      return;
    }
    const int64_t first_batch = batch_begin_.front(), batches = batch_begin_.back() - first_batch;
    pool_->parallel_for(batches, grain(), [&](int64_t first, int64_t last) {
      kernels_->vertex(sweep, first_batch + first, first_batch + last);
    });
    return;
  }
  pool_->parallel_for(clusters_->count(), 1, [&](int thread, int64_t first, int64_t last) {
    ClusterCopy<Real>& copy = copies_[thread];
    VertexSweep<Real> own = sweep;
    for (auto cluster = static_cast<int32_t>(first); cluster < last; ++cluster) {
      own.first_slot = clusters_->slot_begin[cluster];
      own.own_count = clusters_->own_count(cluster);
      own.x = copy.take(*clusters_, cluster, iterate_.x);
      own.moved = forces.data() + own.first_slot;
      if (!x_prev_.empty()) own.x_prev = copy.take_previous(*clusters_, cluster, x_prev_);
      own.base = base_.empty() ? nullptr : copy.take_base(*clusters_, cluster, base_);
      sweep_colors(own, thread, cluster);
    }
  });
}

template class VertexSolver<float>;
template class VertexSolver<double>;

}  // namespace sinew
