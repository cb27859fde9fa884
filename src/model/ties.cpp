#include "model/ties.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/format.h"
#include "element/quadratic_tetrahedron.h"
#include "model/rest_shape.h"

namespace sinew {
namespace {

// Barycentric weights add up to 1 but for rounding.
constexpr double rounding = 1e-12;

bool is_stiffness(double k) {
  return k >= 0 && std::isfinite(k);
}

std::string fault_of(const Ties& ties, int32_t tie, size_t vertex_count, size_t muscle_count) {
  const std::span<const int32_t> vertices = ties.vertices_of(tie);
  if (vertices.size() < 2 || vertices.size() > most_tie_ends)
    return format("has %d vertices; 2 to %d are possible", static_cast<int>(vertices.size()), most_tie_ends);
  double sum = 0, size = 0;
  for (size_t j = 0; j < vertices.size(); ++j) {
    const int32_t v = vertices[j];
    if (static_cast<uint32_t>(v) >= vertex_count)
      return format("vertex %d is not in 0..%d", v, static_cast<int>(vertex_count) - 1);
    if (std::count(vertices.begin(), vertices.end(), v) > 1) return format("has vertex %d twice", v);
    sum += ties.weights_of(tie)[j];
    size += std::abs(ties.weights_of(tie)[j]);
  }
  if (!(std::abs(sum) <= rounding * size) || !std::isfinite(size) || size == 0)
    return format("its weights add up to %g, not to 0", sum);
  const TieLaw<double>& law = ties.laws[tie];
  if (!is_stiffness(law.stiffness) || !is_stiffness(law.tangential))
    return format("its stiffness %g N/m is negative or not finite", std::min(law.stiffness, law.tangential));
  if (!is_stiffness(law.rest_length)) return format("its rest length %g m is no length", law.rest_length);
  if (!is_stiffness(law.damping)) return format("its damping %g s is negative or not finite", law.damping);
  if (law.damping > 0 && !law.traits().has_damping) return format("is damped, which a %s cannot be", law.traits().name);
  const double square = dot(law.normal, law.normal);
  const bool needs_normal = !is_one_constraint(law.kind) && law.stiffness != law.tangential;
  if (needs_normal && !(std::abs(square - 1) <= 1e-9)) return "its normal is not of length 1";
  if (law.traits().is_muscle && static_cast<size_t>(law.muscle) >= muscle_count)
    return format("its muscle %d is not one of %zu", law.muscle, muscle_count);
  return {};
}

}  // namespace

Vec3d Ties::vector(int32_t tie, std::span<const Vec3d> x) const {
  const int32_t first = begin[tie];
  Vec3d c{};
  for (int32_t k = first + 1; k < begin[tie + 1]; ++k) c += weights[k] * (x[vertices[k]] - x[vertices[first]]);
  return c;
}

void Ties::add(const TieLaw<double>& law, std::span<const int32_t> ends, std::span<const double> end_weights) {
  if (begin.empty()) begin.push_back(0);
  laws.push_back(law);
  vertices.insert(vertices.end(), ends.begin(), ends.end());
  weights.insert(weights.end(), end_weights.begin(), end_weights.end());
  begin.push_back(static_cast<int32_t>(vertices.size()));
}

void Ties::add_spring(int32_t a, int32_t b, double stiffness, double rest_length, double damping) {
  const int32_t ends[] = {a, b};
  constexpr double difference[] = {1, -1};
  add(spring_law(stiffness, rest_length, damping), ends, difference);
}

void Ties::add_fibre(const Tet& tet, std::span<const Vec3d> x, Vec3d along, double peak_stress, double optimal_stretch,
                     int32_t muscle) {
  const RestShape<double> rest = rest_shape(tet, x);
  const Vec3d v = (1 / optimal_stretch) * along;
  std::vector<double> s(corner_count(tet));
  for (size_t k = 1; k < s.size(); ++k) s[k] = dot(rest.gradient[k - 1], v);
  add_fibre_at(fibre_law(peak_stress * rest.volume, muscle), corners_of(tet), s);
}

void Ties::add_fibre(const Tet& tet, const Middles& middles, std::span<const Vec3d> x, Vec3d along, double peak_stress,
                     double optimal_stretch, int32_t muscle) {
  constexpr int points = QuadraticTetrahedron::points;
  const ElementShape shape(tet, x);
  const Vec3d v = (1 / optimal_stretch) * along;
  std::array<int32_t, most_nodes> nodes;
  std::copy(tet.begin(), tet.end(), nodes.begin());
  std::copy(middles.begin(), middles.end(), nodes.begin() + 4);
  for (int q = 0; q < points; ++q) {
    Vec3d g[most_nodes];
    node_gradients(shape.gradient, q, g);
    std::array<double, most_nodes> s;
    for (size_t n = 0; n < most_nodes; ++n) s[n] = dot(g[n], v);
    add_fibre_at(fibre_law(peak_stress * shape.volume / points, muscle), nodes, s);
  }
}

// C = sum_j s_j x_j; the first weight follows from the others. A fibre along an edge or in a face has no ends but
// there, up to rounding.
void Ties::add_fibre_at(const TieLaw<double>& law, std::span<const int32_t> nodes, std::span<double> s) {
  double size = 0;
  for (size_t k = 1; k < s.size(); ++k) size += std::abs(s[k]);
  s[0] = 0;
  for (size_t k = 1; k < s.size(); ++k) {
    if (std::abs(s[k]) <= rounding * size) s[k] = 0;
    s[0] -= s[k];
  }
  if (std::abs(s[0]) <= rounding * size) s[0] = 0;
  std::vector<int32_t> ends;
  std::vector<double> end_weights;
  for (size_t k = 0; k < s.size(); ++k) {
    if (s[k] == 0) continue;
    ends.push_back(nodes[k]);
    end_weights.push_back(s[k]);
  }
  add(law, ends, end_weights);
}

size_t Ties::memory_bytes() const {
  return laws.capacity() * sizeof(TieLaw<double>) + (begin.capacity() + vertices.capacity()) * sizeof(int32_t) +
         weights.capacity() * sizeof(double);
}

Status check_ties(const Ties& ties, size_t vertex_count, size_t muscle_count) {
  for (int32_t t = 0; t < ties.count(); ++t) {
    const std::string fault = fault_of(ties, t, vertex_count, muscle_count);
    if (!fault.empty()) return Error{format("tie %d", t), fault, "correct the springs, bindings and fibres"};
  }
  return {};
}

// Pairs of vertices, and a tet for each two pairs.
std::vector<Tet> tets_over(const Ties& ties) {
  std::vector<Tet> tets;
  for (int32_t t = 0; t < ties.count(); ++t) {
    const std::span<const int32_t> v = ties.vertices_of(t);
    const size_t pairs = (v.size() + 1) / 2;
    const auto second = [&](size_t pair) { return v[std::min(2 * pair + 1, v.size() - 1)]; };
    if (pairs == 1) tets.push_back({v[0], v[1], v[1], v[1]});
    for (size_t a = 0; a < pairs; ++a)
      for (size_t b = a + 1; b < pairs; ++b) tets.push_back({v[2 * a], second(a), v[2 * b], second(b)});
  }
  return tets;
}

}  // namespace sinew
