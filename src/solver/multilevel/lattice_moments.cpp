#include "solver/multilevel/lattice_moments.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "exec/counting_sort.h"
#include "model/element_points.h"
#include "solver/by_vertex/multiplier_law.h"

namespace sinew {
namespace {

constexpr uint8_t glides = 2;

// The whole matrix, by pairs of the monomials 1, u, v, uv, w, uw, vw, uvw of the place in a cell.
using CornerBlocks = std::array<std::array<Mat3d, cell_corners>, cell_corners>;

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

// The free nodes of an element, and the monomials there.
struct LatticeMoments::FreeNodes {
  int count = 0, held = 0;
  std::array<int, most_nodes> node;
  std::array<std::array<double, cell_corners>, most_nodes> at;

  // `gradient`: of all nodes.
  Vec3d gradient_of(int monomial, const Vec3d* gradient) const {
    Vec3d g{};
    for (int k = 0; k < count; ++k) g += at[k][monomial] * gradient[node[k]];
    return g;
  }
};

// The moments of a cell during summation. For tets whose nodes are all free the gradients of 1, u, v and w are the
// same in the whole cell, so only those of the other four are summed.
struct LatticeMoments::Sums {
  static constexpr int bent[4] = {3, 5, 6, 7};  // uv, uw, vw, uvw
  // Of the tets of one block whose nodes are all free, weighted by volume.
  double volume = 0;
  Vec3d first[4]{};
  Mat3d second[10]{};
  bool any_free = false;
  // Of all tets, weighted by mu and by lambda + mu.
  CornerBlocks by_mu{}, by_both{};
  bool any = false;
  double ratio = std::numeric_limits<double>::infinity();  // the least lambda / mu

  // Adds an element, or a point of one, of a block whose sums are taken with the same weights mu and both.
  void add(const FreeNodes& nodes, const Vec3d* gradient, double weight, bool plane, double mu, double both) {
    if (nodes.held == 0 && !plane) {
      any_free = true;
      volume += weight;
      Vec3d d[4];
      for (int m = 0; m < 4; ++m) {
        d[m] = nodes.gradient_of(bent[m], gradient);
        first[m] += weight * d[m];
        for (int l = 0; l <= m; ++l) {
          Mat3d& g = second[m * (m + 1) / 2 + l];
          g = g + outer(weight * d[m], d[l]);
        }
      }
      return;
    }
    Vec3d d[cell_corners];
    for (int m = 0; m < cell_corners; ++m) d[m] = nodes.gradient_of(m, gradient);
    any = true;
    for (int a = 0; a < cell_corners; ++a) {
      for (int b = 0; b < cell_corners; ++b) {
        const Mat3d g = outer(weight * d[a], d[b]);
        by_mu[a][b] = by_mu[a][b] + mu * g;
        by_both[a][b] = by_both[a][b] + both * g;
      }
    }
  }

