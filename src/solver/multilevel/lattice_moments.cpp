#include "solver/multilevel/lattice_moments.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "exec/counting_sort.h"
#include "model/rest_shape.h"

namespace sinew {
namespace {

constexpr uint8_t glides = 2;

// The whole matrix, by pairs of the monomials 1, u, v, uv, w, uw, vw, uvw of the place in a cell.
using Blocks = std::array<std::array<Mat3d, cell_corners>, cell_corners>;

// Converts from monomials to corners: along each axis and on either side, N is 1 - u at 0 and u at 1.
template <class Block>
void to_corners(std::array<std::array<Block, cell_corners>, cell_corners>& m) {
  for (int bit = 1; bit < cell_corners; bit <<= 1) {
    for (int a = 0; a < cell_corners; ++a) {
      if (a & bit) continue;
      for (int b = 0; b < cell_corners; ++b) m[a][b] = m[a][b] - m[a | bit][b];
    }
    for (int a = 0; a < cell_corners; ++a) {
      for (int b = 0; b < cell_corners; ++b) {
        if (!(b & bit)) m[a][b] = m[a][b] - m[a][b | bit];
      }
    }
  }
}

std::array<double, cell_corners> monomials(Vec3d p) {
  return {1, p.x, p.y, p.x * p.y, p.z, p.x * p.z, p.y * p.z, p.x * p.y * p.z};
}

}  // namespace

// The moments of a cell during summation. For tets whose corners are all free the gradients of 1, u, v and w are the
// same in the whole cell, so only those of the other four are summed.
struct LatticeMoments::Sums {
  static constexpr int bent[4] = {3, 5, 6, 7};  // uv, uw, vw, uvw
  // Of the tets of one block whose corners are all free, weighted by volume.
  double volume = 0;
  Vec3d first[4]{};
  Mat3d second[10]{};
  bool any_free = false;
  // Of all tets, weighted by mu and by lambda + mu.
  Blocks by_mu{}, by_both{};
  bool any = false;
  double ratio = std::numeric_limits<double>::infinity();  // the least lambda / mu

  void take(double mu, double both, double inverse_edge) {
    if (!any_free) return;
    any = true;
    const Vec3d unit[3] = {{inverse_edge, 0, 0}, {0, inverse_edge, 0}, {0, 0, inverse_edge}};
    constexpr int straight[3] = {1, 2, 4};
    const auto add = [&](int a, int b, const Mat3d& g) {
      by_mu[a][b] = by_mu[a][b] + mu * g;
      by_both[a][b] = by_both[a][b] + both * g;
    };
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) add(straight[i], straight[j], outer(volume * unit[i], unit[j]));
      for (int k = 0; k < 4; ++k) {
        add(straight[i], bent[k], outer(unit[i], first[k]));
        add(bent[k], straight[i], outer(first[k], unit[i]));
      }
    }
    for (int k = 0; k < 4; ++k) {
      for (int l = 0; l <= k; ++l) {
        const Mat3d& g = second[k * (k + 1) / 2 + l];
        add(bent[k], bent[l], g);
        if (l < k) add(bent[l], bent[k], transpose(g));
      }
    }
    volume = 0;
    for (Vec3d& v : first) v = {};
    for (Mat3d& m : second) m = {};
    any_free = false;
  }
};

void LatticeMoments::prepare(const Model& model, const LatticeCells& cells, ThreadPool& pool) {
  model_ = &model;
  cells_ = &cells;
  const auto cell_count = static_cast<size_t>(cells.count());
  // Vertices without a cell come last and are not used.
  const auto key = [&](int32_t cell) { return cell < 0 ? cell_count : static_cast<size_t>(cell); };
  counting_sort(
      pool, model.slot_count(), cell_count + 1, [&](int64_t s) { return key(cells.of_slot[s]); }, member_begin_,
      members_);
  const size_t groups = (cell_count + cell_group - 1) / cell_group;
  numbers_.assign(groups * cell_pairs * moment_numbers * cell_group, 0.0f);
  ratios_.assign(groups * cell_group, 0.0f);
  held_.clear();
  inverse_h2_ = -1;

  own_damping_.clear();
  if (model.damping_form != DampingForm::own_block) return;
  for (const ElasticBlock& block : model.blocks) {
    if (block.damping == 0) continue;
    own_damping_.resize(static_cast<size_t>(model.slot_count()), 0);
    // The mean of K_ii = V (mu |g|^2 1 + (lambda + mu) g g^T) over all directions.
    const double modulus =
        block.damping * (block.material.lame.mu + (block.material.lame.lambda + block.material.lame.mu) / 3);
    for (int32_t e = block.first_tet; e < block.last_tet; ++e) {
      const Tet& t = model.tets[e];
      const ElementShape shape(t, model.rest, model.stiffness_factor_of(e));
      for (int k = 0; k < shape.corners; ++k)
        own_damping_[t[k]] += modulus * shape.volume * dot(shape.gradient[k], shape.gradient[k]);
    }
  }
}

