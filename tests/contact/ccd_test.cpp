// Source: the definition: the first time in [0, 1] at which a point of one primitive is a point of the other, found in
// integers (for points on a grid), or by dense samples of the distance (for others).
#include "contact/ccd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "contact/distance.h"

namespace sinew {
namespace {

__extension__ using Wide = __int128;

// A polynomial with integer coefficients, of degree 3 at most.
struct Polynomial {
  std::array<int64_t, 4> c{};  // c[k] t^k

  int degree() const {
    int k = 3;
    while (k >= 0 && c[static_cast<size_t>(k)] == 0) --k;
    return k;  // -1: identically 0
  }
};
Polynomial operator+(Polynomial a, const Polynomial& b) {
  for (size_t k = 0; k < 4; ++k) a.c[k] += b.c[k];
  return a;
}
Polynomial operator-(Polynomial a, const Polynomial& b) {
  for (size_t k = 0; k < 4; ++k) a.c[k] -= b.c[k];
  return a;
}
Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  Polynomial p;
  for (size_t i = 0; i < 4; ++i)
    for (size_t j = 0; i + j < 4; ++j) p.c[i + j] += a.c[i] * b.c[j];
  return p;
}

// A root of a polynomial: num/den, or one that is not rational, of a polynomial without rational roots.
struct Root {
  long double value = 0;
  long double error = 0;     // of value
  int64_t num = 0, den = 1;  // den > 0: rational
  Polynomial minimal{};      // den == 0: no smaller degree has this root
};

// Whether a divides b: as it has no rational roots, a root of a is a root of b iff it does.
bool divides(const Polynomial& a, const Polynomial& b) {
  std::array<Wide, 4> rest;
  for (size_t k = 0; k < 4; ++k) rest[k] = b.c[k];
  const int n = a.degree();
  for (int k = 3; k >= n; --k) {
    const Wide lead = a.c[static_cast<size_t>(n)], top = rest[static_cast<size_t>(k)];
    for (int i = 0; i <= k; ++i) rest[static_cast<size_t>(i)] *= lead;
    for (int i = 0; i <= n; ++i) rest[static_cast<size_t>(k - n + i)] -= top * a.c[static_cast<size_t>(i)];
  }
  return std::all_of(rest.begin(), rest.end(), [](Wide r) { return r == 0; });
}

int undecided = 0;  // signs that long double could not tell, though they are not 0

int sign_at(const Polynomial& p, const Root& at) {
  if (at.den > 0) {
    Wide sum = 0, power = 1;
    for (int k = 3; k >= 0; --k) {  // den^3 p(num/den)
      sum = sum * at.num + p.c[static_cast<size_t>(k)] * power;
      power *= at.den;
    }
    return (sum > 0) - (sum < 0);
  }
  if (divides(at.minimal, p)) return 0;
  long double sum = 0, slope = 0;
  for (int k = 3; k >= 0; --k) {
    sum = sum * at.value + static_cast<long double>(p.c[static_cast<size_t>(k)]);
    slope += static_cast<long double>(k) * std::fabs(static_cast<long double>(p.c[static_cast<size_t>(k)]));
  }
  const long double scale = std::fabs(static_cast<long double>(p.c[0])) + slope;
  undecided += std::fabs(sum) <= 2 * slope * at.error + 1e-17L * scale;
  return (sum > 0) - (sum < 0);
}

// Roots in [0, 1] of p, which is not 0.
void add_roots(Polynomial p, std::vector<Root>& roots) {
  const auto value = [&p](long double t) {
    long double sum = 0;
    for (int k = 3; k >= 0; --k) sum = sum * t + static_cast<long double>(p.c[static_cast<size_t>(k)]);
    return sum;
  };
  const auto rational = [&p](int64_t num, int64_t den) { return sign_at(p, {0, 0, num, den, {}}) == 0; };
  const auto add_rational = [&](int64_t num, int64_t den) {
    if (num >= 0 && num <= den)
      roots.push_back({static_cast<long double>(num) / static_cast<long double>(den), 1e-18L, num, den, {}});
  };
  int n = p.degree();
  while (n > 0) {
    // Times the leading coefficient, a rational root is an integer. All real roots, by halving between those of the
    // derivatives.
    const int64_t lead = p.c[static_cast<size_t>(n)];
    long double bound = 1;  // of all roots (Cauchy)
    for (const int64_t c : p.c)
      bound = std::max(bound, 1 + std::fabs(static_cast<long double>(c) / static_cast<long double>(lead)));
    std::vector<long double> found;
    std::vector<Polynomial> derivatives{p};
    for (int k = 1; k < n; ++k) {
      Polynomial d;
      for (size_t i = 1; i < 4; ++i) d.c[i - 1] = static_cast<int64_t>(i) * derivatives.back().c[i];
      derivatives.push_back(d);
    }
    for (size_t k = derivatives.size(); k-- > 0;) {
      const Polynomial& d = derivatives[k];
      const auto at = [&d](long double t) {
        long double sum = 0;
        for (int i = 3; i >= 0; --i) sum = sum * t + static_cast<long double>(d.c[static_cast<size_t>(i)]);
        return sum;
      };
      std::vector<long double> ends{-bound}, next;
      for (const long double t : found) ends.push_back(t);
      ends.push_back(bound);
      for (size_t i = 0; i + 1 < ends.size(); ++i) {
        long double a = ends[i], b = ends[i + 1], fa = at(a);
        // Double roots are ends; whether they are roots is asked below, of the integers.
        if (i > 0) next.push_back(a);
        if ((fa > 0) == (at(b) > 0)) continue;
        for (int halving = 0; halving < 100; ++halving) {
          const long double middle = (a + b) / 2, fm = at(middle);
          if (middle == a || middle == b) break;
          ((fm > 0) == (fa > 0) ? a : b) = middle;
        }
        next.push_back((a + b) / 2);
      }
      std::sort(next.begin(), next.end());
      found = next;
    }
    bool divided = false;
    for (const long double t : found) {
      const auto num = static_cast<int64_t>(std::llround(t * static_cast<long double>(std::abs(lead))));
      if (!rational(num, std::abs(lead))) continue;
      const int64_t common = std::gcd(num, std::abs(lead)), a = num / common, b = std::abs(lead) / common;
      add_rational(a, b);
      // Divide by b t - a: the quotient has integer coefficients (Gauss's lemma).
      Polynomial quotient;
      int64_t carry = 0;
      for (int k = n; k > 0; --k) {
        carry = (p.c[static_cast<size_t>(k)] + a * carry) / b;
        quotient.c[static_cast<size_t>(k - 1)] = carry;
      }
      p = quotient;
      divided = true;
      break;
    }
    if (divided) {
      n = p.degree();
      continue;
    }
    // No rational roots, so all are simple.
    for (const long double t : found) {
      if (t < 0 || t > 1) continue;
      const long double h = 1e-12L;
      if ((value(t - h) > 0) == (value(t + h) > 0)) continue;
      long double slope = 0, scale = 0;
      for (size_t k = 0; k < 4; ++k) {
        scale += std::fabs(static_cast<long double>(p.c[k]));
        if (k > 0)
          slope += static_cast<long double>(k) * static_cast<long double>(p.c[k]) *
                   std::pow(t, static_cast<long double>(k - 1));
      }
      roots.push_back({t, 1e-18L * (1 + scale / std::fabs(slope)), 0, 0, p});
    }
    return;
  }
}

using Point = std::array<int, 3>;
struct GridPoint {
  Point from, to;

