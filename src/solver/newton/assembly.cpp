#include "solver/newton/assembly.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "material/materials.h"
#include "objective/grab_terms.h"
#include "solver/quadratic_tangent.h"

namespace sinew {
namespace {

constexpr int32_t chunk_size = 4096;           // elements; 3 MB of stiffness
constexpr int32_t quadratic_chunk_size = 740;  // the same
constexpr size_t buffer_size = static_cast<size_t>(chunk_size) * most_corner_pairs;
static_assert(static_cast<size_t>(quadratic_chunk_size) * most_node_pairs <= buffer_size);

int pairs_each(const ElasticBlock& block) {
  return block.quadratic() ? most_node_pairs : most_corner_pairs;
}

Mat3d matrix_of(const Sym3<double>& k) {
  return {{k.xx, k.xy, k.xz}, {k.xy, k.yy, k.yz}, {k.xz, k.yz, k.zz}};
}

}  // namespace

void Assembly::prepare(const Model& model, ThreadPool& pool) {
  contact_pairs_.clear();
  contacts_.clear();
  matrix_.build(vertex_pattern(model, contact_pairs_));
  build_gather(model, pool);
  buffer_.resize(buffer_size);
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
        const bool there = matrix_.has_block(pair[0], pair[1]);
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
  matrix_.build(vertex_pattern(model, contact_pairs_));
  build_gather(model, pool);
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
        matrix_.add_block(matrix_.block_at(contact.slots[i], contact.slots[j]), s * stiffness);
      }
    }
  }
}

void Assembly::build_gather(const Model& model, ThreadPool& pool) {
  chunks_.clear();
  int64_t entries = 0;
  for (size_t b = 0; b < model.blocks.size(); ++b) {
    const ElasticBlock& block = model.blocks[b];
    const int32_t size = block.quadratic() ? quadratic_chunk_size : chunk_size;
    for (int32_t first = block.first_tet; first < block.last_tet; first += size) {
      const int32_t last = std::min(first + size, block.last_tet);
      const int64_t before = entries;
      entries += int64_t{last - first} * corner_pairs_of(traits_of(block.element).nodes);
      chunks_.push_back({static_cast<int32_t>(b), first, last, before, entries});
    }
  }
  entries_.resize(static_cast<size_t>(entries));
  pool.parallel_for(static_cast<int64_t>(chunks_.size()), 1, [&](int64_t c0, int64_t c1) {
    for (int64_t c = c0; c < c1; ++c) {
      const Chunk& chunk = chunks_[c];
      uint64_t* entry = &entries_[chunk.first_entry];
      const int each = pairs_each(model.blocks[static_cast<size_t>(chunk.block)]);
      for (int32_t e = chunk.first_tet; e < chunk.last_tet; ++e) {
        const ElementNodes t = model.nodes_of(e);
        for (int i = 0; i < static_cast<int>(t.size()); ++i) {
          for (int j = 0; j <= i; ++j) {
            const auto target = static_cast<uint64_t>(matrix_.block_at(t[i], t[j]));
            *entry++ = target << 32 | static_cast<uint64_t>((e - chunk.first_tet) * each + corner_pair(i, j));
          }
        }
      }
      std::sort(entries_.begin() + chunk.first_entry, entries_.begin() + chunk.last_entry);
    }
  });
  tie_blocks_.clear();
  for_each_tie_pair(model.ties, [&](int32_t a, int32_t b) { tie_blocks_.push_back(matrix_.block_at(a, b)); });
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
      for (size_t j = 0; j <= i; ++j) matrix_.add_block(*block++, (s[i] * s[j]) * stiffness);
  }
}

void Assembly::add_grabs(const StepProblem& problem) {
  for_each_grab(problem, [&](const Grab& grab) {
    for (int32_t i = 0; i < grab.count; ++i) {
      for (int32_t j = 0; j <= i; ++j) {
        const double k = grab.stiffness * grab.weights[i] * grab.weights[j];
        matrix_.add_block(matrix_.block_at(grab.vertices[i], grab.vertices[j]), diagonal(k, k, k));
      }
    }
  });
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
  const PointMaterial at_points = PointMaterial::of(block);
  const bool strain_rate = rate > 0 && model.damping_form == DampingForm::strain_rate;
  const bool own_block = rate > 0 && !strain_rate;
  // In the lower triangle the row is the higher slot.
  const auto store = [&](int64_t e, const auto& nodes, int count_of_nodes, Mat3d* blocks) {
    for (int i = 0; i < count_of_nodes && own_block; ++i) {
      Mat3d& own = blocks[corner_pair(i, i)];
      own = (1 + rate) * own;
    }
    Mat3d* const out = buffer_.data() + e * pairs_each(block);
    for (int i = 0; i < count_of_nodes; ++i) {
      for (int j = 0; j <= i; ++j) {
        const int b = corner_pair(i, j);
        out[b] = nodes[i] >= nodes[j] ? blocks[b] : transpose(blocks[b]);
      }
    }
  };
  visit_formula(block.material.kind, [&]<template <class> class Material>() {
    const auto material = coefficients_of<Material>(at_points.material);
    pool.parallel_for(count, piece, [&](int64_t first, int64_t last) {
      for (int64_t e = first; e < last; ++e) {
        const auto tet = static_cast<int32_t>(chunk.first_tet + e);
        const Tet& t = model.tets[tet];
        const ElementShape shape(t, model.rest, model.stiffness_factor_of(tet));
        if (block.quadratic()) {
          const ElementNodes nodes = model.nodes_of(tet);
          QuadraticStiffness k =
              quadratic_stiffness(material, at_points.mean_lambda, shape, places_from_first(nodes, x).data(), tangent);
          clamped[e / piece] += k.clamped;
          if (strain_rate)
            add_strain_rate(at_points.material.lame, rate, shape, places_from_first(nodes, problem.x_prev).data(), k);
          store(e, nodes, nodes.count, k.block);
          continue;
        }
        const Mat3d f = shape.deformation_gradient(t, x);
        ElementStiffness k = element_stiffness(material, f, shape, tangent);
        clamped[e / piece] += k.clamped;
        if (strain_rate) {
          const Mat3d before = shape.deformation_gradient(t, problem.x_prev);
          add_strain_rate(StrainRate<double>::of(block.material.lame, rate, before),
                          {shape.gradient, shape.corners, shape.volume}, k.block);
        }
        store(e, t, shape.corners, k.block);
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
      matrix_.add_block(block, sum);
    }
  });
}

int64_t Assembly::assemble(const StepProblem& problem, std::span<const Vec3d> x, Tangent tangent, ThreadPool& pool) {
  matrix_.clear();
  int64_t clamped = 0;
  for (const Chunk& chunk : chunks_) {
    clamped += stiffness_of(chunk, problem, x, tangent, pool);
    gather(chunk, pool);
  }
  add_ties(problem, x, tangent);
  add_grabs(problem);
  add_contacts();
  const double inverse_h2 = problem.inverse_h2();
  for (int32_t i = 0; i < matrix_.slot_count(); ++i)
    if (!problem.embedding || !problem.is_carried(static_cast<size_t>(i)))
      matrix_.add_to_diagonal(i, inverse_h2 * problem.model->mass[static_cast<size_t>(i)]);
  return clamped;
}

size_t Assembly::memory_bytes() const {
  const auto bytes = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  return matrix_.memory_bytes() + bytes(chunks_) + bytes(entries_) + bytes(tie_blocks_) + bytes(buffer_);
}

}  // namespace sinew