namespace {

std::vector<std::pair<int32_t, double>> row_sums(std::span<const Grab> grabs) {
  std::vector<std::pair<int32_t, double>> sums;
  for (const Grab& grab : grabs) {
    double size = 0;
    for (int32_t j = 0; j < grab.count; ++j) size += std::abs(grab.weights[j]);
    for (int32_t j = 0; j < grab.count; ++j)
      sums.push_back({grab.vertices[j], grab.stiffness * std::abs(grab.weights[j]) * size});
  }
  std::sort(sums.begin(), sums.end());
  return sums;
}

}  // namespace

void LatticeMoments::update(const StepProblem& problem, ThreadPool& pool) {
  const bool all = held_.empty() || inverse_h2_ != problem.inverse_h2();
  std::vector<int32_t> grabbed;  // cells whose grabs have changed
  if (auto sums = row_sums(problem.grabs); sums != grabbed_) {
    for (const auto* list : {&sums, &grabbed_})
      for (const auto& [slot, k] : *list) grabbed.push_back(cells_->of_slot[slot]);
    std::sort(grabbed.begin(), grabbed.end());
    grabbed.erase(std::unique(grabbed.begin(), grabbed.end()), grabbed.end());
    grabbed_ = std::move(sums);
  }
  std::vector<uint8_t> before = problem.held;
  for (const Glide& g : problem.glides) before[static_cast<size_t>(g.slot)] = glides;
  held_.swap(before);
  if (!all && held_ == before && grabbed.empty()) return;
  ++revision_;
  if (!all && held_ == before) {
    for (const int32_t cell : grabbed)
      if (cell >= 0) update_cell(cell, problem);
    return;
  }
  inverse_h2_ = problem.inverse_h2();
  const bool strain_rate = model_->damping_form == DampingForm::strain_rate && !problem.quasistatic &&
                           std::any_of(model_->blocks.begin(), model_->blocks.end(),
                                       [](const ElasticBlock& block) { return block.damping > 0; });
  damping_.resize(strain_rate ? numbers_.size() : 0);
  pool.parallel_for(cells_->count(), 1, [&](int64_t first, int64_t last) {
    for (int64_t c = first; c < last; ++c) {
      const auto cell = static_cast<int32_t>(c);
      if (all || changed(cell, before) || std::binary_search(grabbed.begin(), grabbed.end(), cell))
        update_cell(cell, problem);
    }
  });
}

double LatticeMoments::inertia_of(int32_t slot, const StepProblem& problem) const {
  double weight = problem.inverse_h2() * model_->mass[static_cast<size_t>(slot)];
  for (auto k = std::lower_bound(grabbed_.begin(), grabbed_.end(), std::pair{slot, 0.0});
       k != grabbed_.end() && k->first == slot; ++k)
    weight += k->second;
  if (own_damping_.empty() || problem.quasistatic) return weight;
  return weight + own_damping_[static_cast<size_t>(slot)] / problem.h;
}

bool LatticeMoments::changed(int32_t cell, std::span<const uint8_t> before) const {
  const auto other = [&](int32_t s) { return held_[s] != before[s]; };
  for (int64_t k = member_begin_[cell]; k < member_begin_[cell + 1]; ++k) {
    if (other(members_[k])) return true;
  }
  for (const LatticeCells::Share& share : cells_->tets.of(cell)) {
    for (const int32_t v : corners_of(model_->tets[share.element])) {
      if (other(v)) return true;
    }
  }
  return false;
}