  MovingPoint real() const {
    return {{double(from[0]), double(from[1]), double(from[2])}, {double(to[0]), double(to[1]), double(to[2])}};
  }
};
using Vector = std::array<Polynomial, 3>;
Vector difference(const GridPoint& a, const GridPoint& b) {
  Vector v;
  for (size_t k = 0; k < 3; ++k) {
    v[k].c[0] = a.from[k] - b.from[k];
    v[k].c[1] = a.to[k] - b.to[k] - v[k].c[0];
  }
  return v;
}
Vector product(const Vector& a, const Vector& b) {
  Vector v;
  for (size_t k = 0; k < 3; ++k) v[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
  return v;
}

// Of two primitives, the one of `first` corners and the other of the rest (1 + 3: vertex and triangle, 2 + 2: edges).
class Oracle {
 public:
  Oracle(const std::array<GridPoint, 4>& x, size_t first) : first_(first) {
    for (size_t i = 0; i < 4; ++i)
      for (size_t j = 0; j < 4; ++j) d_[i][j] = difference(x[j], x[i]);
    for (size_t i = 0; i < 4; ++i) {  // the triangle without corner i
      const size_t a = i == 0 ? 1 : 0, b = i <= 1 ? 2 : 1, c = i == 3 ? 2 : 3;
      area_[i] = product(d_[a][b], d_[a][c]);
    }
    const Vector n = area_[3];  // of x0 x1 x2
    volume_ = n[0] * d_[0][3][0] + n[1] * d_[0][3][1] + n[2] * d_[0][3][2];
    normal_ = first == 1 ? area_[0] : product(d_[0][1], d_[2][3]);
  }

  // The first time of contact in [0, 1]; nothing: none.
  bool first_contact(Root* time) const {
    std::vector<Root> candidates{Root{}};
    const auto add = [&](const Polynomial& p) {
      if (p.degree() > 0) add_roots(p, candidates);
    };
    if (volume_.degree() >= 0) {
      add(volume_);
    } else {
      for (const Vector& v : area_)
        for (const Polynomial& p : v) add(p);
      for (const Polynomial& p : normal_) add(p);
      for (size_t i = 0; i < 4; ++i)
        for (size_t j = 0; j < i; ++j)
          for (const Polynomial& p : d_[i][j]) add(p);
    }
    std::sort(candidates.begin(), candidates.end(), [](const Root& a, const Root& b) { return a.value < b.value; });
    for (const Root& t : candidates) {
      if (!touches(t)) continue;
      *time = t;
      return true;
    }
    return false;
  }

 private:
  bool touches(const Root& t) const {
    if (sign_at(volume_, t) != 0) return false;
    for (size_t k = 0; k < 3; ++k) {
      if (sign_at(normal_[k], t) == 0) continue;
      // In the plane, seen along an axis: x0 is in the triangle, or each edge has the other's ends on both sides.
      if (first_ == 1) {
        const int abc = sign_at(area_[0][k], t);
        // x0 instead of x1, x2, x3: area_[1] is of x0 x2 x3, area_[2] of x0 x1 x3, area_[3] of x0 x1 x2.
        return abc * sign_at(area_[1][k], t) >= 0 && abc * sign_at(area_[2][k], t) <= 0 &&
               abc * sign_at(area_[3][k], t) >= 0;
      }
      return sign_at(area_[2][k], t) * sign_at(area_[3][k], t) <= 0 &&  // x0 x1 x3 and x0 x1 x2
             sign_at(area_[0][k], t) * sign_at(area_[1][k], t) <= 0;    // x1 x2 x3 and x0 x2 x3
    }
    // A triangle without area, or parallel edges. All on one line, they touch if they do in each coordinate.
    // Not on one line: parallel edges, or a triangle on a line that the vertex is not on.
    for (const Vector& v : area_)
      for (const Polynomial& p : v)
        if (sign_at(p, t) != 0) return false;
    return ranges_meet(t);
  }
  bool ranges_meet(const Root& t) const {
    for (size_t k = 0; k < 3; ++k) {
      bool below = true, above = true;  // all of the first side below, or above, all of the second
      for (size_t i = 0; i < first_; ++i) {
        for (size_t j = first_; j < 4; ++j) {
          const int s = sign_at(d_[i][j][k], t);
          below = below && s > 0;
          above = above && s < 0;
        }
      }
      if (below || above) return false;
    }
    return true;
  }

  size_t first_;
  Vector d_[4][4];  // from i to j
  Vector area_[4];
  Vector normal_;
  Polynomial volume_;
};

// The distance at time t, in long double.
using Far = Vec3<long double>;
using Query = std::array<MovingPoint, 4>;
long double distance_at(const Query& m, size_t first, long double t) {
  std::array<Far, 4> x;
  for (size_t k = 0; k < 4; ++k) {
    const auto along = [t](double from, double to) {
      return (1 - t) * static_cast<long double>(from) + t * static_cast<long double>(to);
    };
    x[k] = {along(m[k].from.x, m[k].to.x), along(m[k].from.y, m[k].to.y), along(m[k].from.z, m[k].to.z)};
  }
  Far gap;
  if (first == 1) {
    const auto foot = closest_on_triangle(x[0], x[1], x[2], x[3]);
    gap = foot.weights[0] * (x[1] - x[0]) + foot.weights[1] * (x[2] - x[0]) + foot.weights[2] * (x[3] - x[0]);
  } else {
    const auto feet = closest_on_segments(x[0], x[1], x[2], x[3]);
    gap = (x[0] + feet.p * (x[1] - x[0])) - (x[2] + feet.q * (x[3] - x[2]));
  }
  return std::sqrt(dot(gap, gap));
}

double safe_time(const Query& m, size_t first, double min_distance) {
  return first == 1 ? safe_time_vertex_triangle(m[0], m[1], m[2], m[3], min_distance)
                    : safe_time_edge_edge(m[0], m[1], m[2], m[3], min_distance);
}

constexpr int degenerate_kinds = 10;

class Grid {
 public:
  explicit Grid(uint64_t seed) : random_(seed) {}

  int number(int most) { return static_cast<int>(random_() % static_cast<uint64_t>(2 * most + 1)) - most; }
  Point point(int most) { return {number(most), number(most), number(most)}; }
  // All four anywhere.
  std::array<GridPoint, 4> free(int most) {
    std::array<GridPoint, 4> x;
    for (GridPoint& p : x) p = {point(most), point(most)};
    return x;
  }
  std::array<GridPoint, 4> degenerate(int kind, int most, size_t first) {
    std::array<GridPoint, 4> x = free(most);
    const auto axis = static_cast<size_t>(number(1) + 1);
    switch (kind) {
      case 0:  // all motion in a plane
        for (GridPoint& p : x) p.from[axis] = p.to[axis] = 0;
        break;
      case 1:  // all in a plane that moves against that of the first
        for (size_t k = 0; k < 4; ++k) {
          x[k].from[axis] = k < first ? 1 : 0;
          x[k].to[axis] = k < first ? -number(1) : 0;
        }
        break;
      case 2:  // parallel edges, or a triangle without area, at all times
        for (size_t k = 0; k < 3; ++k) {
          x[3].from[k] = first == 1 ? 2 * x[2].from[k] - x[1].from[k] : x[2].from[k] + x[1].from[k] - x[0].from[k];
          x[3].to[k] = first == 1 ? 2 * x[2].to[k] - x[1].to[k] : x[2].to[k] + x[1].to[k] - x[0].to[k];
        }
        break;
      case 3:  // ends meet at t = 1
        x[0].to = x[3].to;
        break;
      case 4:  // ends meet at t = 1/2
        for (size_t k = 0; k < 3; ++k) x[0].to[k] = x[3].from[k] + x[3].to[k] - x[0].from[k];
        break;
      case 5:  // an edge without length, or two corners in one
        x[1] = x[0];
        if (first == 1) x[2] = x[3];
        break;
      case 6: {  // rigid translation of one against another that rests
        const Point by = point(most);
        for (size_t k = 0; k < 4; ++k) {
          x[k].to = x[k].from;
          if (k < first)
            for (size_t i = 0; i < 3; ++i) x[k].to[i] += by[i];
        }
        break;
      }
      case 7: {  // the four turn about their own line, or are flipped over
        for (GridPoint& p : x) p.to = {-p.from[0], p.from[1], -p.from[2]};
        x[0].to = point(most);
        break;
      }
      case 8:  // all on a line
        for (GridPoint& p : x) {
          p.from[axis] = p.to[axis] = 0;
          p.from[(axis + 1) % 3] = p.to[(axis + 1) % 3] = 0;
        }
        break;
      case 9:  // grazing: a vertex passes over an edge, edges cross at an end
        for (size_t k = 0; k < 3; ++k) {
          x[0].from[k] = x[2].from[k] + x[3].from[k] + number(1);
          x[0].to[k] = x[2].to[k] + x[3].to[k] - (x[0].from[k] - x[2].from[k] - x[3].from[k]);
          x[2].from[k] *= 2;
          x[2].to[k] *= 2;
          x[3].from[k] *= 2;
          x[3].to[k] *= 2;
        }
        break;
      default:
        break;
    }
    return x;
  }

 private:
  std::mt19937_64 random_;
};

// Half of them degenerate, and small grids make half of the others so.
TEST(Ccd, MissesNoContactOfExactArithmeticAndIsAtMostTenPercentEarly) {
  Grid grid(1);
  int contacts = 0, at_start = 0, none = 0;
  undecided = 0;
  for (int trial = 0; trial < 100000; ++trial) {
    const size_t first = 1 + static_cast<size_t>(trial % 2);
    const auto x = trial % 4 < 2 ? grid.free(1 + trial / 4 % 6)
                                 : grid.degenerate(trial / 4 % degenerate_kinds, 1 + trial / 40 % 5, first);
    const Query m{x[0].real(), x[1].real(), x[2].real(), x[3].real()};
    const double t = safe_time(m, first, 0);
    Root contact;
    if (!Oracle(x, first).first_contact(&contact)) {
      ++none;
      EXPECT_EQ(t, 1) << trial;
    } else if (contact.value == 0) {
      ++at_start;
      EXPECT_EQ(t, 0) << trial;
    } else {
      ++contacts;
      EXPECT_LT(static_cast<long double>(t), contact.value) << trial;
      EXPECT_GE(static_cast<long double>(t), .9L * contact.value) << trial;
    }
  }
  EXPECT_EQ(undecided, 0);
  EXPECT_GT(contacts, 25000);
  EXPECT_GT(at_start, 10000);
  EXPECT_GT(none, 50000);
}

// Of the oracle: where it says contact, the distance is 0.
TEST(Ccd, ComparesWithTimesAtWhichTheDistanceVanishes) {
  Grid grid(2);
  for (int trial = 0; trial < 20000; ++trial) {
    const size_t first = 1 + static_cast<size_t>(trial % 2);
    const auto x = grid.degenerate(trial / 2 % degenerate_kinds, 3, first);
    const Query m{x[0].real(), x[1].real(), x[2].real(), x[3].real()};
    Root contact;
    if (!Oracle(x, first).first_contact(&contact)) continue;
    EXPECT_LT(distance_at(m, first, contact.value), 1e-9L);
  }
}

// Not on a grid: of any size, near one another, thin, far from the origin, with a distance to keep. Samples of
// the distance until t stay above that distance, and at t/.92 (ccd.h) it is reached, to what rounding hides: 1e-11 of
// the size, for feet of thin triangles and of edges at a small angle.
TEST(Ccd, KeepsTheDistanceAndUsesTheWay) {
  std::mt19937_64 random(3);
  const auto number = [&] { return 2 * std::uniform_real_distribution<double>(0, 1)(random) - 1; };
  const auto vector = [&](double s) { return Vec3d{s * number(), s * number(), s * number()}; };
  const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<uint64_t>(n)); };
  int stopped = 0, free = 0, refused = 0;
  for (int trial = 0; trial < 30000; ++trial) {
    const size_t first = 1 + static_cast<size_t>(trial % 2);
    const double scale = std::pow(10., pick(13) - 6), gap = std::pow(10., -pick(7)), motion = std::pow(10., -pick(4));
    std::array<Vec3d, 4> x{vector(1), vector(1), vector(1), vector(1)};
    if (pick(4) == 0) x[3] = x[2] + (first == 1 ? .5 * (x[2] - x[1]) : x[1] - x[0]) + vector(1e-4);
    if (pick(3) != 0) {  // inside or outside at the distance `gap`
      const Vec3d u = first == 1 ? x[2] - x[1] : x[1] - x[0], v = x[3] - x[first];
      const Vec3d n = cross(u, v);
      const Vec3d at =
          x[first] + (first == 1 ? .7 * number() : 0) * u + number() * v + (gap / std::sqrt(dot(n, n))) * n;
      const Vec3d by = at - (first == 1 ? x[0] : x[0] + .5 * (1 + number()) * u);
      for (size_t k = 0; k < first; ++k) x[k] += by;
    }
    const Vec3d shift = pick(3) == 0 ? vector(100 * scale) : Vec3d{0, 0, 0}, common = vector(pick(2));
    Query m;
    for (size_t k = 0; k < 4; ++k) m[k] = {scale * x[k] + shift, scale * (x[k] + common + vector(motion)) + shift};
    const long double start = distance_at(m, first, 0);
    const double keep = pick(2) == 0   ? 0
                        : pick(2) == 0 ? 1.001 * static_cast<double>(start)
                                       : .3 * static_cast<double>(start);

    const double t = safe_time(m, first, keep);
    ASSERT_TRUE(t >= 0 && t <= 1);
    if (static_cast<long double>(keep) >= start) {
      ++refused;
      EXPECT_EQ(t, 0);
      continue;
    }
    for (int k = 0; k <= 40; ++k) {
      const long double at = t * (k < 20 ? k / 20.L : 1 - std::pow(.5L, k - 18));
      ASSERT_GT(distance_at(m, first, at), static_cast<long double>(keep)) << trial << " at " << double(at);
    }
    if (t == 1) {
      ++free;
      continue;
    }
    ++stopped;
    const long double reached = distance_at(m, first, static_cast<long double>(t) / .92L);
    EXPECT_LE(reached - keep, 1.1e-6L * (start - keep) + 1e-11L * static_cast<long double>(scale)) << trial;
  }
  EXPECT_GT(stopped, 1500);
  EXPECT_GT(free, 3000);
  EXPECT_GT(refused, 3000);
}

