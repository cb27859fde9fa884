// Drops candidates between which there is a plane, as far from both as the limit says. The plane is across the way
// between two points that are nearly the closest. Any plane will do: what is approximate in finding it drops no pair
// that is near. Slack is left for rounding: the same for all lanes in effect, since no pair that is dropped touches.
#pragma once

#include "contact/cull.h"
#include "math/lane_bits.h"

namespace sinew::cull_kernel {

// The vectors of a batch.
struct alignas(64) Batch {
  float x[cull_batch], y[cull_batch], z[cull_batch];

  SINEW_INLINE void set(int32_t k, Vec3d v) {
    x[k] = static_cast<float>(v.x);
    y[k] = static_cast<float>(v.y);
    z[k] = static_cast<float>(v.z);
  }
  template <class T>
  SINEW_INLINE Vec3<T> get(int32_t k) const {
    return {load<T>(x + k), load<T>(y + k), load<T>(z + k)};
  }
};

SINEW_INLINE const Vec3d& point(const CullInput& input, int32_t p) {
  return p < input.slot_count ? input.slots[p] : input.colliders[p - input.slot_count];
}

// The limits of a batch [m^2], squared distances.
struct alignas(64) Squares {
  float square[cull_batch];
};
SINEW_INLINE float square_of(double limit) {
  return static_cast<float>(limit * limit);
}

// The limits of pairs of two bodies, found once as long as the bodies are the same.
class PairLimits {
 public:
  SINEW_INLINE explicit PairLimits(const CullInput& input) : input_(input) {}

  // That of a vertex and a triangle.
  SINEW_INLINE float square(int32_t vertex, const Triangle& t) {
    if (!input_.motion) return square_of(max(input_.depth, input_.reach));
    look_at(input_.body_of[vertex], input_.body_of[t[0]]);
    const double limit = input_.depth + way_;
    if (!(limit > input_.reach)) return square_of(input_.reach);
    if (p_ != q_) return square_of(limit);
    double most = 0;
    for (size_t k = 0; k < 3; ++k) {
      const Vec3d way = input_.rest[t[k]] - input_.rest[vertex];
      most = max(most, dot(way, way));
    }
    return square_of(max(min(limit, input_.own_share * sqrt(most) + input_.own_slack), input_.reach));
  }

  // That of two edges. Those of two bodies that move on, as fast as they have come, may be near within a few sweeps.
  SINEW_INLINE float square(const Edge& e, const Edge& f) {
    if (!input_.motion || !input_.points_move) return square_of(input_.reach);
    look_at(input_.body_of[e[0]], input_.body_of[f[0]]);
    return square_of(p_ != q_ ? max(input_.reach, input_.depth + way_) : input_.reach);
  }

 private:
  SINEW_INLINE void look_at(int32_t p, int32_t q) {
    if (p == p_ && q == q_) return;
    p_ = p;
    q_ = q;
    const BodyMotion &a = input_.motion[p], &b = input_.motion[q];
    const Vec3d d = a.mean - b.mean;
    way_ = abs(d.x) + abs(d.y) + abs(d.z) + a.rest + b.rest;
  }

  const CullInput& input_;
  int32_t p_ = -1, q_ = -1;
  double way_ = 0;  // [m] not less than the way between the two, and good enough
};

template <class T>
SINEW_INLINE T clamped(T a, T high) {
  return min(max(a, T{}), high);
}
// The limit, enlarged by what rounding may do to lengths whose squares sum to this.
template <class T>
SINEW_INLINE T enlarged(T limit, T squares) {
  return splat<T>(1.001) * limit + splat<T>(3e-9) * squares;
}

// Where the origin is from a triangle.
template <class T>
struct FromTriangle {
  Vec3<T> a, u, v;      // a corner and two sides
  Vec3<T> way;          // to about the closest point
  T gap, square, size;  // of all corners along it, at least; |way|^2; a sum of squared lengths

