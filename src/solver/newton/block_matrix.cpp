#include "solver/newton/block_matrix.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sinew {
namespace {

struct Columns {
  Vec3d of[3];
};
Columns columns_of(const Mat3d& m) {
  return {{m.c0, m.c1, m.c2}};
}

}  // namespace

void BlockMatrix::build(VertexPattern pattern) {
  blocks_ = std::move(pattern);
  const int32_t slots = slot_count();
  matrix_.size = 3 * int64_t{slots};
  matrix_.column_begin.assign(1, 0);
  matrix_.row.clear();
  for (int32_t s = 0; s < slots; ++s) {
    for (int32_t b = 0; b < 3; ++b) {
      for (int32_t k = blocks_.begin[s]; k < blocks_.begin[s + 1]; ++k) {
        for (int32_t a = k == blocks_.begin[s] ? b : 0; a < 3; ++a) matrix_.row.push_back(3 * blocks_.row[k] + a);
      }
      matrix_.column_begin.push_back(static_cast<int64_t>(matrix_.row.size()));
    }
  }
  matrix_.value.assign(matrix_.row.size(), 0);
  diagonal_.assign(static_cast<size_t>(matrix_.size), 0);
  held_.assign(static_cast<size_t>(slots), 0);
}

void BlockMatrix::clear() {
  std::fill(matrix_.value.begin(), matrix_.value.end(), 0.0);
}

bool BlockMatrix::has_block(int32_t low, int32_t high) const {
  const auto first = blocks_.row.begin() + blocks_.begin[low], last = blocks_.row.begin() + blocks_.begin[low + 1];
  return std::binary_search(first, last, high);
}

int32_t BlockMatrix::block_at(int32_t a, int32_t b) const {
  const int32_t low = std::min(a, b), high = std::max(a, b);
  const auto first = blocks_.row.begin() + blocks_.begin[low], last = blocks_.row.begin() + blocks_.begin[low + 1];
  return static_cast<int32_t>(std::lower_bound(first, last, high) - blocks_.row.begin());
}

// Of one of a block's columns. The first `column` rows of a diagonal block are not stored.
int64_t BlockMatrix::first_entry(int32_t block, int column) const {
  const int32_t slot = blocks_.column[block];
  const int64_t rank = block - blocks_.begin[slot];
  return matrix_.column_begin[3 * int64_t{slot} + column] + 3 * rank - (rank > 0 ? column : 0);
}

// combine(value, entry) for each stored entry of a block.
template <class Combine>
void BlockMatrix::for_entries(int32_t block, const Mat3d& k, const Combine& combine) {
  const bool diagonal = blocks_.row[block] == blocks_.column[block];
  const Columns columns = columns_of(k);
  for (int b = 0; b < 3; ++b) {
    double* v = &matrix_.value[first_entry(block, b)];
    const double entries[3] = {columns.of[b].x, columns.of[b].y, columns.of[b].z};
    for (int a = diagonal ? b : 0; a < 3; ++a) combine(*v++, entries[a]);
  }
}

void BlockMatrix::add_block(int32_t block, const Mat3d& k) {
  for_entries(block, k, [](double& value, double entry) { value += entry; });
}

void BlockMatrix::set_block(int32_t block, const Mat3d& k) {
  for_entries(block, k, [](double& value, double entry) { value = entry; });
}

Mat3d BlockMatrix::block(int32_t block) const {
  const bool diagonal = blocks_.row[block] == blocks_.column[block];
  double k[3][3] = {};  // by columns
  for (int b = 0; b < 3; ++b) {
    const double* v = &matrix_.value[first_entry(block, b)];
    for (int a = diagonal ? b : 0; a < 3; ++a) k[b][a] = *v++;
  }
  if (diagonal) {
    for (int b = 1; b < 3; ++b) {
      for (int a = 0; a < b; ++a) k[b][a] = k[a][b];
    }
  }
  return {{k[0][0], k[0][1], k[0][2]}, {k[1][0], k[1][1], k[1][2]}, {k[2][0], k[2][1], k[2][2]}};
}