Query resting(size_t first) {
  if (first == 1)
    return {{{{.2, .3, 1}, {.2, .3, 1}}, {{0, 0, 0}, {0, 0, 0}}, {{1, 0, 0}, {1, 0, 0}}, {{0, 1, 0}, {0, 1, 0}}}};
  return {{{{0, -1, 1}, {0, -1, 1}}, {{0, 1, 1}, {0, 1, 1}}, {{-1, 0, 0}, {-1, 0, 0}}, {{1, 0, 0}, {1, 0, 0}}}};
}

TEST(Ccd, StopsAShareOfTheWayShortOfContact) {
  for (const size_t first : {1, 2}) {
    Query m = resting(first);
    for (size_t k = 0; k < first; ++k) m[k].to.z -= 2;
    EXPECT_NEAR(safe_time(m, first, 0), .92 * .5, 1e-6);
    EXPECT_NEAR(safe_time(m, first, .25), .92 * .375, 1e-6);
    for (size_t k = 0; k < first; ++k) m[k].to.z = m[k].from.z - .999;
    EXPECT_EQ(safe_time(m, first, 0), 1);
    EXPECT_LT(safe_time(m, first, .01), 1);
  }
}

TEST(Ccd, LetsPairsThatMoveAlikeOrPartGo) {
  for (const size_t first : {1, 2}) {
    Query m = resting(first);
    EXPECT_EQ(safe_time(m, first, 0), 1);
    EXPECT_EQ(safe_time(m, first, .99), 1);
    for (MovingPoint& p : m) p.to += Vec3d{1e6, 3, -1e3};
    EXPECT_EQ(safe_time(m, first, .99), 1);
    m = resting(first);
    for (size_t k = 0; k < first; ++k) m[k].to += Vec3d{5, 7, 0};  // slides along
    EXPECT_EQ(safe_time(m, first, .99), 1);
    for (size_t k = 0; k < first; ++k) m[k].to.z += 1;  // parts
    EXPECT_EQ(safe_time(m, first, .99), 1);
  }
}

