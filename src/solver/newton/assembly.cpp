#include "solver/newton/assembly.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "material/materials.h"

namespace sinew {
namespace {

constexpr int32_t chunk_size = 4096;  // elements; 3 MB of stiffness

Mat3d matrix_of(const Sym3<double>& k) {
  return {{k.xx, k.xy, k.xz}, {k.xy, k.yy, k.yz}, {k.xz, k.yz, k.zz}};
}

}  // namespace

void Assembly::prepare(const Model& model, ThreadPool& pool) {
  contact_pairs_.clear();
  contacts_.clear();
  build_pattern(model);
  build_gather(model, pool);
  buffer_.resize(static_cast<size_t>(chunk_size) * most_corner_pairs);
  diagonal_.assign(static_cast<size_t>(matrix_.size), 0);
  held_.assign(static_cast<size_t>(model.slot_count()), 0);
}

void Assembly::build_pattern(const Model& model) {
  blocks_ = vertex_pattern(model, contact_pairs_);
  const int32_t slots = model.slot_count();
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
}

bool Assembly::has_block(int32_t low, int32_t high) const {
  const auto first = blocks_.row.begin() + blocks_.begin[low], last = blocks_.row.begin() + blocks_.begin[low + 1];
  return std::binary_search(first, last, high);
}

// The pattern decides the order of elimination, and so the last bits: in each step it starts from what the step's first
// contacts need, whatever steps there were before.
bool Assembly::take_contacts(const Model& model, std::span<const Contact> contacts, ThreadPool& pool) {
  contacts_.assign(contacts.begin(), contacts.end());
  const bool anew = std::exchange(begins_, false);
  std::vector<SlotPair> pairs;
  for (const Contact& contact : contacts) {
    for (size_t i = 0; i < 4; ++i) {
      for (size_t j = 0; j < i; ++j) {
        const int32_t a = contact.slots[i], b = contact.slots[j];
        if (a < 0 || b < 0) continue;
        const SlotPair pair{std::min(a, b), std::max(a, b)};
        const bool there = has_block(pair[0], pair[1]);
        if (!there || (anew && std::binary_search(contact_pairs_.begin(), contact_pairs_.end(), pair)))
          pairs.push_back(pair);
      }
    }
  }
  if (!anew) pairs.insert(pairs.end(), contact_pairs_.begin(), contact_pairs_.end());
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  if (pairs == contact_pairs_) return false;
  contact_pairs_ = std::move(pairs);
  build_pattern(model);
  build_gather(model, pool);
  diagonal_.assign(static_cast<size_t>(matrix_.size), 0);
  return true;
}

void Assembly::add_contacts() {
  for (const Contact& contact : contacts_) {
    const ContactForce<double> f = contact_force(contact.numbers, Vec3d{});
    Sym3<double> k{};
    add_identity(k, f.across);
    add_outer(k, f.along - f.across, f.axis);
    const Mat3d stiffness = matrix_of(k);
    for (size_t i = 0; i < 4; ++i) {
      if (contact.slots[i] < 0) continue;
      for (size_t j = 0; j <= i; ++j) {
        if (contact.slots[j] < 0) continue;
        const double s = contact.numbers.weights[i] * contact.numbers.weights[j];
        add_block(block_at(contact.slots[i], contact.slots[j]), s * stiffness);
      }
    }
  }
}

void Assembly::build_gather(const Model& model, ThreadPool& pool) {
  chunks_.clear();
  int64_t entries = 0;
  for (size_t b = 0; b < model.blocks.size(); ++b) {
    const ElasticBlock& block = model.blocks[b];
    for (int32_t first = block.first_tet; first < block.last_tet; first += chunk_size) {
      const int32_t last = std::min(first + chunk_size, block.last_tet);
      const int64_t before = entries;
      entries += int64_t{last - first} * corner_pairs_of(traits_of(block.element).corners);
      chunks_.push_back({static_cast<int32_t>(b), first, last, before, entries});
    }
  }
  entries_.resize(static_cast<size_t>(entries));
  pool.parallel_for(static_cast<int64_t>(chunks_.size()), 1, [&](int64_t c0, int64_t c1) {
    for (int64_t c = c0; c < c1; ++c) {
      const Chunk& chunk = chunks_[c];
      uint64_t* entry = &entries_[chunk.first_entry];
      for (int32_t e = chunk.first_tet; e < chunk.last_tet; ++e) {
        const std::span<const int32_t> t = corners_of(model.tets[e]);
        for (int i = 0; i < static_cast<int>(t.size()); ++i) {
          for (int j = 0; j <= i; ++j) {
            const auto target = static_cast<uint64_t>(block_at(t[i], t[j]));
            *entry++ =
                target << 32 | static_cast<uint64_t>((e - chunk.first_tet) * most_corner_pairs + corner_pair(i, j));
          }
        }
      }
      std::sort(entries_.begin() + chunk.first_entry, entries_.begin() + chunk.last_entry);
    }
  });
  tie_blocks_.clear();
  for_each_tie_pair(model.ties, [&](int32_t a, int32_t b) { tie_blocks_.push_back(block_at(a, b)); });
}

// The index of the block of two slots in the lower triangle.
int32_t Assembly::block_at(int32_t a, int32_t b) const {
  const int32_t low = std::min(a, b), high = std::max(a, b);
  const auto first = blocks_.row.begin() + blocks_.begin[low], last = blocks_.row.begin() + blocks_.begin[low + 1];
  return static_cast<int32_t>(std::lower_bound(first, last, high) - blocks_.row.begin());
}

// The first entry of one of a block's columns. The first `column` rows of a diagonal block are not stored.
double* Assembly::first_entry(int32_t block, int column) {
  const int32_t slot = blocks_.column[block];
  const int64_t rank = block - blocks_.begin[slot];
  return &matrix_.value[matrix_.column_begin[3 * int64_t{slot} + column] + 3 * rank - (rank > 0 ? column : 0)];
}

void Assembly::add_block(int32_t block, const Mat3d& k) {
  const bool diagonal = blocks_.row[block] == blocks_.column[block];
  const Vec3d columns[3] = {k.c0, k.c1, k.c2};
  for (int b = 0; b < 3; ++b) {
    double* v = first_entry(block, b);
    const double entries[3] = {columns[b].x, columns[b].y, columns[b].z};
    for (int a = diagonal ? b : 0; a < 3; ++a) *v++ += entries[a];
  }
}

// Constrains every block whose row or column glides.
void Assembly::constrain(std::span<const Glide> glides) {
  if (glides.empty()) return;
  glide_of_.assign(held_.size(), -1);
  for (size_t k = 0; k < glides.size(); ++k) glide_of_[glides[k].slot] = static_cast<int32_t>(k);
  const auto free_columns = [](const Glide& g, Mat3d m) {
    return Mat3d{g.free_part(m.c0), g.free_part(m.c1), g.free_part(m.c2)};
  };
  for (size_t block = 0; block < blocks_.row.size(); ++block) {
    const int32_t row = blocks_.row[block], column = blocks_.column[block];
    const int32_t i = glide_of_[row], j = glide_of_[column];
    if (i < 0 && j < 0) continue;
    double k[3][3] = {};  // by columns
    for (int b = 0; b < 3; ++b) {
      const double* v = first_entry(static_cast<int32_t>(block), b);
      for (int a = row == column ? b : 0; a < 3; ++a) k[b][a] = *v++;
    }
    if (row == column) {
      for (int b = 1; b < 3; ++b) {
        for (int a = 0; a < b; ++a) k[b][a] = k[a][b];
      }
    }
    Mat3d m{{k[0][0], k[0][1], k[0][2]}, {k[1][0], k[1][1], k[1][2]}, {k[2][0], k[2][1], k[2][2]}};
    const double size = (std::abs(m.c0.x) + std::abs(m.c1.y) + std::abs(m.c2.z)) / 3;
    if (i >= 0) m = free_columns(glides[i], m);
    if (j >= 0) m = transpose(free_columns(glides[j], transpose(m)));
    if (row == column) {
      const Sym3<double>& n = glides[i].fixed;
      m = m + (size > 0 ? size : 1) * Mat3d{{n.xx, n.xy, n.xz}, {n.xy, n.yy, n.yz}, {n.xz, n.yz, n.zz}};
    }
    const Vec3d columns[3] = {m.c0, m.c1, m.c2};
    for (int b = 0; b < 3; ++b) {
      double* v = first_entry(static_cast<int32_t>(block), b);
      const double entries[3] = {columns[b].x, columns[b].y, columns[b].z};
      for (int a = row == column ? b : 0; a < 3; ++a) *v++ = entries[a];
    }
  }
}

// The blocks of ties are symmetric, so it does not matter which slot is higher.
void Assembly::add_ties(const StepProblem& problem, std::span<const Vec3d> x, Tangent tangent) {
  const Ties& ties = problem.model->ties;
  const int32_t* block = tie_blocks_.data();
  for (int32_t t = 0; t < ties.count(); ++t) {
    const TieLaw<double>& law = ties.laws[t];
    Sym3<double> k =
        tie_stiffness(law, ties.vector(t, x), law.activation(problem.activation.data()), tangent == Tangent::projected)
            .matrix();
    if (law.damping > 0 && !problem.quasistatic)
      k = k + StretchRate<double>::of(law, 1 / problem.h, ties.vector(t, problem.x_prev)).matrix();
    const Mat3d stiffness = matrix_of(k);
    const std::span<const double> s = ties.weights_of(t);
    for (size_t i = 0; i < s.size(); ++i)
      for (size_t j = 0; j <= i; ++j) add_block(*block++, (s[i] * s[j]) * stiffness);
  }
}

void Assembly::add_grabs(const StepProblem& problem) {
  for (const Grab& grab : problem.grabs) {
    for (int32_t i = 0; i < grab.count; ++i) {
      for (int32_t j = 0; j <= i; ++j) {
        const double k = grab.stiffness * grab.weights[i] * grab.weights[j];
        add_block(block_at(grab.vertices[i], grab.vertices[j]), diagonal(k, k, k));
      }
    }
  }
}

int64_t Assembly::stiffness_of(const Chunk& chunk, const StepProblem& problem, std::span<const Vec3d> x,
                               Tangent tangent, ThreadPool& pool) {
  struct Count {
    int64_t value = 0;
    void operator+=(Count o) { value += o.value; }
  };
  const Model& model = *problem.model;
  const ElasticBlock& block = model.blocks[chunk.block];
  const double rate = problem.quasistatic ? 0 : block.damping / problem.h;
  constexpr int32_t piece = 64;
  const int32_t count = chunk.last_tet - chunk.first_tet;
  std::vector<int64_t> clamped((count + piece - 1) / piece);
  visit_formula(block.material.kind, [&]<template <class> class Material>() {
    const auto material = coefficients_of<Material>(block.material);
    pool.parallel_for(count, piece, [&](int64_t first, int64_t last) {
      for (int64_t e = first; e < last; ++e) {
        const auto tet = static_cast<int32_t>(chunk.first_tet + e);
        const Tet& t = model.tets[tet];
        const ElementShape shape(t, model.rest, model.stiffness_factor_of(tet));
        const Mat3d f = shape.deformation_gradient(t, x);
        ElementStiffness k = element_stiffness(material, f, shape, tangent);
        clamped[e / piece] += k.clamped;
        if (rate > 0 && model.damping_form == DampingForm::strain_rate) {
          const Mat3d before = shape.deformation_gradient(t, problem.x_prev);
          add_strain_rate(StrainRate<double>::of(block.material.lame, rate, before), shape, k);
        } else if (rate > 0) {
          for (int i = 0; i < shape.corners; ++i) {
            Mat3d& own = k.block[corner_pair(i, i)];
            own = (1 + rate) * own;
          }
        }
        // In the lower triangle the row is the higher slot.
        for (int i = 0; i < shape.corners; ++i) {
          for (int j = 0; j <= i; ++j) {
            const int b = corner_pair(i, j);
            buffer_[e * most_corner_pairs + b] = t[i] >= t[j] ? k.block[b] : transpose(k.block[b]);
          }
        }
      }
    });
  });
  int64_t total = 0;
  for (const int64_t c : clamped) total += c;
  return total;
}

void Assembly::gather(const Chunk& chunk, ThreadPool& pool) {
  const auto target = [&](int64_t e) { return static_cast<int32_t>(entries_[e] >> 32); };
  pool.parallel_for(chunk.last_entry - chunk.first_entry, 1024, [&](int64_t first, int64_t last) {
    int64_t e = chunk.first_entry + first;
    const int64_t end = chunk.first_entry + last;
    // A block that begins before this range belongs to the previous range.
    while (first > 0 && e < end && target(e) == target(e - 1)) ++e;
    while (e < end) {
      const int32_t block = target(e);
      Mat3d sum{};
      for (; e < chunk.last_entry && target(e) == block; ++e) sum = sum + buffer_[entries_[e] & 0xffffffff];
      add_block(block, sum);
    }
  });
}

int64_t Assembly::assemble(const StepProblem& problem, std::span<const Vec3d> x, Tangent tangent, ThreadPool& pool) {
  std::fill(matrix_.value.begin(), matrix_.value.end(), 0.0);
  int64_t clamped = 0;
  for (const Chunk& chunk : chunks_) {
    clamped += stiffness_of(chunk, problem, x, tangent, pool);
    gather(chunk, pool);
  }
  add_ties(problem, x, tangent);
  add_grabs(problem);
  add_contacts();
  const double inverse_h2 = problem.inverse_h2();
  for (int64_t c = 0; c < matrix_.size; ++c) {
    matrix_.value[matrix_.column_begin[c]] += inverse_h2 * problem.model->mass[c / 3];
  }
  return clamped;
}

void Assembly::hold(std::span<const uint8_t> held, std::span<const Glide> glides) {
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

void Assembly::regularize(double share) {
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

size_t Assembly::memory_bytes() const {
  const auto bytes = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  return bytes(matrix_.column_begin) + bytes(matrix_.row) + bytes(matrix_.value) + bytes(blocks_.begin) +
         bytes(blocks_.row) + bytes(blocks_.column) + bytes(chunks_) + bytes(entries_) + bytes(tie_blocks_) +
         bytes(buffer_) + bytes(diagonal_) + bytes(held_) + bytes(glide_of_);
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
