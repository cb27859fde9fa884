#include "solver/multilevel/lattice_cycle.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "solver/multilevel/coarse_cube.h"
#include "solver/multilevel/lattice_matrix.h"

namespace sinew {
namespace {

// Sums are computed over chunks of this many places.
constexpr int64_t chunk_places = 256;
// Levels with fewer places are processed by one thread.
constexpr int32_t shared_places = 1024;
// The least work that a thread takes at a time: about a microsecond.
constexpr int64_t group_grain = 4, place_grain = 64;

// Four numbers that compilers process as one.
using Row4 = float __attribute__((vector_size(16)));
SINEW_INLINE Row4 row(const Vec4<float>& v) {
  return Row4{v.x, v.y, v.z, 0};
}

}  // namespace

void LatticeCycle::fill(Level& level, std::span<const Vec4<float>> cube_matrices,
                        std::span<const Mat3<float>> stiffness, ThreadPool& pool) {
  const auto sum = [&](int64_t target, float* out) {  // out: 9 numbers, node_group apart
    Row4 direct[3]{}, turned[3]{};
    for (int64_t k = level.source_begin[target]; k < level.source_begin[target + 1]; ++k) {
      const int32_t source = level.sources[k];
      const Vec4<float>* m = cube_matrices.data() + static_cast<size_t>(source >> 1) * 3;
      Row4* const to = source & 1 ? turned : direct;
      for (int c = 0; c < 3; ++c) to[c] += row(m[c]);
    }
    for (int c = 0; c < 3; ++c)
      for (int r = 0; r < 3; ++r) out[(3 * c + r) * node_group] = direct[c][r] + turned[r][c];
  };
  const auto entries = static_cast<int64_t>(level.column.size());
  const int64_t groups = level.places / node_group;
  pool.parallel_for(groups, 4, [&](int64_t first, int64_t last) {
    for (int64_t g = first; g < last; ++g) {
      for (int64_t e = level.entry_begin[g]; e < level.entry_begin[g + 1]; ++e)
        for (int lane = 0; lane < node_group; ++lane)
          sum(e * node_group + lane, level.block.data() + e * 9 * node_group + lane);
      for (int lane = 0; lane < node_group; ++lane)
        sum(entries + g * node_group + lane, level.diagonal.data() + g * 9 * node_group + lane);
    }
  });
  const auto numbers_at = [&](int64_t target) {
    const int64_t at = target >= 0 ? target : -1 - target;
    return (target >= 0 ? level.block.data() : level.diagonal.data()) + at / node_group * 9 * node_group +
           at % node_group;
  };
  for (const PairShare& share : level.paired) {
    float* out = numbers_at(share.target);
    for (const int n : {0, 4, 8}) out[n * node_group] += share.k;
  }
  for (const CouplingShare& share : level.coupled) {
    float* out = numbers_at(share.target);
    const Mat3<float>& k = stiffness[share.coupling];
    const float numbers[9] = {k.c0.x, k.c0.y, k.c0.z, k.c1.x, k.c1.y, k.c1.z, k.c2.x, k.c2.y, k.c2.z};
    for (int n = 0; n < 9; ++n) out[n * node_group] += share.weight * numbers[n];
  }
  pool.parallel_for(level.places, 64, [&](int64_t first, int64_t last) {
    for (int64_t p = first; p < last; ++p) {
      const float* d = level.diagonal.data() + p / node_group * 9 * node_group + p % node_group;
      const auto at = [&](int n) { return static_cast<double>(d[n * node_group]); };
      const Mat3d inverse = inverse_of_node({{at(0), at(1), at(2)}, {at(3), at(4), at(5)}, {at(6), at(7), at(8)}});
      float* out = level.inverse.data() + p / node_group * 9 * node_group + p % node_group;
      const double numbers[9] = {inverse.c0.x, inverse.c0.y, inverse.c0.z, inverse.c1.x, inverse.c1.y,
                                 inverse.c1.z, inverse.c2.x, inverse.c2.y, inverse.c2.z};
      for (int n = 0; n < 9; ++n) out[n * node_group] = static_cast<float>(numbers[n]);
    }
  });
}

namespace {

// For each octant and corner, the corners of the coarse cube between which a child's corner lies.
struct Between {
  int count = 0;
  int corner[8]{};
  float weight[8]{};
};
struct BetweenTable {
  Between at[8][8];
  constexpr BetweenTable() : at() {
    for (int o = 0; o < 8; ++o) {
      for (int a = 0; a < 8; ++a) {
        for (int q = 0; q < 8; ++q) {
          const double w = child_weight(o, a, q);
          if (w == 0) continue;
          Between& b = at[o][a];
          b.corner[b.count] = q;
          b.weight[b.count++] = static_cast<float>(w);
        }
      }
    }
  }
};
constexpr BetweenTable between;

}  // namespace

// The Galerkin matrix of each coarse cube: the sum of W^T K W over its children.
void LatticeCycle::join_children(const Level& fine, std::span<const Vec4<float>> from, Level& coarse,
                                 ThreadPool& pool) {
  pool.parallel_for(static_cast<int64_t>(coarse.cubes.size()), 1, [&](int64_t first, int64_t last) {
    for (int64_t q = first; q < last; ++q) {
      Row4 sums[cell_pairs][3]{};
      for (int32_t n = coarse.child_begin[q]; n < coarse.child_begin[q + 1]; ++n) {
        const int32_t c = coarse.children[n];
        const auto& mix = between.at[octant(fine.cubes[c])];
        const Vec4<float>* const k = &from[static_cast<size_t>(c) * cell_pairs * 3];
        Row4 half[cell_corners][cell_corners][3]{};  // K W
        for (int a = 0; a < cell_corners; ++a) {
          for (int b = 0; b < cell_corners; ++b) {
            Row4 m[3];
            const Vec4<float>* const block = k + (a >= b ? cell_pair(a, b) : cell_pair(b, a)) * 3;
            if (a >= b) {
              for (int r = 0; r < 3; ++r) m[r] = row(block[r]);
            } else {
              m[0] = Row4{block[0].x, block[1].x, block[2].x, 0};
              m[1] = Row4{block[0].y, block[1].y, block[2].y, 0};
              m[2] = Row4{block[0].z, block[1].z, block[2].z, 0};
            }
            const Between& to = mix[b];
            for (int s = 0; s < to.count; ++s)
              for (int r = 0; r < 3; ++r) half[a][to.corner[s]][r] += to.weight[s] * m[r];
          }
        }
        for (int a = 0; a < cell_corners; ++a) {
          const Between& to = mix[a];
          for (int r = 0; r < to.count; ++r)
            for (int s = 0; s <= to.corner[r]; ++s)
              for (int v = 0; v < 3; ++v) sums[cell_pair(to.corner[r], s)][v] += to.weight[r] * half[a][s][v];
        }
      }
      Vec4<float>* const out = coarse.cube_matrices.data() + static_cast<size_t>(q) * cell_pairs * 3;
      for (int p = 0; p < cell_pairs; ++p)
        for (int v = 0; v < 3; ++v) out[p * 3 + v] = {sums[p][v][0], sums[p][v][1], sums[p][v][2], 0};
    }
  });
}

bool LatticeCycle::refresh(std::span<const Vec4<float>> cube_matrices, std::span<const Mat3<float>> stiffness,
                           ThreadPool& pool) {
  std::span<const Vec4<float>> finer = cube_matrices;
  for (size_t l = 0; l < levels_.size(); ++l) {
    if (l > 0) {
      join_children(levels_[l - 1], finer, levels_[l], pool);
      finer = {levels_[l].cube_matrices.data(), levels_[l].cube_matrices.size()};
    }
    fill(levels_[l], finer, stiffness, pool);
  }
  return factorize();
}

bool LatticeCycle::factorize() {
  const Level& level = levels_.back();
  std::vector<int32_t> local(static_cast<size_t>(level.places), -1);
  for (Part& part : parts_) {
    if (part.factor.empty()) continue;
    const size_t n = 3 * part.places.size();
    for (size_t k = 0; k < part.places.size(); ++k) local[part.places[k]] = static_cast<int32_t>(k);
    std::fill(part.factor.begin(), part.factor.end(), 0.0);
    const auto put = [&](size_t i, size_t j, const float* m) {
      for (size_t c = 0; c < 3; ++c)
        for (size_t r = 0; r < 3; ++r) part.factor[(3 * i + r) * n + 3 * j + c] += m[(3 * c + r) * node_group];
    };
    double mean = 0;
    for (size_t i = 0; i < part.places.size(); ++i) {
      const int32_t p = part.places[i], g = p / node_group, lane = p % node_group;
      put(i, i, level.diagonal.data() + g * 9 * node_group + lane);
      for (int64_t e = level.entry_begin[g]; e < level.entry_begin[g + 1]; ++e) {
        const int32_t other = level.column[e * node_group + lane];
        if (other != p) put(i, static_cast<size_t>(local[other]), level.block.data() + e * 9 * node_group + lane);
      }
      for (size_t c = 0; c < 3; ++c) mean += part.factor[(3 * i + c) * n + 3 * i + c] / static_cast<double>(n);
    }
    if (!std::isfinite(mean)) return false;
    const double shift = mean > 0 ? singular_shift * mean : 1;
    for (size_t j = 0; j < n; ++j) part.factor[j * n + j] += shift;
    // By rows, in the lower triangle. A pivot that rounding has made too small is replaced.
    for (size_t i = 0; i < n; ++i) {
      double* const own = &part.factor[i * n];
      for (size_t j = 0; j <= i; ++j) {
        const double* const other = &part.factor[j * n];
        double sum = own[j];
        for (size_t k = 0; k < j; ++k) sum -= own[k] * other[k];
        own[j] = j < i ? sum / other[j] : std::sqrt(std::fmax(sum, 0.1 * shift));
      }
      if (!std::isfinite(own[i])) return false;
    }
  }
  return true;
}

// Calls work(first, last) on ranges that cover [first, last), on all threads if the level has enough places.
template <class Work>
void LatticeCycle::Crew::share(const Level& level, int64_t first, int64_t last, int64_t grain, const Work& work) const {
  if (level.places < shared_places) {
    if (first < last) work(first, last);
    return;
  }
  pool.parallel_for(last - first, grain, [&](int64_t a, int64_t b) { work(first + a, first + b); });
}

NodeRows LatticeCycle::rows_of(Level& level) {
  NodeRows rows;
  rows.entry_begin = level.entry_begin.data();
  rows.upper_begin = level.upper_begin.data();
  rows.column = level.column.data();
  rows.block = level.block.data();
  rows.diagonal = level.diagonal.data();
  rows.inverse = level.inverse.data();
  rows.b = level.b.data();
  rows.x = level.x.data();
  rows.r = level.r.data();
  return rows;
}

void LatticeCycle::sweep(Level& level, RowPass pass, const Crew& crew) {
  const NodeRows rows = rows_of(level);
  const auto colors = static_cast<int>(level.color_begin.size()) - 1;
  for (int k = 0; k < colors; ++k) {
    const int c = pass == RowPass::backward ? colors - 1 - k : k;
    crew.share(level, level.color_begin[c], level.color_begin[c + 1], group_grain,
               [&](int64_t first, int64_t last) { crew.kernels.rows(rows, pass, first, last); });
  }
}

void LatticeCycle::solve_coarsest(const Crew& crew) {
  Level& level = levels_.back();
  if (sweeps_coarsest_) {
    // Forward and backward sweeps alternate, in equal numbers, which makes the operator symmetric.
    sweep(level, RowPass::forward_from_zero, crew);
    for (int k = 1; k < coarsest_sweeps; ++k) {
      sweep(level, RowPass::backward, crew);
      sweep(level, RowPass::forward, crew);
    }
    sweep(level, RowPass::backward, crew);
  }
  std::vector<double> y;
  for (const Part& part : parts_) {
    if (part.factor.empty()) continue;
    const size_t n = 3 * part.places.size();
    y.resize(n);
    for (size_t k = 0; k < part.places.size(); ++k) {
      const Vec4<float>& b = level.b[part.places[k]];
      y[3 * k] = b.x;
      y[3 * k + 1] = b.y;
      y[3 * k + 2] = b.z;
    }
    for (size_t i = 0; i < n; ++i) {
      const double* const l = &part.factor[i * n];
      double sum = y[i];
      for (size_t k = 0; k < i; ++k) sum -= l[k] * y[k];
      y[i] = sum / l[i];
    }
    for (size_t i = n; i-- > 0;) {
      const double* const l = &part.factor[i * n];
      y[i] /= l[i];
      for (size_t k = 0; k < i; ++k) y[k] -= l[k] * y[i];
    }
    for (size_t k = 0; k < part.places.size(); ++k)
      level.x[part.places[k]] = {static_cast<float>(y[3 * k]), static_cast<float>(y[3 * k + 1]),
                                 static_cast<float>(y[3 * k + 2]), 0};
  }
}

// A symmetric approximation to the inverse of A: x from b, starting at 0.
void LatticeCycle::cycle(size_t l, const Crew& crew) {
  Level& level = levels_[l];
  if (l + 1 == levels_.size()) return solve_coarsest(crew);
  const NodeRows rows = rows_of(level);
  sweep(level, RowPass::forward_from_zero, crew);
  crew.share(level, 0, level.places / node_group, group_grain,
             [&](int64_t first, int64_t last) { crew.kernels.rows(rows, RowPass::residual_from_zero, first, last); });
  Level& coarse = levels_[l + 1];
  const auto add = [](const Weights& weights, int64_t place, const std::vector<Vec4<float>>& from, Row4 sum) {
    for (int32_t k = weights.begin[place]; k < weights.begin[place + 1]; ++k)
      sum += weights.entries[k].weight * row(from[weights.entries[k].place]);
    return Vec4<float>{sum[0], sum[1], sum[2], 0};
  };
  crew.share(level, 0, coarse.places, place_grain, [&](int64_t first, int64_t last) {
    for (int64_t n = first; n < last; ++n) coarse.b[n] = add(level.down, n, level.r, Row4{});
  });
  cycle(l + 1, crew);
  crew.share(level, 0, level.places, place_grain, [&](int64_t first, int64_t last) {
    for (int64_t n = first; n < last; ++n) level.x[n] = add(level.up, n, coarse.x, row(level.x[n]));
  });
  sweep(level, RowPass::backward, crew);
}

// Conjugate gradients preconditioned by the cycle (Hestenes & Stiefel 1952). They also find the step length: for bent
// beams, whose coarser lattices are far too stiff, cycles alone reach only a third of it.
void LatticeCycle::conjugate_gradients(int cycles, double small_gain, const Crew& crew) {
  Level& level = levels_.front();
  const auto places = static_cast<int64_t>(level.places);
  const int64_t chunks = (places + chunk_places - 1) / chunk_places;
  // The sum of term(place) over all places: in chunks, in a fixed order, for any number of threads.
  const auto sum_over = [&](const auto& term) {
    crew.share(level, 0, chunks, 1, [&](int64_t first, int64_t last) {
      for (int64_t c = first; c < last; ++c) {
        double sum = 0;
        for (int64_t n = c * chunk_places; n < std::min(places, (c + 1) * chunk_places); ++n)
          sum += term(static_cast<size_t>(n));
        sums_[c] = sum;
      }
    });
    double total = 0;
    for (const double sum : sums_) total += sum;
    return total;
  };
  const auto product = [](const Vec4<float>& a, const Vec4<float>& b) {
    return static_cast<double>(a.x * b.x + a.y * b.y + a.z * b.z);
  };
  NodeRows rows = rows_of(level);
  rows.x = direction_.data();
  rows.r = image_.data();
  // level.b is the remaining part of b, level.x the cycle's solution for it.
  level.b = right_;
  left_.assign(left_.size(), {0, 0, 0, 0});
  double last = 0, gained = 0;
  for (int k = 0; k < cycles; ++k) {
    cycle(0, crew);
    const double slope = sum_over([&](size_t n) { return product(level.b[n], level.x[n]); });
    if (!(slope > 0) || !std::isfinite(slope)) return;
    const auto turn = static_cast<float>(k > 0 ? slope / last : 0);
    last = slope;
    sum_over([&](size_t n) {
      const Vec4<float>&z = level.x[n], &p = direction_[n];
      direction_[n] = {z.x + turn * p.x, z.y + turn * p.y, z.z + turn * p.z, 0};
      return 0.0;
    });
    crew.share(level, 0, places / node_group, group_grain,
               [&](int64_t first, int64_t end) { crew.kernels.rows(rows, RowPass::product, first, end); });
    const double curvature = sum_over([&](size_t n) { return product(direction_[n], image_[n]); });
    if (!(curvature > 0)) return;
    const double length = slope / curvature, gain = length * slope;
    const auto t = static_cast<float>(length);
    sum_over([&](size_t n) {
      const Vec4<float>&p = direction_[n], &q = image_[n];
      left_[n] = {left_[n].x + t * p.x, left_[n].y + t * p.y, left_[n].z + t * p.z, 0};
      level.b[n] = {level.b[n].x - t * q.x, level.b[n].y - t * q.y, level.b[n].z - t * q.z, 0};
      return 0.0;
    });
    gained += gain;
    if (gain < small_gain * gained) return;
  }
}

void LatticeCycle::solve(int cycles, double small_gain, const LatticeKernels& kernels, ThreadPool& pool) {
  const int64_t chunks = (place_count() + chunk_places - 1) / chunk_places;
  sums_.assign(static_cast<size_t>(chunks), 0);
  conjugate_gradients(cycles, small_gain, {kernels, pool});
}

std::vector<Vec3d> LatticeCycle::product(std::span<const Vec3d> x) const {
  const Level& level = levels_.front();
  std::vector<Vec3d> y(static_cast<size_t>(level.places), Vec3d{});
  for (int32_t p = 0; p < level.places; ++p) {
    const int32_t g = p / node_group, lane = p % node_group;
    const auto times = [&](const float* m, Vec3d v) {
      const auto at = [&](int n) { return static_cast<double>(m[n * node_group]); };
      return Mat3d{{at(0), at(1), at(2)}, {at(3), at(4), at(5)}, {at(6), at(7), at(8)}} * v;
    };
    y[p] = times(level.diagonal.data() + g * 9 * node_group + lane, x[p]);
    for (int64_t e = level.entry_begin[g]; e < level.entry_begin[g + 1]; ++e)
      y[p] += times(level.block.data() + e * 9 * node_group + lane, x[level.column[e * node_group + lane]]);
  }
  return y;
}

int64_t LatticeCycle::block_count() const {
  int64_t count = 0;
  for (const Level& l : levels_) count += static_cast<int64_t>(l.column.size()) + l.places;
  return count;
}

size_t LatticeCycle::memory_bytes() const {
  const auto bytes = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  size_t sum = bytes(place_);
  for (const Level& l : levels_) {
    sum += bytes(l.cubes) + bytes(l.color_begin) + bytes(l.entry_begin) + bytes(l.upper_begin) + bytes(l.column) +
           bytes(l.source_begin) + bytes(l.sources) + bytes(l.coupled) + bytes(l.pairs) + bytes(l.paired) +
           bytes(l.block) + bytes(l.diagonal) + bytes(l.inverse) + bytes(l.b) + bytes(l.x) + bytes(l.r) +
           bytes(l.up.begin) + bytes(l.up.entries) + bytes(l.down.begin) + bytes(l.down.entries) +
           bytes(l.child_begin) + bytes(l.children) + bytes(l.cube_matrices);
  }
  for (const Part& p : parts_) sum += bytes(p.places) + bytes(p.factor);
  return sum;
}

}  // namespace sinew