// The moments of the tets in a cell, those of each block times factor(block).
template <class Factor>
LatticeMoments::Sums LatticeMoments::sum_tets(int32_t cell, const StepProblem& problem, const Factor& factor) const {
  Sums sums;
  const double inverse_edge = 1 / cells_->frames[cells_->cubes[cell].body].edge;
  const std::span<const LatticeCells::Share> tets = cells_->tets.of(cell);
  size_t k = 0;
  const size_t last = tets.size();
  for (const ElasticBlock& block : model_->blocks) {
    if (k == last) break;
    // A negative lambda would make the volumetric part indefinite.
    const double mu = factor(block) * block.material.lame.mu;
    const double both = mu + factor(block) * std::fmax(block.material.lame.lambda, 0);
    if (k < last && tets[k].element < block.last_tet && mu > 0) sums.ratio = std::fmin(sums.ratio, (both - mu) / mu);
    for (; k < last && tets[k].element < block.last_tet; ++k) {
      if (mu == 0) continue;
      const int32_t e = tets[k].element;
      const Tet& t = model_->tets[e];
      const std::span<const int32_t> corners = corners_of(t);
      if (std::any_of(corners.begin(), corners.end(), [&](int32_t s) { return held_[s] == glides; })) continue;
      const ElementShape shape(t, model_->rest, tets[k].weight * model_->stiffness_factor_of(e));
      std::array<double, cell_corners> at[4];
      bool free = true;
      for (int v = 0; v < shape.corners; ++v) {
        free = free && !problem.held[t[v]];
        at[v] = monomials(cells_->place_in(cell, model_->rest[t[v]]));
      }
      const auto gradient_of = [&](int m) {
        Vec3d g{};
        for (int v = 0; v < shape.corners; ++v) {
          if (!problem.held[t[v]]) g += at[v][m] * shape.gradient[v];
        }
        return g;
      };
      if (free && !shape.plane) {
        sums.any_free = true;
        sums.volume += shape.volume;
        Vec3d d[4];
        for (int m = 0; m < 4; ++m) {
          d[m] = gradient_of(Sums::bent[m]);
          sums.first[m] += shape.volume * d[m];
          for (int l = 0; l <= m; ++l) {
            Mat3d& g = sums.second[m * (m + 1) / 2 + l];
            g = g + outer(shape.volume * d[m], d[l]);
          }
        }
      } else {
        Vec3d d[cell_corners];
        for (int m = 0; m < cell_corners; ++m) d[m] = gradient_of(m);
        sums.any = true;
        for (int a = 0; a < cell_corners; ++a) {
          for (int b = 0; b < cell_corners; ++b) {
            const Mat3d g = outer(shape.volume * d[a], d[b]);
            sums.by_mu[a][b] = sums.by_mu[a][b] + mu * g;
            sums.by_both[a][b] = sums.by_both[a][b] + both * g;
          }
        }
      }
    }
    sums.take(mu, both, inverse_edge);
  }
  if (sums.any) {
    to_corners(sums.by_mu);
    to_corners(sums.by_both);
  }
  return sums;
}

void LatticeMoments::update_cell(int32_t cell, const StepProblem& problem) {
  std::array<std::array<double, cell_corners>, cell_corners> inertia{};
  for (int64_t m = member_begin_[cell]; m < member_begin_[cell + 1]; ++m) {
    const int32_t s = members_[m];
    if (held_[s]) continue;
    const double weight = inertia_of(s, problem);
    if (weight == 0) continue;
    const auto n = trilinear(cells_->place_in(cell, model_->rest[s]));
    for (int a = 0; a < cell_corners; ++a)
      for (int b = 0; b <= a; ++b) inertia[a][b] += weight * n[a] * n[b];
  }

  const auto write = [&](const Sums& sums, bool with_inertia, Buffer<float>& to) {
    float* const out = to.data() + static_cast<size_t>(cell / cell_group) * cell_pairs * moment_numbers * cell_group +
                       static_cast<size_t>(cell % cell_group);
    for (int a = 0; a < cell_corners; ++a) {
      for (int b = 0; b <= a; ++b) {
        const Mat3d &g = sums.by_mu[a][b], &c = sums.by_both[a][b];
        // [w]x = G^T - G
        const double numbers[moment_numbers] = {trace(g),        g.c2.y - g.c1.z,
                                                g.c0.z - g.c2.x, g.c1.x - g.c0.y,
                                                c.c0.x,          c.c0.y,
                                                c.c0.z,          c.c1.x,
                                                c.c1.y,          c.c1.z,
                                                c.c2.x,          c.c2.y,
                                                c.c2.z,          with_inertia ? inertia[a][b] : 0};
        for (int n = 0; n < moment_numbers; ++n)
          out[static_cast<size_t>(cell_pair(a, b) * moment_numbers + n) * cell_group] = static_cast<float>(numbers[n]);
      }
    }
  };
  const Sums elastic = sum_tets(cell, problem, [](const ElasticBlock&) { return 1.0; });
  ratios_[cell] = static_cast<float>(std::isfinite(elastic.ratio) ? elastic.ratio : 0);
  write(elastic, true, numbers_);
  if (damping_.empty()) return;
  write(sum_tets(cell, problem, [&](const ElasticBlock& block) { return block.damping / problem.h; }), false, damping_);
}

size_t LatticeMoments::memory_bytes() const {
  return member_begin_.capacity() * sizeof(int64_t) + members_.capacity() * sizeof(int32_t) +
         own_damping_.capacity() * sizeof(double) + (numbers_.capacity() + damping_.capacity()) * sizeof(float) +
         held_.capacity() + grabbed_.capacity() * sizeof(grabbed_[0]);
}

}  // namespace sinew
