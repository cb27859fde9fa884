#include "mesh/winding_number.h"

#include <cmath>
#include <numbers>

#include "math/length.h"

namespace sinew {
namespace {

using Lanes = BoxTree::Lanes;
using Pair = TriangleTree::Pair;

// Integrals over triangles with the area vector n dA, of d = x - centre: what an expansion about `centre` needs.
struct Moments {
  double area = 0;
  Vec3d centre{};                        // of the area
  double radius = 0;                     // no triangle reaches farther from the centre
  Vec3d flux{};                          // of n
  std::array<Vec3d, 3> first{};          // of d n_k, for each k
  std::array<Sym3<double>, 3> second{};  // of d d n_k
  Bounds box;
};

double component(Vec3d a, int axis) {
  return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}
double component(const Sym3<double>& a, int i, int j) {
  if (i > j) std::swap(i, j);
  return i == 0 ? (j == 0 ? a.xx : j == 1 ? a.xy : a.xz) : i == 1 ? (j == 1 ? a.yy : a.yz) : a.zz;
}
Sym3<double> square(Vec3d a) {
  return {a.x * a.x, a.x * a.y, a.x * a.z, a.y * a.y, a.y * a.z, a.z * a.z};
}
// a bT + b aT
Sym3<double> cross_square(Vec3d a, Vec3d b) {
  return {2 * a.x * b.x, a.x * b.y + a.y * b.x, a.x * b.z + a.z * b.x,
          2 * a.y * b.y, a.y * b.z + a.z * b.y, 2 * a.z * b.z};
}
Moments of_triangle(Vec3d a, Vec3d b, Vec3d c) {
  Moments m;
  m.flux = 0.5 * cross(b - a, c - a);
  m.area = length(m.flux);
  m.centre = a + (1.0 / 3) * ((b - a) + (c - a));
  for (const Vec3d corner : {a, b, c}) {
    m.box.add(corner);
    m.radius = std::max(m.radius, length(corner - m.centre));
  }
  // The rule by the middles of the edges is exact for polynomials of degree two.
  Sym3<double> spread{};
  for (const Vec3d middle : {0.5 * (a + b) - m.centre, 0.5 * (b + c) - m.centre, 0.5 * (c + a) - m.centre})
    spread = spread + (1.0 / 3) * square(middle);
  for (int k = 0; k < 3; ++k) m.second[k] = component(m.flux, k) * spread;
  return m;
}

// About the centre of all.
Moments merged(std::span<const Moments> parts) {
  Moments all;
  for (const Moments& part : parts) {
    all.area += part.area;
    all.box.merge(part.box);
  }
  const Vec3d middle = 0.5 * all.box.low + 0.5 * all.box.high;
  for (const Moments& part : parts)
    if (all.area > 0) all.centre += (part.area / all.area) * (part.centre - middle);
  all.centre += middle;
  double reach = 0;
  for (const Moments& part : parts) {
    const Vec3d by = part.centre - all.centre;
    reach = std::max(reach, length(by) + part.radius);
    all.flux += part.flux;
    for (int k = 0; k < 3; ++k) {
      const double n = component(part.flux, k);
      all.first[k] += part.first[k] + n * by;
      all.second[k] = all.second[k] + part.second[k] + cross_square(by, part.first[k]) + n * square(by);
    }
  }
  const Vec3d corner{std::max(all.centre.x - all.box.low.x, all.box.high.x - all.centre.x),
                     std::max(all.centre.y - all.box.low.y, all.box.high.y - all.centre.y),
                     std::max(all.centre.z - all.box.low.z, all.box.high.z - all.centre.z)};
  all.radius = std::min(reach, length(corner));
  return all;
}

// Sums angles in (-pi, pi] by multiplying unit complex numbers and counting turns where the sum passes pi: one arc
// tangent for all triangles.
template <class T>
struct Angles {
  T real = splat<T>(1), imaginary = splat<T>(0);
  T turns = splat<T>(0);

