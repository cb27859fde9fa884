#include "linear/harmonic_field.h"

#include <algorithm>
#include <numeric>

#include "base/format.h"
#include "model/rest_shape.h"

namespace sinew {
namespace {

// The known value of u at a vertex.
enum class Known : uint8_t { nothing, zero, one };

// Every connected part of the mesh must touch both ends.
Status check_parts(std::span<const Tet> tets, const std::vector<Known>& known) {
  std::vector<int32_t> parent(known.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (const Tet& t : tets)
    for (const int32_t v : corners_of(t)) parent[root(v)] = root(t[0]);
  std::vector<uint8_t> has_zero(known.size()), has_one(known.size());
  for (size_t v = 0; v < known.size(); ++v) {
    const int32_t r = root(static_cast<int32_t>(v));
    has_zero[r] |= known[v] == Known::zero;
    has_one[r] |= known[v] == Known::one;
  }
  for (size_t e = 0; e < tets.size(); ++e) {
    const int32_t r = root(tets[e][0]);
    if (has_zero[r] && has_one[r]) continue;
    return Error{format(is_triangle(tets[e]) ? "triangle %zu" : "tetrahedron %zu", e),
                 has_zero[r] || has_one[r] ? "hangs together with one of the ends alone" : "hangs together with no end",
                 "let each part of the mesh have vertices of both ends"};
  }
  return {};
}

// The lower triangle of the unknowns' matrix; entries of one place are added in the order of the tets.
class System {
 public:
  System(std::span<const Vec3d> x, std::span<const Tet> tets, const std::vector<Known>& known)
      : unknown_(known.size()) {
    for (size_t v = 0; v < known.size(); ++v) unknown_[v] = known[v] == Known::nothing ? size_++ : -1;
    right_.assign(static_cast<size_t>(size_), 0);
    std::vector<Entry> entries;
    for (const Tet& t : tets) {
      const ElementShape shape(t, x);
      const size_t corners = corner_count(t);
      for (size_t i = 0; i < corners; ++i) {
        const int32_t row = unknown_[t[i]];
        if (row < 0) continue;
        for (size_t j = 0; j < corners; ++j) {
          const double k = shape.volume * dot(shape.gradient[i], shape.gradient[j]);
          if (known[t[j]] == Known::one) right_[row] -= k;
          if (const int32_t column = unknown_[t[j]]; column >= 0 && column <= row) entries.push_back({column, row, k});
        }
      }
    }
    std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
      return a.column != b.column ? a.column < b.column : a.row < b.row;
    });
    matrix_.size = size_;
    matrix_.column_begin.assign(static_cast<size_t>(size_) + 1, 0);
    for (size_t k = 0; k < entries.size(); ++k) {
      const bool same = k > 0 && entries[k].column == entries[k - 1].column && entries[k].row == entries[k - 1].row;
      if (same) {
        matrix_.value.back() += entries[k].value;
        continue;
      }
      matrix_.row.push_back(entries[k].row);
      matrix_.value.push_back(entries[k].value);
      ++matrix_.column_begin[static_cast<size_t>(entries[k].column) + 1];
    }
    std::partial_sum(matrix_.column_begin.begin(), matrix_.column_begin.end(), matrix_.column_begin.begin());
  }

  bool solve(LinearSolver& solver, const std::vector<Known>& known, std::vector<double>& u) const {
    std::vector<double> solution(right_.size());
    if (size_ > 0 && !(solver.analyze(matrix_) && solver.factorize(matrix_) && solver.solve(right_, solution)))
      return false;
    for (size_t v = 0; v < u.size(); ++v)
      u[v] = unknown_[v] >= 0 ? solution[unknown_[v]] : known[v] == Known::one ? 1 : 0;
    return true;
  }

 private:
  struct Entry {
    int32_t column, row;
    double value;
  };
  std::vector<int32_t> unknown_;  // number of each vertex among them, -1 where u is known
  int32_t size_ = 0;
  SparseSymmetric matrix_;
  std::vector<double> right_;
};

}  // namespace

Result<std::vector<Vec3d>> harmonic_gradients(std::span<const Vec3d> x, std::span<const Tet> tets,
                                              std::span<const int32_t> zeros, std::span<const int32_t> ones,
                                              LinearSolver& solver) {
  // Vertices without a tet have no equation: they count as known.
  std::vector<Known> known(x.size(), Known::zero);
  for (const Tet& t : tets)
    for (const int32_t v : corners_of(t)) known[v] = Known::nothing;
  for (const int32_t v : zeros) known[v] = Known::zero;
  for (const int32_t v : ones) {
    if (std::binary_search(zeros.begin(), zeros.end(), v))
      return Error{format("vertex %d", v), "belongs to both ends", "choose ends that lie apart"};
    known[v] = Known::one;
  }
  if (Status parts = check_parts(tets, known); !parts.ok()) return parts.error();
  std::vector<double> u(x.size());
  if (!System(x, tets, known).solve(solver, known, u))
    return Error{"Laplace's equation", "has no solution in double precision", "repair tetrahedra that are very flat"};

  std::vector<Vec3d> gradients;
  gradients.reserve(tets.size());
  for (const Tet& t : tets) {
    const ElementShape shape(t, x);
    Vec3d sum{};
    for (size_t k = 1; k < corner_count(t); ++k) sum += (u[t[k]] - u[t[0]]) * shape.gradient[k];
    gradients.push_back(sum);
  }
  return gradients;
}

}  // namespace sinew