  // Whether surely farther, squared.
  SINEW_INLINE MaskOf<T> is_beyond(T limit) const { return (gap > T{}) & (gap * gap > square * enlarged(limit, size)); }
  // Whether surely on the outer side of its plane.
  SINEW_INLINE MaskOf<T> is_above() const { return -dot(cross(u, v), a) > splat<T>(2e-6) * size * sqrt(size); }
};
template <class T>
SINEW_INLINE FromTriangle<T> from_triangle(Vec3<T> a, Vec3<T> b, Vec3<T> c) {
  const T one = splat<T>(1), least = splat<T>(1e-37);
  const Vec3<T> u = b - a, v = c - a;
  const T uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), au = -dot(a, u), av = -dot(a, v);
  const T area = max(uu * vv - uv * uv, least);
  const T inverse_uu = rough_reciprocal(max(uu, least)), inverse_vv = rough_reciprocal(max(vv, least));
  // One weight after the other: from the foot on the plane, if that lies outside.
  T s = clamped((vv * au - uv * av) * rough_reciprocal(area), one);
  T t = clamped((av - s * uv) * inverse_vv, one - s);
  s = clamped((au - t * uv) * inverse_uu, one - t);
  t = clamped((av - s * uv) * inverse_vv, one - s);
  // Along the third edge, if the foot is on it.
  const T sum = s + t, third = uu - uv - uv + vv;
  const T along = clamped((av - au + uu - uv) * rough_reciprocal(max(third, least)), one);
  const auto on_third = sum > splat<T>(0.999);
  s = select(on_third, one - along, s);
  t = select(on_third, along, t);
  const Vec3<T> way = a + s * u + t * v;
  const T gap = min(dot(way, a), min(dot(way, b), dot(way, c)));
  return {a, u, v, way, gap, dot(way, way), dot(a, a) + uu + vv};
}

// Whether edges along u and v, whose starts are r apart, are too far from each other, or their lines are closest beyond
// an end.
template <class T>
SINEW_INLINE MaskOf<T> edges_are_far(Vec3<T> r, Vec3<T> u, Vec3<T> v, T limit, bool points_move) {
  const T one = splat<T>(1), least = splat<T>(1e-37);
  const T uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), ur = dot(u, r), vr = dot(v, r), rr = dot(r, r);
  const T area = uu * vv - uv * uv, inverse = rough_reciprocal(max(area, least));
  const T line_p = (uv * vr - vv * ur) * inverse, line_q = (uu * vr - uv * ur) * inverse;
  const T q = clamped((clamped(line_p, one) * uv + vr) * rough_reciprocal(max(vv, least)), one);
  const T p = clamped((q * uv - ur) * rough_reciprocal(max(uu, least)), one);
  const Vec3<T> way = r + p * u - q * v;
  const T gap = dot(way, r) + min(dot(way, u), T{}) - max(dot(way, v), T{});
  const MaskOf<T> apart = (gap > T{}) & (gap * gap > dot(way, way) * enlarged(limit, rr + uu + vv));
  if (points_move) return apart;
  // Where the lines are far from parallel, and the edges of like size and place, p and q are good to 1e-3.
  const T low = splat<T>(-0.01), high = splat<T>(1.01);
  const MaskOf<T> sure = (area > splat<T>(0.01) * uu * vv) & (rr < splat<T>(1e3) * min(uu, vv));
  return apart | (sure & ((line_p < low) | (line_p > high) | (line_q < low) | (line_q > high)));
}

// Appends first + k for each lane in which the mask does not hold, of `size` lanes.
template <class T, class M>
SINEW_INLINE int32_t keep(M far, int32_t first, int32_t size, int32_t* kept) {
  constexpr int W = lane_count<T>;
  const uint32_t all = W == 32 ? ~0u : (1u << W) - 1, within = size < W ? (1u << size) - 1 : all;
  uint32_t bits = ~bits_of(far) & within;
  int32_t count = 0;
  for (; bits; bits &= bits - 1) kept[count++] = first + __builtin_ctz(bits);
  return count;
}

