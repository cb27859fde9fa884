#include "solver/multilevel/lattice.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/format.h"
#include "element/strain_rate.h"
#include "model/element_points.h"
#include "solver/multilevel/lattice_kinks.h"
#include "solver/multilevel/lattice_matrix.h"

namespace sinew {
namespace {

// A cell with a smaller det F is nearly flat or inverted, and has no meaningful rotation.
constexpr double least_volume = 0.05;

}  // namespace

// A block of the lattice's matrix is identified by 31 bits: a pair of corners of a cell, and whether it is transposed.
Status check_lattice_size(const Model& model, double spacing) {
  const double side = spacing;
  // There are no more cells than vertices, and if cells are full, fewer by the number of vertices in each.
  const double cells = std::fmin(model.order.vertex_count(), 4.0 * model.order.vertex_count() / (side * side * side));
  constexpr double most = 2147483647.0 / (2 * cell_pairs);
  if (cells <= most) return {};
  return Error{"solver.spacing",
               format("= %g: makes up to %.2g cells of %d vertices, and more than 2^31 blocks of their matrix", side,
                      cells, model.order.vertex_count()),
               "take a larger spacing, 4 by default"};
}

void Lattice::prepare(const Model& model, const Bodies& bodies, std::span<const uint8_t> wanted, double spacing,
                      const LatticeKernels& kernels, ThreadPool& pool, bool multipliers) {
  model_ = &model;
  kernels_ = &kernels;
  cells_ = lattice_cells(model, bodies, wanted, spacing, pool);
  moments_.prepare(model, cells_, multipliers, pool);
  make_members();
  make_rims(pool);
  const size_t cell_groups = (cells_.cubes.size() + cell_group - 1) / cell_group;
  deformation_.assign(cell_groups * 9 * cell_group, 0.0f);
  matrices_.assign(cell_groups * cell_group * cell_pairs * 3, Vec4<float>{0, 0, 0, 0});
  shares_.assign(cells_.cubes.size() * cell_corners, Vec4<float>{0, 0, 0, 0});
  pairs_.clear();
  tie_couplings_.clear();
  kinks_.clear();
  held_.clear();
  prepare_cycle();
}

// Puts cells with their vertices into groups, then vertices without cells, in lists about as long as those of cells.
void Lattice::make_members() {
  constexpr int32_t alone = 4 * member_group;
  const auto cell_count = static_cast<size_t>(cells_.count());
  std::vector<std::vector<int32_t>> of_cell(cell_count);
  std::vector<int32_t> others;
  for (int32_t s = 0; s < model_->slot_count(); ++s) {
    if (model_->mass[s] == 0) continue;
    if (cells_.of_slot[s] >= 0) {
      of_cell[cells_.of_slot[s]].push_back(s);
    } else {
      others.push_back(s);
    }
  }
  for (size_t k = 0; k < others.size(); k += alone) {
    const auto begin = others.begin() + static_cast<std::ptrdiff_t>(k);
    of_cell.emplace_back(begin, begin + std::min<std::ptrdiff_t>(alone, others.end() - begin));
  }
  groups_.clear();
  member_slots_.clear();
  for (const std::vector<int32_t>& list : of_cell) {
    CellMembers cell{};
    cell.node.fill(-1);
    cell.first_group = static_cast<int32_t>(member_slots_.size() / member_group);
    cell.count = static_cast<int32_t>(list.size());
    groups_.push_back(cell);
    member_slots_.insert(member_slots_.end(), list.begin(), list.end());
    while (member_slots_.size() % member_group != 0) member_slots_.push_back(list.back());
  }
  places_.assign(member_slots_.size() * 4, 0.0f);
  for (size_t c = 0; c < groups_.size(); ++c) {
    const CellMembers& cell = groups_[c];
    for (int32_t k = 0; k < cell.count; ++k) {
      const size_t at = static_cast<size_t>(cell.first_group) * member_group + static_cast<size_t>(k);
      float* const out = places_.data() + at / member_group * 4 * member_group + at % member_group;
      const Vec3d p =
          c < cell_count ? cells_.place_in(static_cast<int32_t>(c), model_->rest[member_slots_[at]]) : Vec3d{};
      out[0] = static_cast<float>(p.x);
      out[member_group] = static_cast<float>(p.y);
      out[2 * member_group] = static_cast<float>(p.z);
      out[3 * member_group] = 1;
    }
  }
}

void Lattice::make_rims(ThreadPool& pool) {
  struct Rim {
    std::vector<int32_t> slots;
    std::vector<Vec3d> b;
  };
  std::vector<Rim> rims(cells_.cubes.size());
  plane_.assign(cells_.cubes.size(), 0);
  pool.parallel_for(cells_.count(), 1, [&](int64_t first, int64_t last) {
    std::vector<int32_t> index(static_cast<size_t>(model_->slot_count()), -1);
    Rim all;
    for (int64_t c = first; c < last; ++c) {
      all.slots.clear();
      all.b.clear();
      double volume = 0;
      for (const LatticeCells::Share& share : cells_.tets.of(static_cast<int32_t>(c))) {
        const ElementShape shape(model_->tets[share.element], model_->rest, share.weight);
        const ElementNodes nodes = model_->nodes_of(share.element);
        const bool quadratic = model_->is_quadratic(share.element);
        Vec3d mean[most_nodes];
        if (quadratic) mean_node_gradients(shape.gradient, mean);
        plane_[c] = shape.plane;
        volume += shape.volume;
        for (size_t k = 0; k < nodes.size(); ++k) {
          int32_t& at = index[nodes[k]];
          if (at < 0) {
            at = static_cast<int32_t>(all.slots.size());
            all.slots.push_back(nodes[k]);
            all.b.push_back({});
          }
          all.b[at] += shape.volume * (quadratic ? mean[k] : shape.gradient[k]);
        }
      }
      // For vertices inside the cell b is 0 up to rounding.
      const double edge = cells_.frames[cells_.cubes[c].body].edge, least = 1e-6 * volume / edge;
      Rim& rim = rims[c];
      for (size_t k = 0; k < all.slots.size(); ++k) {
        index[all.slots[k]] = -1;
        if (std::sqrt(dot(all.b[k], all.b[k])) < least) continue;
        rim.slots.push_back(all.slots[k]);
        rim.b.push_back((1 / volume) * all.b[k]);
      }
    }
  });
  rim_begin_.assign(1, 0);
  rim_slots_.clear();
  for (const Rim& rim : rims) {
    rim_slots_.insert(rim_slots_.end(), rim.slots.begin(), rim.slots.end());
    while (rim_slots_.size() % member_group != 0) rim_slots_.push_back(rim.slots[0]);
    rim_begin_.push_back(static_cast<int32_t>(rim_slots_.size() / member_group));
  }
  rim_.assign(rim_slots_.size() * 3, 0.0f);
  for (size_t c = 0; c < rims.size(); ++c) {
    for (size_t k = 0; k < rims[c].b.size(); ++k) {
      const size_t at = static_cast<size_t>(rim_begin_[c]) * member_group + k;
      float* const out = rim_.data() + at / member_group * 3 * member_group + at % member_group;
      out[0] = static_cast<float>(rims[c].b[k].x);
      out[member_group] = static_cast<float>(rims[c].b[k].y);
      out[2 * member_group] = static_cast<float>(rims[c].b[k].z);
    }
  }
}

// Rebuilds the levels for the current couplings, and what depends on their order of nodes.
void Lattice::prepare_cycle() {
  std::vector<NodeCoupling> couplings = tie_couplings_;
  for (const Pair& pair : pairs_) couplings.push_back(pair.coupling);
  cycle_.prepare(cells_.cubes, cells_.node_count, std::move(couplings), kinks_);
  has_new_kinks_ = false;
  for (int32_t c = 0; c < cells_.count(); ++c)
    for (int a = 0; a < cell_corners; ++a) groups_[c].node[a] = cycle_.place_of(cells_.cubes[c].node[a]);
  share_begin_.assign(static_cast<size_t>(cycle_.place_count()) + 1, 0);
  for (int32_t c = 0; c < cells_.count(); ++c)
    for (const int32_t n : groups_[c].node) ++share_begin_[n + 1];
  for (int32_t n = 0; n < cycle_.place_count(); ++n) share_begin_[n + 1] += share_begin_[n];
  shares_of_.resize(static_cast<size_t>(share_begin_.back()));
  std::vector<int32_t> next(share_begin_.begin(), share_begin_.end() - 1);
  for (int32_t c = 0; c < cells_.count(); ++c)
    for (int a = 0; a < cell_corners; ++a) shares_of_[next[groups_[c].node[a]]++] = c * cell_corners + a;
}

// Expresses a weighted sum of vertices by the nodes of the lattice.
NodeCoupling Lattice::coupling_of(std::span<const int32_t> slots, std::span<const double> weights) const {
  NodeCoupling result;
  for (size_t k = 0; k < slots.size(); ++k) {
    const int32_t cell = cells_.of_slot[slots[k]];
    if (cell < 0 || (!held_.empty() && held_[slots[k]])) continue;
    const auto n = trilinear(cells_.place_in(cell, model_->rest[slots[k]]));
    for (int a = 0; a < cell_corners; ++a) {
      const int32_t node = cells_.cubes[cell].node[a];
      const auto at =
          std::find_if(result.ends.begin(), result.ends.end(), [&](const auto& e) { return e.node == node; });
      const auto weight = static_cast<float>(weights[k] * n[a]);
      if (at == result.ends.end()) {
        result.ends.push_back({node, weight});
      } else {
        at->weight += weight;
      }
    }
  }
  std::sort(result.ends.begin(), result.ends.end(), [](const auto& a, const auto& b) { return a.node < b.node; });
  return result;
}

void Lattice::add_pair(std::span<const int32_t> slots, std::span<const double> weights, const Mat3d& k) {
  Pair pair{coupling_of(slots, weights), {}};
  if (pair.coupling.ends.empty()) return;
  const auto narrow = [](Vec3d v) {
    return Vec3f{static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
  };
  pair.stiffness = {narrow(k.c0), narrow(k.c1), narrow(k.c2)};
  pairs_.push_back(std::move(pair));
}

void Lattice::begin_step(const StepProblem& problem, ThreadPool& pool) {
  moments_.update(problem, pool);
  glides_.begin_step(problem, cells_, moments_);
  activation_ = problem.activation;
  small_gain_ = problem.quasistatic ? 0.01 : 0.1;
  find_damping(problem, pool);
  if (held_ == problem.held) return;
  held_ = problem.held;
  tie_couplings_.clear();
  for (const int32_t t : cells_.far_ties)
    tie_couplings_.push_back(coupling_of(model_->ties.vertices_of(t), model_->ties.weights_of(t)));
  if (std::vector<NodePair> kinks = lattice_kinks(*model_, cells_, moments_, held_, pool); kinks != kinks_) {
    kinks_ = std::move(kinks);
    has_new_kinks_ = true;
  }
}

// Finds what damping needs of the start of the step.
void Lattice::find_damping(const StepProblem& problem, ThreadPool& pool) {
  const std::vector<Vec3d>& x = problem.x_prev;
  before_.resize(moments_.damping() ? cells_.cubes.size() : 0);
  pool.for_each(static_cast<int64_t>(before_.size()), [&](size_t c) {
    Mat3d f = plane_[c] ? outer(Vec3d{0, 0, 1}, Vec3d{0, 0, 1}) : Mat3d{};
    const size_t first = static_cast<size_t>(rim_begin_[c]) * member_group;
    const size_t last = static_cast<size_t>(rim_begin_[c + 1]) * member_group;
    for (size_t k = first; k < last; ++k) {
      const float* b = rim_.data() + k / member_group * 3 * member_group + k % member_group;
      f = f + outer(x[rim_slots_[k]] - x[rim_slots_[first]], Vec3d{b[0], b[member_group], b[2 * member_group]});
    }
    const auto narrow = [](Vec3d v) {
      return Vec3f{static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
    };
    before_[c] = {narrow(f.c0), narrow(f.c1), narrow(f.c2)};
  });

  const Ties& ties = model_->ties;
  const auto is_damped = [](const TieLaw<double>& law) { return law.damping > 0; };
  const bool any = !problem.quasistatic && std::any_of(ties.laws.begin(), ties.laws.end(), is_damped);
  tie_damping_.assign(any ? ties.laws.size() : 0, Mat3d{});
  pool.for_each(static_cast<int64_t>(tie_damping_.size()), [&](size_t t) {
    if (!is_damped(ties.laws[t])) return;
    const Sym3<double> k =
        StretchRate<double>::of(ties.laws[t], 1 / problem.h, ties.vector(static_cast<int32_t>(t), x)).matrix();
    tie_damping_[t] = {{k.xx, k.xy, k.xz}, {k.xy, k.yy, k.yz}, {k.xz, k.yz, k.zz}};
  });
}

void Lattice::add_damping(ThreadPool& pool) {
  pool.for_each(static_cast<int64_t>(before_.size()), [&](size_t c) {
    for (size_t pair = 0; pair < cell_pairs; ++pair) {
      const float* m =
          moments_.damping() + (c / cell_group * cell_pairs + pair) * moment_numbers * cell_group + c % cell_group;
      add_to_columns(matrices_.data() + (c * cell_pairs + pair) * 3, damping_of_pair(before_[c], m));
    }
  });
}

namespace {

bool same(const NodeCoupling& a, const NodeCoupling& b) {
  return std::equal(a.ends.begin(), a.ends.end(), b.ends.begin(), b.ends.end(),
                    [](const auto& p, const auto& q) { return p.node == q.node && p.weight == q.weight; });
}

}  // namespace

// The stiffness of a tie, symmetric and positive semi-definite.
template <class Real>
Mat3d Lattice::stiffness_of(int32_t tie, std::span<const Vec4<Real>> x) const {
  const TieLaw<double>& law = model_->ties.laws[tie];
  const auto ends = model_->ties.vertices_of(tie);
  const auto weights = model_->ties.weights_of(tie);
  Vec3d c{};
  for (size_t k = 1; k < ends.size(); ++k) {
    const Vec4<Real>&p = x[ends[k]], &q = x[ends[0]];
    c += weights[k] *
         Vec3d{static_cast<double>(p.x) - q.x, static_cast<double>(p.y) - q.y, static_cast<double>(p.z) - q.z};
  }
  const Sym3<double> k = tie_stiffness(law, c, law.activation(activation_.data()), true).matrix();
  const Mat3d elastic{{k.xx, k.xy, k.xz}, {k.xy, k.yy, k.yz}, {k.xz, k.yz, k.zz}};
  return tie_damping_.empty() ? elastic : elastic + tie_damping_[tie];
}

// For ties within a cell, or nearly so, the cell's functions are extended to its neighbours, as for tets.
template <class Real>
void Lattice::add_ties(std::span<const Vec4<Real>> x, ThreadPool& pool) {
  if (cells_.ties.items.empty()) return;
  pool.parallel_for(cells_.count(), 1, [&](int64_t first, int64_t last) {
    for (auto cell = static_cast<int32_t>(first); cell < last; ++cell) {
      for (const LatticeCells::Share& share : cells_.ties.of(cell)) {
        const int32_t t = share.element;
        const Mat3d k = stiffness_of(t, x);
        const auto ends = model_->ties.vertices_of(t);
        const auto weights = model_->ties.weights_of(t);
        Vec4<float>* const own = matrices_.data() + static_cast<size_t>(cell) * cell_pairs * 3;
        if (!glides_.empty()) {
          add_gliding_tie(cell, share, k, own);
          continue;
        }
        std::array<double, cell_corners> q{};
        for (size_t e = 0; e < ends.size(); ++e) {
          if (held_[ends[e]]) continue;
          const auto at = trilinear(cells_.place_in(cell, model_->rest[ends[e]]));
          for (int a = 0; a < cell_corners; ++a) q[a] += weights[e] * at[a];
        }
        const PairMatrix stiffness(k);
        for (int a = 0; a < cell_corners; ++a) {
          for (int b = 0; b <= a; ++b) add_to_pair(own, a, b, share.weight * q[a] * q[b], stiffness);
        }
      }
    }
  });
}

// Adds a tie with ends that glide, of which only the free part counts.
void Lattice::add_gliding_tie(int32_t cell, const LatticeCells::Share& tie, const Mat3d& k, Vec4<float>* matrix) const {
  const auto ends = model_->ties.vertices_of(tie.element);
  const auto weights = model_->ties.weights_of(tie.element);
  for (size_t i = 0; i < ends.size(); ++i) {
    if (held_[ends[i]]) continue;
    const auto p = trilinear(cells_.place_in(cell, model_->rest[ends[i]]));
    const Mat3d rows{glides_.moved(ends[i], k.c0), glides_.moved(ends[i], k.c1), glides_.moved(ends[i], k.c2)};
    for (size_t j = 0; j < ends.size(); ++j) {
      if (held_[ends[j]]) continue;
      const auto q = trilinear(cells_.place_in(cell, model_->rest[ends[j]]));
      const Mat3d t = transpose(rows);
      const PairMatrix m(
          transpose(Mat3d{glides_.moved(ends[j], t.c0), glides_.moved(ends[j], t.c1), glides_.moved(ends[j], t.c2)}));
      const double w = tie.weight * weights[i] * weights[j];
      for (int a = 0; a < cell_corners; ++a)
        for (int b = 0; b <= a; ++b) add_to_pair(matrix, a, b, w * p[a] * q[b], m);
    }
  }
}

template <class Real>
bool Lattice::refresh(std::span<const Vec4<Real>> x, ThreadPool& pool) {
  DeformationSweep<Real> deformation;
  deformation.rim_begin = rim_begin_.data();
  deformation.slot = rim_slots_.data();
  deformation.b = rim_.data();
  deformation.x = x.data();
  deformation.plane = plane_.data();
  deformation.f = deformation_.data();
  const CellMatrixSweep matrices{deformation_.data(), moments_.data(), moments_.ratios(), matrices_.data()};
  const int64_t cell_groups = (cells_.count() + cell_group - 1) / cell_group;
  pool.parallel_for(cell_groups, 1, [&](int64_t first, int64_t last) {
    kernels_->deformation(deformation, first * cell_group, std::min<int64_t>(last * cell_group, cells_.count()));
    kernels_->matrices(matrices, first, last);
  });
  if (!before_.empty()) add_damping(pool);
  add_ties(x, pool);
  glides_.add(x, std::span(matrices_.data(), matrices_.size()), pool);

  std::vector<Mat3<float>> stiffness;
  for (const int32_t t : cells_.far_ties) {
    const Mat3d k = stiffness_of(t, x);
    const auto narrow = [](Vec3d v) {
      return Vec3f{static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
    };
    stiffness.push_back({narrow(k.c0), narrow(k.c1), narrow(k.c2)});
  }
  for (const Pair& pair : pairs_) stiffness.push_back(pair.stiffness);
  const std::vector<NodeCoupling>& used = cycle_.couplings();
  bool as_before = used.size() == stiffness.size() && !has_new_kinks_;
  for (size_t k = 0; as_before && k < used.size(); ++k)
    as_before =
        same(used[k], k < tie_couplings_.size() ? tie_couplings_[k] : pairs_[k - tie_couplings_.size()].coupling);
  if (!as_before) prepare_cycle();
  return cycle_.refresh({matrices_.data(), matrices_.size()}, stiffness, pool);
}

template <class Real>
void Lattice::restrict_forces(std::span<const Vec4<Real>> forces, ThreadPool& pool) {
  const RestrictSweep<Real> sweep{members(), forces.data(), shares_.data()};
  pool.parallel_for(cells_.count(), 16, [&](int64_t first, int64_t last) { kernels_->restrict(sweep, first, last); });
  add_shares(pool);
}

void Lattice::add_shares(ThreadPool& pool) {
  std::vector<Vec4<float>>& right = cycle_.right();
  pool.parallel_for(cycle_.place_count(), 512, [&](int64_t first, int64_t last) {
    for (int64_t n = first; n < last; ++n) {
      Vec4<float> sum{0, 0, 0, 0};
      for (int32_t k = share_begin_[n]; k < share_begin_[n + 1]; ++k) {
        const Vec4<float>& share = shares_[shares_of_[k]];
        sum = {sum.x + share.x, sum.y + share.y, sum.z + share.z, 0};
      }
      right[n] = sum;
    }
  });
}

double Lattice::product() const {
  double sum = 0;
  const std::vector<Vec4<float>>&b = cycle_.right(), &u = cycle_.left();
  for (size_t k = 0; k < b.size(); ++k) {
    sum += static_cast<double>(b[k].x) * u[k].x + static_cast<double>(b[k].y) * u[k].y +
           static_cast<double>(b[k].z) * u[k].z;
  }
  return sum;
}

template <class Real>
double Lattice::solve(std::span<const Vec4<Real>> forces, int cycles, ThreadPool& pool) {
  restrict_forces(forces, pool);
  cycle_.solve(cycles, small_gain_, *kernels_, pool);
  return product();
}

template <class Real>
double Lattice::slope(std::span<const Vec4<Real>> forces, ThreadPool& pool) {
  restrict_forces(forces, pool);
  return product();
}

template <class Real>
void Lattice::move(std::span<Vec4<Real>> x, double scale, ThreadPool& pool) const {
  ProlongSweep<Real> sweep;
  sweep.members = members();
  sweep.u = cycle_.left().data();
  sweep.scale = static_cast<float>(scale);
  sweep.x = x.data();
  std::vector<Vec4<Real>> before;
  for (const Glide& g : glides_.all()) before.push_back(x[g.slot]);
  pool.parallel_for(cells_.count(), 16, [&](int64_t first, int64_t last) { kernels_->prolong(sweep, first, last); });
  for (size_t k = 0; k < before.size(); ++k) {
    Vec4<Real>& p = x[glides_.all()[k].slot];
    p = freed(glides_.all()[k], before[k], p);
  }
}

double Lattice::find_turns(ThreadPool& pool) {
  straight_ = cycle_.left();
  bends_.resize(cells_.cubes.size());
  pool.parallel_for(cells_.count(), 16, [&](int64_t first, int64_t last) {
    for (int64_t c = first; c < last; ++c) {
      Bend& bend = bends_[c];
      bend = {};
      const float* f = deformation_.data() + c / cell_group * 9 * cell_group + c % cell_group;
      const auto at = [&](int n) { return static_cast<double>(f[n * cell_group]); };
      bend.f = {{at(0), at(1), at(2)}, {at(3), at(4), at(5)}, {at(6), at(7), at(8)}};
      const double det = determinant(bend.f);
      if (!(det > least_volume)) continue;
      Mat3d gradient{};
      const double quarter = 0.25 / cells_.frames[cells_.cubes[c].body].edge;
      for (int a = 0; a < cell_corners; ++a) {
        const Vec4<float>& v = straight_[groups_[c].node[a]];
        const Vec3d n{a & 1 ? quarter : -quarter, a & 2 ? quarter : -quarter, a & 4 ? quarter : -quarter};
        gradient = gradient + outer(Vec3d{v.x, v.y, v.z}, n);
      }
      const Mat3d h = gradient * transpose((1 / det) * cofactor(bend.f));
      bend.rotation = {0.5 * (h.c1.z - h.c2.y), 0.5 * (h.c2.x - h.c0.z), 0.5 * (h.c0.y - h.c1.x)};
      bend.strain = 0.5 * (h + transpose(h));
    }
  });
  double square = 0, all = 0;
  for (int32_t c = 0; c < cells_.count(); ++c) {
    square += groups_[c].count * dot(bends_[c].rotation, bends_[c].rotation);
    all += groups_[c].count;
  }
  return all > 0 ? std::sqrt(square / all) : 0;
}

void Lattice::curve(double s, int cycles, ThreadPool& pool) {
  pool.parallel_for(cells_.count(), 16, [&](int64_t first, int64_t last) {
    for (int64_t c = first; c < last; ++c) {
      const Bend& bend = bends_[c];
      const double rate = std::sqrt(dot(bend.rotation, bend.rotation)), angle = s * rate;
      Vec4<float>* const out = shares_.data() + c * cell_corners;
      for (int a = 0; a < cell_corners; ++a) out[a] = {0, 0, 0, 0};
      if (!(angle > 1e-6)) continue;
      const Vec3d w = bend.rotation;
      const Mat3d cross_w{{0, w.z, -w.y}, {-w.z, 0, w.x}, {w.y, -w.x, 0}};
      const Mat3d one = diagonal(1.0, 1.0, 1.0);
      const Mat3d turn =
          one + (std::sin(angle) / rate) * cross_w + ((1 - std::cos(angle)) / (rate * rate)) * (cross_w * cross_w);
      // The gradient of the displacement along the circles, minus that of the straight displacement.
      const Mat3d more = (turn * (one + s * bend.strain) - one - s * (cross_w + bend.strain)) * bend.f;
      const double half = 0.5 * cells_.frames[cells_.cubes[c].body].edge;
      const Vec4<float>* const m = matrices_.data() + static_cast<size_t>(c) * cell_pairs * 3;
      for (int b = 0; b < cell_corners; ++b) {
        const Vec3d d = more * Vec3d{b & 1 ? half : -half, b & 2 ? half : -half, b & 4 ? half : -half};
        for (int a = 0; a < cell_corners; ++a) {
          const Vec4<float>* const k = m + (a >= b ? cell_pair(a, b) : cell_pair(b, a)) * 3;
          const Mat3d block{{k[0].x, k[0].y, k[0].z}, {k[1].x, k[1].y, k[1].z}, {k[2].x, k[2].y, k[2].z}};
          const Vec3d force = (a >= b ? block : transpose(block)) * d;
          out[a].x += static_cast<float>(force.x);
          out[a].y += static_cast<float>(force.y);
          out[a].z += static_cast<float>(force.z);
        }
      }
    }
  });
  add_shares(pool);
  cycle_.solve(cycles, small_gain_, *kernels_, pool);
  std::vector<Vec4<float>>& u = cycle_.left();
  for (size_t n = 0; n < u.size(); ++n) {
    const auto t = static_cast<float>(s);
    u[n] = {u[n].x + t * straight_[n].x, u[n].y + t * straight_[n].y, u[n].z + t * straight_[n].z, 0};
  }
}

template bool Lattice::refresh(std::span<const Vec4<float>>, ThreadPool&);
template bool Lattice::refresh(std::span<const Vec4<double>>, ThreadPool&);
template double Lattice::solve(std::span<const Vec4<float>>, int, ThreadPool&);
template double Lattice::solve(std::span<const Vec4<double>>, int, ThreadPool&);
template double Lattice::slope(std::span<const Vec4<float>>, ThreadPool&);
template double Lattice::slope(std::span<const Vec4<double>>, ThreadPool&);
template void Lattice::move(std::span<Vec4<float>>, double, ThreadPool&) const;
template void Lattice::move(std::span<Vec4<double>>, double, ThreadPool&) const;

size_t Lattice::memory_bytes() const {
  const auto bytes = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  return moments_.memory_bytes() + glides_.memory_bytes() + cycle_.memory_bytes() + bytes(cells_.cubes) +
         bytes(cells_.of_slot) + bytes(cells_.tets.items) + bytes(cells_.ties.items) + bytes(groups_) +
         bytes(member_slots_) + bytes(places_) + bytes(rim_begin_) + bytes(rim_slots_) + bytes(rim_) +
         bytes(deformation_) + bytes(matrices_) + bytes(cells_.far_ties) + bytes(held_) + bytes(kinks_) +
         bytes(shares_) + bytes(share_begin_) + bytes(shares_of_);
}

}  // namespace sinew
