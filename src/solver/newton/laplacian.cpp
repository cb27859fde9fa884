#include "solver/newton/laplacian.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/element_points.h"

namespace sinew {

void Laplacian::prepare(const Model& model) {
  VertexPattern pattern = vertex_pattern(model);
  matrix_.size = model.slot_count();
  matrix_.column_begin.assign(pattern.begin.begin(), pattern.begin.end());
  matrix_.row = std::move(pattern.row);
  matrix_.value.assign(matrix_.row.size(), 0);
}

void Laplacian::assemble(const StepProblem& problem, double weight, double share) {
  const Model& model = *problem.model;
  held_ = problem.held;
  std::fill(matrix_.value.begin(), matrix_.value.end(), 0.0);
  for (const ElasticBlock& block : model.blocks) {
    const double rate = problem.quasistatic ? 0 : block.damping / problem.h;
    const double k = weight * (1 + rate) * (2 * block.material.lame.mu + std::abs(block.material.lame.lambda));
    for (int32_t e = block.first_tet; e < block.last_tet; ++e) {
      for_each_point(model, block, e, [&](const ElementNodes& t, std::span<const Vec3d> gradient, double volume) {
        for (size_t i = 0; i < t.size(); ++i) {
          for (size_t j = 0; j <= i; ++j) {
            if (i != j && (held_[t[i]] || held_[t[j]])) continue;
            at(t[i], t[j]) += volume * k * dot(gradient[i], gradient[j]);
          }
        }
      });
    }
  }
  const Ties& ties = model.ties;
  for (int32_t t = 0; t < ties.count(); ++t) {
    const double rate = problem.quasistatic ? 0 : ties.laws[t].damping / problem.h;
    const double k = (1 + rate) * largest_stiffness(ties.laws[t]);
    for (int32_t i = ties.begin[t]; i < ties.begin[t + 1]; ++i) {
      for (int32_t j = ties.begin[t]; j <= i; ++j) {
        const int32_t a = ties.vertices[i], b = ties.vertices[j];
        if (i == j || !(held_[a] || held_[b])) at(a, b) += k * ties.weights[i] * ties.weights[j];
      }
    }
  }
  for (const Grab& grab : problem.grabs) {
    for (int32_t i = 0; i < grab.count; ++i) {
      for (int32_t j = 0; j <= i; ++j) {
        const int32_t a = grab.vertices[i], b = grab.vertices[j];
        if (i == j || !(held_[a] || held_[b])) at(a, b) += grab.stiffness * grab.weights[i] * grab.weights[j];
      }
    }
  }
  for (int32_t s = 0; s < model.slot_count(); ++s) {
    double& diagonal = matrix_.value[matrix_.column_begin[s]];
    diagonal = held_[s] ? 1 : (1 + share) * (diagonal + problem.inverse_h2() * model.mass[s]);
  }
}

SparseSymmetric Laplacian::gliding_matrix(std::span<const Glide> glides) const {
  std::vector<const Glide*> glide_of(static_cast<size_t>(matrix_.size), nullptr);
  for (const Glide& g : glides) glide_of[static_cast<size_t>(g.slot)] = &g;
  const auto free_part = [&](int64_t slot, Vec3d v) {
    const Glide* const g = glide_of[static_cast<size_t>(slot)];
    return g ? g->free_part(v) : v;
  };
  constexpr Vec3d axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  SparseSymmetric result;
  result.size = 3 * matrix_.size;
  result.column_begin.push_back(0);
  for (int64_t j = 0; j < matrix_.size; ++j) {
    for (int axis = 0; axis < 3; ++axis) {
      const Vec3d column = free_part(j, axes[axis]);
      const int64_t first = matrix_.column_begin[j];
      result.row.push_back(static_cast<int32_t>(3 * j + axis));
      result.value.push_back(matrix_.value[first]);
      for (int64_t p = first + 1; p < matrix_.column_begin[j + 1]; ++p) {
        const int32_t i = matrix_.row[p];
        const Vec3d block = free_part(i, column);
        const double entries[3] = {block.x, block.y, block.z};
        for (int a = 0; a < 3; ++a) {
          // The pattern is that of the glides, whatever their values.
          const bool coupled = glide_of[static_cast<size_t>(i)] || glide_of[static_cast<size_t>(j)];
          if (a != axis && !(coupled && entries[a] != 0)) continue;
          result.row.push_back(3 * i + a);
          result.value.push_back(matrix_.value[p] * entries[a]);
        }
      }
      result.column_begin.push_back(static_cast<int64_t>(result.row.size()));
    }
  }
  return result;
}

// The entry of two slots in the lower triangle.
double& Laplacian::at(int32_t a, int32_t b) {
  const int32_t low = std::min(a, b), high = std::max(a, b);
  const auto first = matrix_.row.begin() + matrix_.column_begin[low],
             last = matrix_.row.begin() + matrix_.column_begin[low + 1];
  return matrix_.value[std::lower_bound(first, last, high) - matrix_.row.begin()];
}

double Laplacian::force_resolution(std::span<const Vec3d> x) const {
  std::vector<Vec3d> forces(x.size());
  const auto add = [&](int32_t to, double a, Vec3d v) {
    forces[to] += std::abs(a) * Vec3d{std::abs(v.x), std::abs(v.y), std::abs(v.z)};
  };
  for (int32_t j = 0; j < matrix_.size; ++j) {
    for (int64_t p = matrix_.column_begin[j]; p < matrix_.column_begin[j + 1]; ++p) {
      const int32_t i = matrix_.row[p];
      add(i, matrix_.value[p], x[j]);
      if (i != j) add(j, matrix_.value[p], x[i]);
    }
  }
  double sum = 0;
  for (size_t s = 0; s < x.size(); ++s) {
    if (!held_[s]) sum += dot(forces[s], forces[s]);
  }
  return std::numeric_limits<double>::epsilon() * std::sqrt(sum);
}

size_t Laplacian::memory_bytes() const {
  return matrix_.column_begin.capacity() * sizeof(int64_t) + matrix_.row.capacity() * sizeof(int32_t) +
         matrix_.value.capacity() * sizeof(double) + held_.capacity();
}

}  // namespace sinew