TEST(Ccd, DoesNotMoveWhatTouches) {
  for (const size_t first : {1, 2}) {
    Query m = resting(first);
    for (size_t k = 0; k < first; ++k) m[k].from.z = 0;
    EXPECT_EQ(safe_time(m, first, 0), 0);
    m = resting(first);
    EXPECT_EQ(safe_time(m, first, 1), 0);
    EXPECT_EQ(safe_time(m, first, 2), 0);
  }
  const MovingPoint same{{1, 2, 3}, {4, 5, 6}};
  EXPECT_EQ(safe_time_vertex_triangle(same, same, same, same, 0), 0);
  EXPECT_EQ(safe_time_edge_edge(same, same, same, same, 0), 0);
}

TEST(Ccd, DoesNotMoveWhatIsNotFinite) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e200}) {
    for (const size_t first : {1, 2}) {
      for (size_t k = 0; k < 4; ++k) {
        for (double Vec3d::*axis : {&Vec3d::x, &Vec3d::y, &Vec3d::z}) {
          for (Vec3d MovingPoint::*end : {&MovingPoint::from, &MovingPoint::to}) {
            Query m = resting(first);
            m[k].*end.*axis = bad;
            EXPECT_EQ(safe_time(m, first, 0), 0) << bad;
          }
        }
      }
    }
  }
}

