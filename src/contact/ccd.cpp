#include "contact/ccd.h"

#include <cmath>
#include <limits>

#include "contact/distance.h"
#include "math/inline.h"
#include "math/lane.h"

// Let n be a unit vector, x_i the corners of one side and y_j those of the other. If n . (x_i - y_j) > g for all pairs,
// the distance of the two exceeds g, whatever n is. For a fixed n these numbers are linear in time, so the first time
// at which one of them falls to g is safe. n is the direction of the shortest distance at the current time, where the
// bound is tight; its inaccuracy costs progress, not safety. A pair that slides does not approach along n and is done
// at once, where a bound by the length of all motion needs many steps. Where it approaches because it turns, directions
// that turn with it go further (end_of_planes, end_of_turning).
namespace sinew {
namespace {

constexpr double share_reached = 1e-6;     // of the first gap: what is nearer is taken for contact
constexpr double share_kept = 5e-7;        // a step ends with at least this
constexpr double share_of_time = .92;      // of the time of contact
constexpr double largest_pair = 1e75;      // whose fourth power is finite
constexpr int most_advances = 64;          // what is safe then is returned
constexpr int most_parts_of_advance = 16;  // of a step
constexpr int advances_without_turning = 4;

double largest_coordinate(const Vec3d& a) {
  return max(std::fabs(a.x), max(std::fabs(a.y), std::fabs(a.z)));
}
// The part of n that is perpendicular to an edge.
Vec3d across_edge(const Vec3d& edge, const Vec3d& n) {
  const double square = dot(edge, edge);
  return square > 0 ? n - (dot(edge, n) / square) * edge : n;
}

// Positions relative to the first point of the first side, which is the origin at all times. The first side is {0}
// or {0, x}, the second y.
struct VertexAndTriangle {
  static constexpr int first = 0, second = 3;

  // From the second side to the first.
  static Vec3d separation(const Vec3d* y) {
    const TriangleFoot<double> foot = closest_on_triangle<double>({0, 0, 0}, y[0], y[1], y[2]);
    return -(foot.weights[0] * y[0] + foot.weights[1] * y[1] + foot.weights[2] * y[2]);
  }
  // Two vectors of the plane, and one from it to a plane parallel to it that contains the other side.
  static void frame(const Vec3d* y, Vec3d* u, Vec3d* v, Vec3d* r) {
    *u = y[1] - y[0];
    *v = y[2] - y[0];
    *r = -y[0];
  }
  // Directions close to n, if the foot is inside, or on an edge.
  static constexpr int normals = 4;
  static Vec3d normal(int k, const Vec3d* y, const Vec3d& n) {
    return k == 3 ? cross(y[1] - y[0], y[2] - y[0]) : across_edge(y[k == 2 ? 0 : k + 1] - y[k], n);
  }
};
struct EdgeAndEdge {
  static constexpr int first = 1, second = 2;

  static Vec3d separation(const Vec3d* x) {
    const SegmentFeet<double> feet = closest_on_segments<double>({0, 0, 0}, x[0], x[1], x[2]);
    return feet.p * x[0] - (x[1] + feet.q * (x[2] - x[1]));
  }
  static void frame(const Vec3d* x, Vec3d* u, Vec3d* v, Vec3d* r) {
    *u = x[0];
    *v = x[2] - x[1];
    *r = -x[1];
  }
  static constexpr int normals = 3;
  static Vec3d normal(int k, const Vec3d* x, const Vec3d& n) {
    return k == 2 ? cross(x[0], x[2] - x[1]) : across_edge(k == 0 ? x[0] : x[2] - x[1], n);
  }
};

template <class Kind>
struct PairMotion {
  static constexpr int moving = Kind::first + Kind::second;
  Vec3d from[moving], to[moving];

