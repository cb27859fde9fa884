#include "mesh/exact_sign.h"

#include <array>
#include <cmath>
#include <limits>

namespace sinew {
namespace {

constexpr double half_ulp = std::numeric_limits<double>::epsilon() / 2;

int sign_of(double a) {
  return (a > 0) - (a < 0);
}

// A number as a sum of doubles: they do not overlap, their absolute values ascend, and none is 0.
struct Expansion {
  std::array<double, 192> term;  // enough for a 3x3 determinant of differences
  int count = 0;

  int sign() const { return count == 0 ? 0 : sign_of(term[static_cast<size_t>(count) - 1]); }

  // Grow-Expansion, leaving zeros out.
  void add(double b) {
    double sum = b;
    int kept = 0;
    for (int k = 0; k < count; ++k) {
      const double e = term[static_cast<size_t>(k)];
      const double total = sum + e;  // Knuth's two-sum: total + error = sum + e
      const double part = total - sum;
      const double error = (sum - (total - part)) + (e - part);
      if (error != 0) term[static_cast<size_t>(kept++)] = error;
      sum = total;
    }
    if (sum != 0) term[static_cast<size_t>(kept++)] = sum;
    count = kept;
  }
  void add_product(double a, double b) {
    const double product = a * b;
    add(std::fma(a, b, -product));
    add(product);
  }
};

Expansion difference(double a, double b) {
  Expansion d;
  d.add(a);
  d.add(-b);
  return d;
}

void add_product(Expansion& sum, const Expansion& a, const Expansion& b, double factor) {
  for (int i = 0; i < a.count; ++i)
    for (int j = 0; j < b.count; ++j)
      sum.add_product(factor * a.term[static_cast<size_t>(i)], b.term[static_cast<size_t>(j)]);
}

// a d - b c
Expansion minor(const Expansion& a, const Expansion& b, const Expansion& c, const Expansion& d) {
  Expansion m;
  add_product(m, a, d, 1);
  add_product(m, b, c, -1);
  return m;
}

}  // namespace

int orientation(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
  const Vec3d u = b - a, v = c - a, w = d - a;
  const double yz = v.y * w.z, zy = v.z * w.y, zx = v.z * w.x, xz = v.x * w.z, xy = v.x * w.y, yx = v.y * w.x;
  const double determinant = u.x * (yz - zy) + u.y * (zx - xz) + u.z * (xy - yx);
  const double all = std::abs(u.x) * (std::abs(yz) + std::abs(zy)) + std::abs(u.y) * (std::abs(zx) + std::abs(xz)) +
                     std::abs(u.z) * (std::abs(xy) + std::abs(yx));
  // A term has three differences, two products and up to three sums, each rounded once: less than 9 roundings.
  constexpr double bound = 9 * half_ulp;
  if (std::abs(determinant) > bound * all) return sign_of(determinant);

  const auto differences = [&](double Vec3d::*x) {
    return std::array<Expansion, 3>{difference(b.*x, a.*x), difference(c.*x, a.*x), difference(d.*x, a.*x)};
  };
  const auto x = differences(&Vec3d::x), y = differences(&Vec3d::y), z = differences(&Vec3d::z);
  Expansion sum;
  add_product(sum, minor(y[1], z[1], y[2], z[2]), x[0], 1);
  add_product(sum, minor(z[1], x[1], z[2], x[2]), y[0], 1);
  add_product(sum, minor(x[1], y[1], x[2], y[2]), z[0], 1);
  return sum.sign();
}

int orientation(const Vec3d& a, const Vec3d& b, const Vec3d& c, int axis) {
  constexpr double Vec3d::*coordinates[] = {&Vec3d::x, &Vec3d::y, &Vec3d::z};
  double Vec3d::*const x = coordinates[(axis + 1) % 3];
  double Vec3d::*const y = coordinates[(axis + 2) % 3];
  const double one = (b.*x - a.*x) * (c.*y - a.*y), two = (b.*y - a.*y) * (c.*x - a.*x);
  constexpr double bound = 5 * half_ulp;  // two differences, a product and a sum
  if (std::abs(one - two) > bound * (std::abs(one) + std::abs(two))) return sign_of(one - two);
  return minor(difference(b.*x, a.*x), difference(b.*y, a.*y), difference(c.*x, a.*x), difference(c.*y, a.*y)).sign();
}

int side_of_plane(const Vec3d& normal, const Vec3d& point, const Vec3d& x) {
  const Vec3d d = x - point;
  const double height = normal.x * d.x + normal.y * d.y + normal.z * d.z;
  const double all = std::abs(normal.x * d.x) + std::abs(normal.y * d.y) + std::abs(normal.z * d.z);
  constexpr double bound = 5 * half_ulp;  // a difference, a product and up to two sums
  if (std::abs(height) > bound * all) return sign_of(height);

  Expansion sum;
  for (double Vec3d::*const c : {&Vec3d::x, &Vec3d::y, &Vec3d::z}) {
    const Expansion along = difference(x.*c, point.*c);
    for (int k = 0; k < along.count; ++k) sum.add_product(normal.*c, along.term[static_cast<size_t>(k)]);
  }
  return sum.sign();
}

}  // namespace sinew