template <class T>
int32_t vertex_triangle(const CullInput& input, const CandidatePairs::VertexTriangle* pairs, int32_t count,
                        int32_t* kept, uint8_t* is_clear) {
  const T reach = splat<T>(square_of(input.reach));
  Batch a, b, c;
  Squares squares;
  PairLimits limits(input);
  int32_t left = 0, vertex = -1;
  Vec3d p{};
  for (int32_t first = 0; first < count; first += cull_batch) {
    const int32_t size = count - first < cull_batch ? count - first : cull_batch;
    for (int32_t k = 0; k < size; ++k) {
      const CandidatePairs::VertexTriangle& pair = pairs[first + k];
      const Triangle& t = input.triangles[pair.triangle];
      if (pair.vertex != vertex) p = point(input, vertex = pair.vertex);
      a.set(k, point(input, t[0]) - p);
      b.set(k, point(input, t[1]) - p);
      c.set(k, point(input, t[2]) - p);
      squares.square[k] = input.vertex_squares ? input.vertex_squares[first + k] : limits.square(vertex, t);
    }
    for (int32_t k = 0; k < size; k += lane_count<T>) {
      const FromTriangle<T> from = from_triangle(a.get<T>(k), b.get<T>(k), c.get<T>(k));
      int32_t* const to = kept + left;
      const int32_t more = keep<T>(from.is_beyond(load<T>(squares.square + k)), first + k, size - k, to);
      if (is_clear) {
        const MaskOf<T> clear = from.is_beyond(reach) & from.is_above();
        for (int32_t j = 0; j < more; ++j) is_clear[left + j] = bits_of(clear) >> (to[j] - first - k) & 1;
      }
      left += more;
    }
  }
  return left;
}

// Of T for its name only: each width has its own.
template <class T>
void vertex_squares(const CullInput& input, const CandidatePairs::VertexTriangle* pairs, int32_t count,
                    float* squares) {
  PairLimits limits(input);
  for (int32_t k = 0; k < count; ++k) squares[k] = limits.square(pairs[k].vertex, input.triangles[pairs[k].triangle]);
}

template <class T>
int32_t edge_edge(const CullInput& input, const CandidatePairs::EdgeEdge* pairs, int32_t count, int32_t* kept) {
  Batch r, u, v;
  Squares squares;
  PairLimits limits(input);
  int32_t number[cull_batch];
  int32_t left = 0, edge = -1;
  Edge e{};
  Vec3d a{}, along{};
  for (int32_t first = 0; first < count;) {
    int32_t size = 0;
    for (; first < count && size < cull_batch; ++first) {
      const CandidatePairs::EdgeEdge& pair = pairs[first];
      if (!(input.sharpness[pair.a] * input.sharpness[pair.b] > 0)) continue;
      if (pair.a != edge) {
        edge = pair.a;
        e = input.edges[edge];
        a = point(input, e[0]);
        along = point(input, e[1]) - a;
      }
      const Edge& f = input.edges[pair.b];
      const Vec3d c = point(input, f[0]);
      r.set(size, a - c);
      u.set(size, along);
      v.set(size, point(input, f[1]) - c);
      squares.square[size] = limits.square(e, f);
      number[size++] = first;
    }
    for (int32_t k = 0; k < size; k += lane_count<T>) {
      int32_t* const to = kept + left;
      const int32_t more =
          keep<T>(edges_are_far(r.get<T>(k), u.get<T>(k), v.get<T>(k), load<T>(squares.square + k), input.points_move),
                  k, size - k, to);
      for (int32_t j = 0; j < more; ++j) to[j] = number[to[j]];
      left += more;
    }
  }
  return left;
}

template <class Real, int W>
constexpr CullKernels cull_kernel_table() {
  return {vertex_triangle<Lane<Real, W>>, vertex_squares<Lane<Real, W>>, edge_edge<Lane<Real, W>>};
}

}  // namespace sinew::cull_kernel

namespace sinew {
using cull_kernel::cull_kernel_table;
}  // namespace sinew