  void at(double t, Vec3d* x) const {
    for (int k = 0; k < moving; ++k) x[k] = (1 - t) * from[k] + t * to[k];
  }
};

// From the corners of the second side to those of the first.
template <class Kind>
void pairs_of(const Vec3d* x, Vec3d* r) {
  for (int j = 0; j < Kind::second; ++j) {
    const Vec3d& y = x[Kind::first + j];
    r[j] = -y;
    for (int i = 0; i < Kind::first; ++i) r[Kind::second + j] = x[i] - y;
  }
}

// Until when, from t on, all pairs of corners are farther apart than `level` along n. Not above t: they are not at t.
// *now: how far they are at t. Written so that nan ends the motion.
template <class Kind>
SINEW_INLINE double end_of_separation(const PairMotion<Kind>& motion, const Vec3d& n, double t, double level,
                                      double* now) {
  double end = 1;
  *now = std::numeric_limits<double>::infinity();
  const auto pair = [&](double from, double to) {
    const double g = (1 - t) * from + t * to;
    if (!(g >= *now)) *now = g;
    if (!(to > level)) {
      const double until = t + (1 - t) * ((g - level) / (g - to));
      if (!(until >= end)) end = until;
    }
  };
  for (int j = Kind::first; j < PairMotion<Kind>::moving; ++j) {
    const double from = -dot(n, motion.from[j]), to = -dot(n, motion.to[j]);
    pair(from, to);
    for (int i = 0; i < Kind::first; ++i) pair(from + dot(n, motion.from[i]), to + dot(n, motion.to[i]));
  }
  if (!(*now > level)) return t;
  return end;
}

// Until when, from t on and not beyond `last`, the planes through the two sides that are parallel to both are farther
// apart than `level`. Their distance is f/|N|, f = N . R, N = U x V, of linear U, V, R. The Bernstein coefficients of
// the quadratic N bound |N|, and f, a cubic, lies in the convex hull of its own, which are at 0, 1/3, 2/3 and 1.
template <class Kind>
double end_of_planes_within(const PairMotion<Kind>& motion, double t, double last, double level) {
  Vec3d x[PairMotion<Kind>::moving], u[2], v[2], r[2];
  motion.at(t, x);
  Kind::frame(x, &u[0], &v[0], &r[0]);
  motion.at(last, x);
  Kind::frame(x, &u[1], &v[1], &r[1]);
  const Vec3d n0 = cross(u[0], v[0]), n2 = cross(u[1], v[1]);
  const Vec3d n1 = .5 * (cross(u[0], v[1]) + cross(u[1], v[0]));
  const double f[4] = {dot(n0, r[0]), (2 * dot(n1, r[0]) + dot(n0, r[1])) / 3, (dot(n2, r[0]) + 2 * dot(n1, r[1])) / 3,
                       dot(n2, r[1])};
  const double square = max(dot(n0, n0), max(dot(n1, n1), dot(n2, n2)));
  const double products = max(largest_coordinate(u[0]), largest_coordinate(u[1])) *
                          max(largest_coordinate(v[0]), largest_coordinate(v[1])) *
                          max(largest_coordinate(r[0]), largest_coordinate(r[1]));
  const double least = level * std::sqrt(square) + 64 * std::numeric_limits<double>::epsilon() * products;
  const double sign = f[0] < 0 ? -1 : 1;
  if (!(sign * f[0] > least)) return t;
  double end = 2;
  for (int j = 1; j < 4; ++j) {
    const double below = sign * f[j] - least;
    if (below > 0) continue;
    for (int i = 0; i < 4; ++i) {
      const double above = sign * f[i] - least;
      if (!(above > 0)) continue;
      const double until = (i + (j - i) * (above / (above - below))) / 3;
      if (!(until >= end)) end = until;
    }
  }
  return end > 1 ? last : t + end * (last - t);
}

// The same without a last time, in parts that grow as long as they succeed; the first ends at about `end`. This is
// close where the normal turns fast at a small distance, where a fixed one is soon worth nothing.
template <class Kind>
SINEW_OUT_OF_LINE double end_of_planes(const PairMotion<Kind>& motion, double t, double end, double level) {
  double length = 1 - t;
  double reached = end_of_planes_within(motion, t, 1, level);
  length = min(length, 4 * (max(reached, end) - t));
  for (int part = 0; part < most_parts_of_advance && reached < 1; ++part) {
    const double last = min(1., t + length);
    reached = max(reached, end_of_planes_within(motion, t, last, level));
    if (!(reached - t > .2 * length)) break;
    if (reached >= last) length *= 8;
    t = reached;
  }
  return reached;
}

// Until when, from t on, all pairs of corners are farther apart than `level` along a direction that turns with them, in
// each part from the normal at its start to that at its end; n is the first. `length` is that of the first part to try.
// Of use where an edge is approached by a corner or by an edge in the same plane, for which the planes above say
// nothing.
template <class Kind>
SINEW_OUT_OF_LINE double end_of_turning(const PairMotion<Kind>& motion, Vec3d n, double t, double length,
                                        double level) {
  constexpr int moving = PairMotion<Kind>::moving, pairs = Kind::second * (Kind::first + 1);
  Vec3d x[moving], r[pairs], s[pairs];
  motion.at(t, x);
  pairs_of<Kind>(x, r);
  for (int part = 0; part < most_parts_of_advance && t < 1; ++part) {
    const double last = min(1., t + length);
    motion.at(last, x);
    pairs_of<Kind>(x, s);
    Vec3d m = Kind::separation(x);
    m = (1 / std::sqrt(dot(m, m))) * m;
    // Along (1 - z) n + z w m, for z from 0 to 1 and some w > 0, a pair is apart by a quadratic with the Bernstein
    // coefficients n . r, (n . s + w m . r)/2, w m . s. They must exceed those of level times a bound of the
    // direction's length, 1 - z + z w.
    double least = 0, most = std::numeric_limits<double>::max();
    bool apart = true;
    for (int k = 0; k < pairs && apart; ++k) {
      const double a = dot(n, s[k]) - level, b = dot(m, r[k]) - level;  // a + w b > 0
      apart = dot(n, r[k]) > level && dot(m, s[k]) > level && (a > 0 || b > 0);
      if (a <= 0) least = max(least, -a / b);
      if (b <= 0) most = min(most, a / -b);
    }
    if (apart && least < (1 - 1e-12) * most) {
      t = last;
      n = m;
      for (int k = 0; k < pairs; ++k) r[k] = s[k];
      length *= 4;
    } else {
      length *= .5;
    }
  }
  return t;
}

// Whether all pairs of corners stay farther apart than `level` along the line of the two centres: a cheap answer for
// most pairs that are not near.
template <class Kind>
SINEW_INLINE bool apart_along_centres(const PairMotion<Kind>& motion, double level) {
  Vec3d n = {0, 0, 0};
  for (int k = 0; k < PairMotion<Kind>::moving; ++k) {
    const double weight = k < Kind::first ? 1. / (Kind::first + 1) : -1. / Kind::second;
    n += weight * (motion.from[k] + motion.to[k]);
  }
  double least = std::numeric_limits<double>::infinity();
  for (int j = Kind::first; j < PairMotion<Kind>::moving; ++j) {
    const double from = -dot(n, motion.from[j]), to = -dot(n, motion.to[j]);
    least = min(least, min(from, to));
    for (int i = 0; i < Kind::first; ++i) {
      least = min(least, min(from + dot(n, motion.from[i]), to + dot(n, motion.to[i])));
    }
  }
  return least > 0 && least * least > level * level * dot(n, n);
}

template <class Kind>
SINEW_INLINE double safe_time(const PairMotion<Kind>& motion, double min_distance) {
  constexpr int moving = PairMotion<Kind>::moving;
  double size = 0;
  for (int k = 0; k < moving; ++k) {
    size = max(size, max(largest_coordinate(motion.from[k]), largest_coordinate(motion.to[k])));
  }
  if (!(size < largest_pair)) return 0;
  // An inner product of n is off by at most 14 half eps sizes, a difference of two and its value at t by twice that,
  // the time of a step by as much again. The constant is for distances whose squares vanish.
  const double rounding = 64 * std::numeric_limits<double>::epsilon() * size + 1e-140;
  const double closest = min_distance + rounding;

  if (apart_along_centres(motion, closest)) return 1;
  double t = 0, level = closest, gap = 0;
  for (int step = 0; step < most_advances; ++step) {
    Vec3d x[moving];
    motion.at(t, x);
    Vec3d n = Kind::separation(x);
    const double distance = std::sqrt(dot(n, n));
    if (step == 0) {
      if (!(distance > closest)) return 0;
    } else if (!(distance > closest + share_reached * gap)) {
      break;
    }
    n = (1 / distance) * n;
    double now;
    double end = end_of_separation(motion, n, t, level, &now);
    if (!(now - closest > .5 * (distance - closest))) {
      // Rounding turned n: the distance is a small part of the size.
      for (int k = 0; k < Kind::normals; ++k) {
        Vec3d other = Kind::normal(k, x, n);
        const double square = dot(other, other);
        if (!(square > 0)) continue;
        other = ((dot(other, n) < 0 ? -1 : 1) / std::sqrt(square)) * other;
        double other_now;
        const double other_end = end_of_separation(motion, other, t, level, &other_now);
        if (!(other_now > now)) continue;
        now = other_now;
        end = other_end;
        n = other;
      }
    }
    if (step == 0) {
      gap = now - closest;
      if (!(gap > 0)) return 0;
      if (end >= 1) return 1;
      level = closest + share_kept * gap;
      end = end_of_separation(motion, n, t, level, &now);
    }
    if (end < 1) {
      end = max(end, end_of_planes(motion, t, end, level));
      if (step >= advances_without_turning && end > t && end < 1) {
        end = max(end, end_of_turning(motion, n, t, 2 * (end - t), level));
      }
    }
    if (end >= 1) return 1;
    if (!(end > t)) break;
    t = end;
  }
  return share_of_time * t;
}

}  // namespace

double safe_time_vertex_triangle(const MovingPoint& p, const MovingPoint& a, const MovingPoint& b, const MovingPoint& c,
                                 double min_distance) {
  const PairMotion<VertexAndTriangle> motion = {{a.from - p.from, b.from - p.from, c.from - p.from},
                                                {a.to - p.to, b.to - p.to, c.to - p.to}};
  return safe_time(motion, min_distance);
}

double safe_time_edge_edge(const MovingPoint& a, const MovingPoint& b, const MovingPoint& c, const MovingPoint& d,
                           double min_distance) {
  const PairMotion<EdgeAndEdge> motion = {{b.from - a.from, c.from - a.from, d.from - a.from},
                                          {b.to - a.to, c.to - a.to, d.to - a.to}};
  return safe_time(motion, min_distance);
}

}  // namespace sinew