  // Adds the angle of (x, y); nothing if both are 0.
  SINEW_INLINE void add(T x, T y) {
    const T zero = splat<T>(0), one = splat<T>(1);
    const T size = sqrt(x * x + y * y);
    const auto any = size > zero;
    const T scale = one / select(any, size, one);
    x = select(any, x * scale, one);
    y = select(any, y * scale, zero);
    const T r = real * x - imaginary * y, i = real * y + imaginary * x;
    // Two positive (or negative) angles whose sum is not.
    turns += select((imaginary >= zero) & (y >= zero) & (i < zero), one, zero);
    turns -= select((imaginary < zero) & (y < zero) & (i >= zero), one, zero);
    real = r;
    imaginary = i;
  }
};

}  // namespace

WindingNumber::WindingNumber(const TriangleTree& tree, ThreadPool& pool, double beta)
    : tree_(tree), beta_squared_(static_cast<float>(beta * beta)), expansions_(tree.boxes().nodes().size()) {
  const std::span<const BoxTree::Node> nodes = tree.boxes().nodes();
  std::vector<Moments> of_leaf(tree.corners().size()), of_node(nodes.size());
  pool.parallel_for(static_cast<int64_t>(of_leaf.size()), 256, [&](int64_t first, int64_t last) {
    for (int64_t leaf = first; leaf < last; ++leaf) {
      std::array<Moments, BoxTree::width> triangles;
      for (size_t k = 0; k < BoxTree::width; ++k) {
        const auto& [a, b, c] = tree.corners()[leaf].pairs[k / 2];
        const auto lane = [&](const Vec3<Pair>& x) { return Vec3d{x.x[k % 2], x.y[k % 2], x.z[k % 2]}; };
        triangles[k] = of_triangle(lane(a), lane(b), lane(c));
      }
      of_leaf[leaf] = merged(triangles);
    }
  });
  const auto of_child = [&](int32_t child) -> const Moments& { return child >= 0 ? of_node[child] : of_leaf[~child]; };
  // Children come after their parents.
  for (size_t n = nodes.size(); n-- > 0;) {
    std::array<Moments, BoxTree::width> children;
    for (int k = 0; k < nodes[n].children; ++k) children[k] = of_child(nodes[n].child[k]);
    of_node[n] = merged(std::span(children).first(static_cast<size_t>(nodes[n].children)));
  }

  // With f_k(y) = y_k / |y|^3, y = p + d - q, and its derivatives at d = 0,
  //   df_k/dy_i = delta_ik / r^3 - 3 y_i y_k / r^5
  //   d2f_k/dy_i dy_j = -3 (delta_ij y_k + delta_ik y_j + delta_jk y_i) / r^5 + 15 y_i y_j y_k / r^7,
  // only the symmetric trace-free parts of the moments contribute: f is harmonic.
  constexpr double per_sphere = 1 / (4 * std::numbers::pi);
  pool.parallel_for(static_cast<int64_t>(nodes.size()), 256, [&](int64_t begin, int64_t end) {
    for (int64_t node = begin; node < end; ++node) {
      Expansions& e = expansions_[node];
      for (int k = 0; k < nodes[node].children; ++k) {
        const Moments& m = of_child(nodes[node].child[k]);
        for (int axis = 0; axis < 3; ++axis) e.centre[axis][k / 2][k % 2] = component(m.centre, axis);
        if (!(m.radius > 0)) continue;
        const double per_radius = 1 / m.radius;
        e.inverse_radius[k] = static_cast<float>(per_radius);
        double factor = per_sphere * per_radius * per_radius;
        for (int axis = 0; axis < 3; ++axis) e.n[axis][k] = static_cast<float>(factor * component(m.flux, axis));

        factor *= per_radius;
        const auto s = [&](int i, int j) {
          return -3 * factor * (component(m.first[i], j) + component(m.first[j], i)) / 2;
        };
        const double third = (s(0, 0) + s(1, 1) + s(2, 2)) / 3;
        const double of_s[] = {s(0, 0) - third, s(1, 1) - third, 2 * s(0, 1), 2 * s(0, 2), 2 * s(1, 2)};
        for (size_t p = 0; p < 5; ++p) e.s[p][k] = static_cast<float>(of_s[p]);

        factor *= per_radius;
        const auto t = [&](int i, int j, int l) {
          return 7.5 * factor / 3 *
                 (component(m.second[i], j, l) + component(m.second[j], i, l) + component(m.second[l], i, j));
        };
        double fifth[3];
        for (int l = 0; l < 3; ++l) fifth[l] = (t(0, 0, l) + t(1, 1, l) + t(2, 2, l)) / 5;
        const double of_t[] = {t(0, 0, 0) - 3 * fifth[0],
                               3 * (t(0, 1, 1) - fifth[0]),
                               t(1, 1, 1) - 3 * fifth[1],
                               3 * (t(0, 0, 1) - fifth[1]),
                               t(0, 0, 2) - fifth[2],
                               t(1, 1, 2) - fifth[2],
                               6 * t(0, 1, 2)};
        for (size_t p = 0; p < 7; ++p) e.t[p][k] = static_cast<float>(of_t[p]);
      }
    }
  });
}

double WindingNumber::at(Vec3d q) const {
  const std::span<const BoxTree::Node> nodes = tree_.boxes().nodes();
  const std::span<const TriangleTree::Corners> corners = tree_.corners();
  const std::array<Pair, 3> here{splat<Pair>(q.x), splat<Pair>(q.y), splat<Pair>(q.z)};
  const Vec3<Pair> eye{here[0], here[1], here[2]};
  const Lanes zero{};
  Lanes far{};
  Angles<Pair> angles;
  std::array<int32_t, BoxTree::most_open> open;
  open[0] = 0;
  for (int count = 1; count > 0;) {
    const int32_t at = open[--count];
    if (at >= 0) {
      const Expansions& e = expansions_[at];
      std::array<Lanes, 3> u;
      for (size_t axis = 0; axis < 3; ++axis) {
        const Pair low = e.centre[axis][0] - here[axis], high = e.centre[axis][1] - here[axis];
        u[axis] = e.inverse_radius * Lanes{static_cast<float>(low[0]), static_cast<float>(low[1]),
                                           static_cast<float>(high[0]), static_cast<float>(high[1])};
      }
      const auto [x, y, z] = u;
      const Lanes xx = x * x, yy = y * y, zz = z * z;
      const Lanes square = xx + yy + zz;
      const auto is_far = square > beta_squared_;
      const Lanes per_square = splat<Lanes>(1) / select(is_far, square, splat<Lanes>(1));
      const Lanes n = e.n[0] * x + e.n[1] * y + e.n[2] * z;
      const Lanes s = e.s[0] * (xx - zz) + e.s[1] * (yy - zz) + x * (e.s[2] * y + e.s[3] * z) + e.s[4] * (y * z);
      const Lanes t = x * (e.t[0] * (xx - 3.0f * zz) + e.t[1] * (yy - zz)) +
                      y * (e.t[2] * (yy - 3.0f * zz) + e.t[3] * (xx - zz)) +
                      z * (e.t[4] * (3.0f * xx - zz) + e.t[5] * (3.0f * yy - zz) + e.t[6] * (x * y));
      far += select(is_far, per_square * sqrt(per_square) * (n + per_square * (s + per_square * t)), zero);
      const BoxTree::Node& node = nodes[at];
      for (int k = 0; k < node.children; ++k)
        if (!is_far[k]) open[count++] = node.child[k];
      continue;
    }
    for (const auto& [first, second, third] : corners[~at].pairs) {
      const Vec3<Pair> a = first - eye, b = second - eye, c = third - eye;
      const Pair a_size = sqrt(dot(a, a)), b_size = sqrt(dot(b, b)), c_size = sqrt(dot(c, c));
      angles.add(a_size * b_size * c_size + dot(a, b) * c_size + dot(b, c) * a_size + dot(c, a) * b_size,
                 dot(a, cross(b, c)));
    }
  }
  double half_angle = 0;
  for (int k = 0; k < 2; ++k)
    half_angle += std::atan2(angles.imaginary[k], angles.real[k]) + 2 * std::numbers::pi * angles.turns[k];
  return half_angle / (2 * std::numbers::pi) + (double(far[0]) + far[1]) + (double(far[2]) + far[3]);
}

}  // namespace sinew
