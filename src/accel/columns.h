// What Anderson acceleration does with the unknowns of an iterate as one long column. Sums have a fixed order: the same
// bits for any number of threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "exec/buffer.h"
#include "exec/thread_pool.h"
#include "model/iterate.h"

namespace sinew {

template <class Real>
using Column = Buffer<Real>;

// a.b over [0, count), summed in double precision over eight interleaved parts.
template <class Real>
double dot_piece(const Real* a, const Real* b, int64_t count) {
  double part[8] = {};
  int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    for (int k = 0; k < 8; ++k) part[k] += static_cast<double>(a[i + k]) * b[i + k];
  }
  for (int k = 0; i < count; ++i, ++k) part[k] += static_cast<double>(a[i]) * b[i];
  return ((part[0] + part[4]) + (part[2] + part[6])) + ((part[1] + part[5]) + (part[3] + part[7]));
}

// sums_j = column_j . v
template <class Real>
void products(std::span<const Column<Real>> columns, const Column<Real>& v, std::span<double> sums, ThreadPool& pool) {
  const auto count = static_cast<int64_t>(v.size());
  const size_t chunks = (v.size() + reduction_chunk - 1) / reduction_chunk;
  std::vector<double> partial(chunks * columns.size());
  pool.parallel_for(static_cast<int64_t>(chunks), 4, [&](int64_t first, int64_t last) {
    for (int64_t c = first; c < last; ++c) {
      const int64_t begin = c * reduction_chunk, length = std::min(count - begin, reduction_chunk);
      for (size_t j = 0; j < columns.size(); ++j)
        partial[static_cast<size_t>(c) * columns.size() + j] =
            dot_piece(columns[j].data() + begin, v.data() + begin, length);
    }
  });
  std::fill(sums.begin(), sums.end(), 0.0);
  for (size_t c = 0; c < chunks; ++c) {
    for (size_t j = 0; j < columns.size(); ++j) sums[j] += partial[c * columns.size() + j];
  }
}

// v -= sum shares_j column_j
template <class Real>
void subtract(std::span<const Column<Real>> columns, std::span<const double> shares, Column<Real>& v,
              ThreadPool& pool) {
  pool.parallel_for(static_cast<int64_t>(v.size()), reduction_chunk, [&](int64_t first, int64_t last) {
    for (int64_t piece = first; piece < last; piece += reduction_chunk) {  // stays in the cache
      const int64_t end = std::min(last, piece + reduction_chunk);
      for (size_t j = 0; j < columns.size(); ++j) {
        const Real share = static_cast<Real>(shares[j]);
        for (int64_t i = piece; i < end; ++i) v[i] -= share * columns[j][i];
      }
    }
  });
}

template <class Real>
void multiply(Column<Real>& v, double factor, ThreadPool& pool) {
  const Real scale = static_cast<Real>(factor);
  pool.for_each(static_cast<int64_t>(v.size()), [&](size_t i) { v[i] *= scale; });
}

// Rotates columns k and k + 1 into each other, for k = 0, 1, ...
template <class Real>
void turn(std::span<Column<Real>> columns, std::span<const double> cosine, std::span<const double> sine,
          ThreadPool& pool) {
  pool.for_each(static_cast<int64_t>(columns[0].size()), [&](size_t i) {
    for (size_t k = 0; k + 1 < columns.size(); ++k) {
      const double upper = columns[k][i], lower = columns[k + 1][i];
      columns[k][i] = static_cast<Real>(cosine[k] * upper + sine[k] * lower);
      columns[k + 1][i] = static_cast<Real>(cosine[k] * lower - sine[k] * upper);
    }
  });
}

// difference = a - b, which it may be.
template <class Real>
void subtract(const Column<Real>& a, const Column<Real>& b, Column<Real>& difference, ThreadPool& pool) {
  difference.resize(a.size());
  pool.for_each(static_cast<int64_t>(a.size()), [&](size_t i) { difference[i] = a[i] - b[i]; });
}

// Which unknowns are in a column: coordinates, then multipliers, multiplied by `scale`.
struct ColumnRule {
  bool coordinates = true, multipliers = true;
  double scale = 1;
};
template <class Real>
void pack(const Iterate<Real>& it, const ColumnRule& rule, Column<Real>& u, ThreadPool& pool) {
  const size_t moved = rule.coordinates ? 3 * it.x.size() : 0;
  u.resize(moved + (rule.multipliers ? it.multipliers.size() : 0));
  pool.for_each(static_cast<int64_t>(moved / 3), [&](size_t s) {
    u[3 * s] = it.x[s].x;
    u[3 * s + 1] = it.x[s].y;
    u[3 * s + 2] = it.x[s].z;
  });
  const Real scale = static_cast<Real>(rule.scale);
  pool.for_each(static_cast<int64_t>(u.size() - moved), [&](size_t k) { u[moved + k] = scale * it.multipliers[k]; });
}
template <class Real>
void unpack(const Column<Real>& u, const ColumnRule& rule, Iterate<Real>& it, ThreadPool& pool) {
  const size_t moved = rule.coordinates ? 3 * it.x.size() : 0;
  pool.for_each(static_cast<int64_t>(moved / 3), [&](size_t s) {
    if (it.x[s].w > 0) it.x[s] = {u[3 * s], u[3 * s + 1], u[3 * s + 2], it.x[s].w};
  });
  const Real inverse = 1 / static_cast<Real>(rule.scale);
  pool.for_each(static_cast<int64_t>(u.size() - moved), [&](size_t k) { it.multipliers[k] = inverse * u[moved + k]; });
}

}  // namespace sinew