void BlockMatrix::add_to_diagonal(int32_t slot, double value) {
  for (int b = 0; b < 3; ++b) matrix_.value[matrix_.column_begin[3 * int64_t{slot} + b]] += value;
}

// Constrains every block whose row or column glides.
void BlockMatrix::constrain(std::span<const Glide> glides) {
  if (glides.empty()) return;
  glide_of_.assign(held_.size(), -1);
  for (size_t k = 0; k < glides.size(); ++k) glide_of_[glides[k].slot] = static_cast<int32_t>(k);
  const auto free_columns = [](const Glide& g, Mat3d m) {
    return Mat3d{g.free_part(m.c0), g.free_part(m.c1), g.free_part(m.c2)};
  };
  for (int32_t at = 0; at < static_cast<int32_t>(blocks_.row.size()); ++at) {
    const int32_t row = blocks_.row[at], column = blocks_.column[at];
    const int32_t i = glide_of_[row], j = glide_of_[column];
    if (i < 0 && j < 0) continue;
    Mat3d m = block(at);
    const double size = (std::abs(m.c0.x) + std::abs(m.c1.y) + std::abs(m.c2.z)) / 3;
    if (i >= 0) m = free_columns(glides[i], m);
    if (j >= 0) m = transpose(free_columns(glides[j], transpose(m)));
    if (row == column) {
      const Sym3<double>& n = glides[i].fixed;
      m = m + (size > 0 ? size : 1) * Mat3d{{n.xx, n.xy, n.xz}, {n.xy, n.yy, n.yz}, {n.xz, n.yz, n.zz}};
    }
    set_block(at, m);
  }
}

void BlockMatrix::hold(std::span<const uint8_t> held, std::span<const Glide> glides) {
  held_.assign(held.begin(), held.end());
  constrain(glides);
  for (int64_t c = 0; c < matrix_.size; ++c) {
    const int64_t first = matrix_.column_begin[c];
    for (int64_t p = first; p < matrix_.column_begin[c + 1]; ++p) {
      if (held[c / 3] || held[matrix_.row[p] / 3]) matrix_.value[p] = p == first ? 1 : 0;
    }
    diagonal_[c] = matrix_.value[first];
  }
}

void BlockMatrix::regularize(double share) {
  double sum = 0;
  int64_t count = 0;
  for (int64_t c = 0; c < matrix_.size; ++c) {
    if (held_[c / 3]) continue;
    sum += std::abs(diagonal_[c]);
    ++count;
  }
  const double mean = count > 0 ? sum / static_cast<double>(count) : 0;
  for (int64_t c = 0; c < matrix_.size; ++c) {
    if (!held_[c / 3]) matrix_.value[matrix_.column_begin[c]] = diagonal_[c] + share * (std::abs(diagonal_[c]) + mean);
  }
}

size_t BlockMatrix::memory_bytes() const {
  const auto bytes = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  return bytes(matrix_.column_begin) + bytes(matrix_.row) + bytes(matrix_.value) + bytes(blocks_.begin) +
         bytes(blocks_.row) + bytes(blocks_.column) + bytes(diagonal_) + bytes(held_) + bytes(glide_of_);
}

namespace {

template <class Entry>
void multiply_entries(const SparseSymmetric& a, std::span<const double> x, std::span<double> y, const Entry& entry) {
  std::fill(y.begin(), y.end(), 0.0);
  for (int64_t j = 0; j < a.size; ++j) {
    int64_t p = a.column_begin[j];
    double sum = entry(a.value[p]) * x[j];  // the diagonal
    for (++p; p < a.column_begin[j + 1]; ++p) {
      const int32_t i = a.row[p];
      y[i] += entry(a.value[p]) * x[j];
      sum += entry(a.value[p]) * x[i];
    }
    y[j] += sum;
  }
}

}  // namespace

void multiply(const SparseSymmetric& a, std::span<const double> x, std::span<double> y) {
  multiply_entries(a, x, y, [](double value) { return value; });
}

void multiply_absolute(const SparseSymmetric& a, std::span<const double> x, std::span<double> y) {
  multiply_entries(a, x, y, [](double value) { return std::abs(value); });
}

}  // namespace sinew
