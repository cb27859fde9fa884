#include "solver/vbd.h"

#include <algorithm>
#include <type_traits>

#include "solver/cluster_copy.h"
#include "solver/sweep.h"
#include "solver/sweep_solver.h"

namespace sinew {
namespace {

template <class Real>
class Vbd final : public Solver {
 public:
  explicit Vbd(const VbdOptions& options) : options_(options), kernels_(kernels_with_lanes(options.lanes)) {}

  void prepare(const Model& model, ThreadPool& pool) override {
    pool_ = &pool;
    clusters_ = &model.clusters;
    copies_.assign(static_cast<size_t>(pool.size()), {});
    tell(progress, "solver layouts", 0);
    const Incidence incidence = incidence_of(model.tets, static_cast<size_t>(model.slot_count()), pool);
    streams_.clear();
    batch_begin_.clear();
    for (const ElasticBlock& block : model.blocks) {
      const auto share = [&](int32_t tets) {
        return static_cast<double>(tets) / static_cast<double>(model.tets.size());
      };
      streams_.push_back(build_vertex_stream<Real>(model, block, incidence, layout_of(block), kernels_->lanes<Real>(),
                                                   pool,
                                                   part_of(progress, share(block.first_tet), share(block.last_tet))));
    }
    for (const int32_t slot : model.color_begin) batch_begin_.push_back(slot / kernels_->lanes<Real>());
  }

  void begin_step(const Objective& objective) override {
    const StepProblem& problem = objective.problem();
    const Model& model = *problem.model;
    const auto slots = static_cast<size_t>(model.slot_count());
    load_iterate(problem, 0, *pool_, iterate_);

    target_.resize(slots);
    pool_->for_each(model.slot_count(), [&](size_t s) {
      const Vec3d t = problem.quasistatic ? model.external_force(s) : problem.x_target[s];
      target_[s] = {static_cast<Real>(t.x), static_cast<Real>(t.y), static_cast<Real>(t.z),
                    static_cast<Real>(model.mass[s] * problem.inverse_h2())};
    });
    bool damped = false;
    for (const ElasticBlock& block : model.blocks) damped |= block.damping > 0 && !problem.quasistatic;
    x_prev_.resize(damped ? slots : 0);
    pool_->for_each(static_cast<int64_t>(x_prev_.size()), [&](size_t s) {
      const Vec3d p = problem.x_prev[s];
      x_prev_[s] = {static_cast<Real>(p.x), static_cast<Real>(p.y), static_cast<Real>(p.z), 0};
    });

    sweep_.blocks = streams_.data();
    sweep_.block_count = static_cast<int>(streams_.size());
    sweep_.x = iterate_.x.data();
    sweep_.target = target_.data();
    sweep_.x_prev = x_prev_.data();
    sweep_.inverse_h = static_cast<Real>(problem.quasistatic ? 0 : 1 / problem.h);
    sweep_.quasistatic = problem.quasistatic;
    sweep_.own_block_damping = model.damping_form == DampingForm::own_block;
    sweep_.line_search = options_.line_search;
    sweep_.singular = static_cast<Real>(1e-12);
  }

  void iterate() override {
    if (clusters_->count() > 1) {
      for_each_cluster(*pool_, *clusters_, [&](int thread, int32_t cluster) { sweep_cluster(thread, cluster); });
      return;
    }
    const bool parallel = static_cast<int32_t>(iterate_.x.size()) >= parallel_slots;
    for_each_color(*pool_, batch_begin_, parallel,
                   [&](int32_t, int64_t first, int64_t last) { kernels_->vertex(sweep_, first, last); });
  }

  void positions(std::span<Vec3d> x) const override { store_positions(iterate_, *pool_, x); }
  IterateRef iterate_ref() override { return &iterate_; }

  size_t memory_bytes() const override {
    size_t bytes = (iterate_.x.size() + target_.size() + x_prev_.size()) * sizeof(Vec4<Real>);
    for (const ClusterCopy<Real>& copy : copies_) bytes += copy.memory_bytes();
    for (const VertexStream<Real>& s : streams_) bytes += s.memory_bytes();
    return bytes;
  }

 private:
  VertexLayout layout_of(const ElasticBlock& block) const {
    if (!has_links(block) || options_.layout == layout_frames) return VertexLayout::frames;
    // Packed entries are half the size; what that is worth grows with the distance of the memory.
    const bool pack = options_.layout == layout_packed || (options_.layout == layout_auto && clusters_->count() > 1);
    return pack && std::is_same_v<Real, float> ? VertexLayout::packed : VertexLayout::links;
  }

  // The same as for a mesh of one cluster, on a copy that lies in the core's own cache.
  void sweep_cluster(int thread, int32_t cluster) {
    ClusterCopy<Real>& copy = copies_[thread];
    VertexSweep<Real> sweep = sweep_;
    sweep.first_slot = clusters_->slot_begin[cluster];
    sweep.x = copy.take(*clusters_, cluster, iterate_.x);
    if (!x_prev_.empty()) sweep.x_prev = copy.take_previous(*clusters_, cluster, x_prev_);
    for (int32_t k = clusters_->color_begin[cluster]; k < clusters_->color_begin[cluster + 1]; ++k) {
      kernels_->vertex(sweep, batch_begin_[k], batch_begin_[k + 1]);
    }
    copy.give_back(*clusters_, cluster, iterate_.x);
  }

  VbdOptions options_;
  const Kernels* kernels_;
  ThreadPool* pool_ = nullptr;
  const Clusters* clusters_ = nullptr;
  std::vector<ClusterCopy<Real>> copies_;  // of each thread
  std::vector<VertexStream<Real>> streams_;
  std::vector<int32_t> batch_begin_;
  Iterate<Real> iterate_;
  Buffer<Vec4<Real>> target_, x_prev_;
  VertexSweep<Real> sweep_;
};

}  // namespace

std::unique_ptr<Solver> make_vbd(const SolveOptions& common, const VbdOptions& options, LinearSolverFactory) {
  if (common.precision == double_precision) return std::make_unique<Vbd<double>>(options);
  return std::make_unique<Vbd<float>>(options);
}

}  // namespace sinew