// A small gap over a triangle, or an edge, that turns fast: a bound by the length of the motion would take a million
// steps.
TEST(Ccd, FollowsATurningPlaneAtASmallGap) {
  const double gap = 1e-6;
  const MovingPoint p{{0, 0, gap}, {0, 0, gap}};
  const MovingPoint a{{-1, -1, 0}, {-1, -1, -3}}, b{{1, -1, 0}, {1, -1, 3}}, c{{0, 1, 0}, {0, 1, 0}};
  EXPECT_EQ(safe_time_vertex_triangle(p, a, b, c, 0), 1);
  const MovingPoint d{{0, -1, gap}, {0, -1, gap}}, e{{0, 1, gap}, {0, 1, gap}};
  const MovingPoint f{{-1, 0, 0}, {-1, 0, -3}}, g{{1, 0, 0}, {1, 0, 3}};
  EXPECT_EQ(safe_time_edge_edge(d, e, f, g, 0), 1);
  // In a plane, where the end of an edge is near another that turns.
  const MovingPoint i{{0, 0, gap}, {0, 0, gap}};
  const MovingPoint up{{0, 0, 1}, {0, 0, 1}};
  EXPECT_EQ(safe_time_edge_edge(i, up, f, g, 0), 1);
}

}  // namespace
}  // namespace sinew
