// The springs, weak constraints and fibres of a model (element/tie.h), one behind the other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "element/tie.h"
#include "mesh/tet_mesh.h"

namespace sinew {

// The vertices that a tie may have.
inline constexpr int most_tie_ends = 10;

struct Ties {
  std::vector<TieLaw<double>> laws;  // of each tie
  std::vector<int32_t> begin;        // ends of tie t: [begin[t], begin[t + 1]); empty where there is no tie
  std::vector<int32_t> vertices;     // of each end: the user's number in a ModelInput, a slot in a Model
  std::vector<double> weights;       // s_j [-] of each end; those of a tie add up to 0

  int32_t count() const { return static_cast<int32_t>(laws.size()); }
  bool empty() const { return laws.empty(); }
  int32_t end_count(int32_t tie) const { return begin[tie + 1] - begin[tie]; }
  std::span<const int32_t> vertices_of(int32_t tie) const {
    return {vertices.data() + begin[tie], static_cast<size_t>(end_count(tie))};
  }
  std::span<const double> weights_of(int32_t tie) const {
    return {weights.data() + begin[tie], static_cast<size_t>(end_count(tie))};
  }
  // C [m], where x are the positions of all vertices. Of differences, so that it is as exact far from the origin.
  Vec3d vector(int32_t tie, std::span<const Vec3d> x) const;

  void add(const TieLaw<double>& law, std::span<const int32_t> ends, std::span<const double> end_weights);
  // x_a - x_b kept at its rest length; damping: k_d [s].
  void add_spring(int32_t a, int32_t b, double stiffness, double rest_length, double damping = 0);
  // Of a tet or a triangle of positive volume with rest positions x [m], along a direction of length 1, of a triangle
  // in its plane; what it can do in all is peak stress [Pa] times volume, that of a triangle 1 m thick.
  void add_fibre(const Tet& tet, std::span<const Vec3d> x, Vec3d along, double peak_stress, double optimal_stretch,
                 int32_t muscle);
  // The same of a quadratic tet: one at each of its four points.
  void add_fibre(const Tet& tet, const Middles& middles, std::span<const Vec3d> x, Vec3d along, double peak_stress,
                 double optimal_stretch, int32_t muscle);
  size_t memory_bytes() const;

 private:
  void add_fibre_at(const TieLaw<double>& law, std::span<const int32_t> nodes, std::span<double> s);
};

// Errors: a tie of one vertex or of too many, or of one vertex twice; vertices that are not there; weights that do not
// add up to 0; a stiffness, a length or a damping that is negative or not finite, or a damping of what is no spring; a
// normal whose length is not 1; a muscle that is not there.
Status check_ties(const Ties& ties, size_t vertex_count, size_t muscle_count);

// Tets, not all of four different vertices, that have each two vertices of a tie in one of them: whoever keeps the
// vertices of a tet apart keeps those of a tie apart.
std::vector<Tet> tets_over(const Ties& ties);

}  // namespace sinew