  // Those of a block are complete.
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

void LatticeMoments::prepare(const Model& model, const LatticeCells& cells, bool multipliers, ThreadPool& pool) {
  model_ = &model;
  cells_ = &cells;
  moduli_.clear();
  for (const ElasticBlock& block : model.blocks) {
    const double mean = block.quadratic() ? mean_stiffness(model, block, multipliers) : 0;
    moduli_.push_back({block.material.lame.mu, PointMaterial::of(block).material.lame.lambda, mean});
  }
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
    const PointMaterial points = PointMaterial::of(block);
    const double mu = block.material.lame.mu;
    const double modulus = block.damping * (mu + (points.material.lame.lambda + mu) / 3);
    const auto add = [&](const ElementNodes& nodes, const Vec3d* g, double weight) {
      for (size_t k = 0; k < nodes.size(); ++k) own_damping_[nodes[k]] += weight * dot(g[k], g[k]);
    };
    for (int32_t e = block.first_tet; e < block.last_tet; ++e) {
      for_each_point(model, block, e, [&](const ElementNodes& nodes, std::span<const Vec3d> g, double volume) {
        add(nodes, g.data(), modulus * volume);
      });
      if (points.mean_lambda == 0) continue;
      const ElementShape shape(model.tets[e], model.rest, model.stiffness_factor_of(e));
      Vec3d g[most_nodes];
      mean_node_gradients(shape.gradient, g);
      add(model.nodes_of(e), g, block.damping * points.mean_lambda / 3 * shape.volume);
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
    for (const int32_t v : model_->nodes_of(share.element)) {
      if (other(v)) return true;
    }
  }
  return false;
}

// The moments of the tets in a cell, those of each block times factor(block); with_mean: also what the mean J adds.
template <class Factor>
LatticeMoments::Sums LatticeMoments::sum_tets(int32_t cell, const StepProblem& problem, bool with_mean,
                                              const Factor& factor) const {
  Sums sums;
  const double inverse_edge = 1 / cells_->frames[cells_->cubes[cell].body].edge;
  std::span<const LatticeCells::Share> tets = cells_->tets.of(cell);
  for (size_t n = 0; n < model_->blocks.size() && !tets.empty(); ++n) {
    const ElasticBlock& block = model_->blocks[n];
    const auto outside = [&](const LatticeCells::Share& tet) { return tet.element >= block.last_tet; };
    const auto last = std::find_if(tets.begin(), tets.end(), outside);
    const std::span<const LatticeCells::Share> own(tets.begin(), last);
    tets = tets.subspan(own.size());
    // A negative lambda would make the volumetric part indefinite.
    const double mu = factor(block) * moduli_[n].mu;
    const double both = mu + factor(block) * std::fmax(moduli_[n].lambda, 0);
    if (own.empty() || mu == 0) continue;
    sums.ratio = std::fmin(sums.ratio, (both - mu) / mu);
    const auto add_all = [&](double by_mu, double by_both, const auto& add) {
      for (const LatticeCells::Share& tet : own) {
        FreeNodes nodes;
        if (find_free(cell, tet.element, problem, nodes))
          add(nodes, ElementShape(model_->tets[tet.element], model_->rest,
                                  tet.weight * model_->stiffness_factor_of(tet.element)));
      }
      sums.take(by_mu, by_both, inverse_edge);
    };
    if (!block.quadratic()) {
      add_all(mu, both, [&](const FreeNodes& nodes, const ElementShape& shape) {
        sums.add(nodes, shape.gradient, shape.volume, shape.plane, mu, both);
      });
      continue;
    }
    Vec3d g[most_nodes];
    add_all(mu, both, [&](const FreeNodes& nodes, const ElementShape& shape) {
      for (int q = 0; q < QuadraticTetrahedron::points; ++q) {
        node_gradients(shape.gradient, q, g);
        sums.add(nodes, g, shape.volume / QuadraticTetrahedron::points, false, mu, both);
      }
    });
    const double mean = with_mean ? moduli_[n].mean : 0;
    if (mean == 0) continue;
    add_all(0, mean, [&](const FreeNodes& nodes, const ElementShape& shape) {
      mean_node_gradients(shape.gradient, g);
      sums.add(nodes, g, shape.volume, false, 0, mean);
    });
  }
  if (sums.any) {
    to_corners(sums.by_mu);
    to_corners(sums.by_both);
  }
  return sums;
}

// False if a node glides.
bool LatticeMoments::find_free(int32_t cell, int32_t tet, const StepProblem& problem, FreeNodes& free) const {
  const ElementNodes nodes = model_->nodes_of(tet);
  if (std::any_of(nodes.begin(), nodes.end(), [&](int32_t s) { return held_[s] == glides; })) return false;
  free.count = free.held = 0;
  for (size_t k = 0; k < nodes.size(); ++k) {
    if (problem.held[nodes[k]]) {
      ++free.held;
      continue;
    }
    free.node[free.count] = static_cast<int>(k);
    free.at[free.count++] = monomials(cells_->place_in(cell, model_->rest[nodes[k]]));
  }
  return true;
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
  const Sums elastic = sum_tets(cell, problem, true, [](const ElasticBlock&) { return 1.0; });
  ratios_[cell] = static_cast<float>(std::isfinite(elastic.ratio) ? elastic.ratio : 0);
  write(elastic, true, numbers_);
  if (damping_.empty()) return;
  const auto by_rate = [&](const ElasticBlock& block) { return block.damping / problem.h; };
  write(sum_tets(cell, problem, false, by_rate), false, damping_);
}

size_t LatticeMoments::memory_bytes() const {
  return member_begin_.capacity() * sizeof(int64_t) + members_.capacity() * sizeof(int32_t) +
         own_damping_.capacity() * sizeof(double) + (numbers_.capacity() + damping_.capacity()) * sizeof(float) +
         held_.capacity() + grabbed_.capacity() * sizeof(grabbed_[0]);
}

}  // namespace sinew
