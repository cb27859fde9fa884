#include "meshing/surface_field.h"

#include <algorithm>
#include <cmath>

#include "base/format.h"
#include "math/length.h"
#include "mesh/disjoint_sets.h"
#include "mesh/first_at_place.h"
#include "mesh/topology.h"
#include "meshing/orientation.h"

namespace sinew {
namespace {

// Its square stays within single precision.
constexpr double farthest = 1e18;
// [m] Its cube is a normal number.
constexpr double narrowest = 1e-100;
// Height of a triangle over its longest edge; for thinner ones the closest point is ill-conditioned, and their
// neighbours' edges are as near.
constexpr double thinnest = 1e-5;
// Relative to the surface's size: a thinner surface lies in a plane.
constexpr double flattest = 1e-12;
// Relative to the step of differences: from there on the direction to the closest point is more accurate than the
// normal of its triangle.
constexpr double off_surface = 1e-3;
// The accuracy of expansions of winding numbers.
constexpr double doubt = 0.02;

Vec3d area_vector(const std::vector<Vec3d>& x, const Triangle& t) {
  return 0.5 * cross(x[t[1]] - x[t[0]], x[t[2]] - x[t[0]]);
}
double longest_edge(const std::vector<Vec3d>& x, const Triangle& t) {
  return std::max({length(x[t[1]] - x[t[0]]), length(x[t[2]] - x[t[1]]), length(x[t[0]] - x[t[2]])});
}

Status check_coordinates(const SurfaceMesh& surface) {
  for (size_t t = 0; t < surface.triangles.size(); ++t)
    for (const int32_t v : surface.triangles[t]) {
      if (v < 0 || static_cast<size_t>(v) >= surface.vertices.size())
        return Error{
            "surface",
            format("triangle %zu has the vertex %d, but there are %zu vertices", t, v, surface.vertices.size()),
            "vertices are numbered from 0; save the file again"};
      const Vec3d x = surface.vertices[v];
      const double largest = std::max({std::abs(x.x), std::abs(x.y), std::abs(x.z)});
      if (!std::isfinite(x.x + x.y + x.z) || !(largest <= farthest))
        return Error{"surface", format("vertex %d is at (%g, %g, %g)", v, x.x, x.y, x.z),
                     "coordinates have to be finite, and at most 1e18 m: scale the surface"};
    }
  return {};
}

std::vector<Triangle> with_area(const std::vector<Vec3d>& x, const std::vector<Triangle>& triangles) {
  std::vector<Triangle> sound;
  sound.reserve(triangles.size());
  for (const Triangle& t : triangles) {
    const double longest = longest_edge(x, t);
    if (2 * length(area_vector(x, t)) > thinnest * longest * longest) sound.push_back(t);
  }
  return sound;
}

bool in_a_plane(const std::vector<Vec3d>& x, const std::vector<Triangle>& triangles, const Bounds& bounds) {
  Vec3d normal{};
  Triangle largest{};
  for (const Triangle& t : triangles) {
    const Vec3d n = area_vector(x, t);
    if (dot(n, n) <= dot(normal, normal)) continue;
    normal = n;
    largest = t;
  }
  const double farthest_off = flattest * bounds.diagonal() * length(normal);
  return std::all_of(triangles.begin(), triangles.end(), [&](const Triangle& t) {
    return std::all_of(t.begin(), t.end(),
                       [&](int32_t v) { return std::abs(dot(normal, x[v] - x[largest[0]])) <= farthest_off; });
  });
}

// The triangles with coincident vertices merged into the first: files repeat vertices along seams.
std::vector<Triangle> joined_where_equal(const std::vector<Vec3d>& x, std::vector<Triangle> triangles) {
  const std::vector<int32_t> first = first_at_place(x);
  for (Triangle& t : triangles)
    for (int32_t& v : t) v = first[v];
  return triangles;
}

// The part of each triangle; parts are joined by vertices.
std::vector<int32_t> parts_of(const std::vector<Triangle>& triangles, size_t vertices) {
  DisjointSets sets(vertices);
  for (const Triangle& t : triangles) {
    sets.join(t[0], t[1]);
    sets.join(t[0], t[2]);
  }
  std::vector<int32_t> number(vertices, -1), part;
  int32_t count = 0;
  for (const Triangle& t : triangles) {
    int32_t& own = number[sets.find(t[0])];
    if (own < 0) own = count++;
    part.push_back(own);
  }
  return part;
}

// Drops strays: flat parts farther from all others than their size, which enclose nothing and would stretch the box of
// the surface. Unjoined walls of a solid lie near each other. Returns how many triangles were dropped; none if all are
// strays.
int64_t drop_strays(const std::vector<Vec3d>& x, std::vector<Triangle>& triangles) {
  const std::vector<int32_t> part = parts_of(triangles, x.size());
  const size_t count = triangles.empty() ? 0 : static_cast<size_t>(*std::max_element(part.begin(), part.end())) + 1;
  std::vector<std::vector<Triangle>> members(count);
  std::vector<Bounds> boxes(count);
  for (size_t t = 0; t < triangles.size(); ++t) {
    members[part[t]].push_back(triangles[t]);
    for (const int32_t v : triangles[t]) boxes[part[t]].add(x[v]);
  }
  std::vector<char> stays(count, 1);
  const auto reaches = [](const Bounds& a, const Bounds& b) {
    const double reach = a.diagonal();
    const auto beside = [&](double low, double high, double from, double to) {
      return low - reach <= to && high + reach >= from;
    };
    return beside(a.low.x, a.high.x, b.low.x, b.high.x) && beside(a.low.y, a.high.y, b.low.y, b.high.y) &&
           beside(a.low.z, a.high.z, b.low.z, b.high.z);
  };
  // Two strays on opposite sides: each reaches into the box of the other and the rest, until one is dropped.
  for (bool again = true; again;) {
    again = false;
    std::vector<Bounds> after(count + 1);
    for (size_t p = count; p-- > 0;) {
      after[p] = after[p + 1];
      if (stays[p]) after[p].merge(boxes[p]);
    }
    Bounds before;
    for (size_t p = 0; p < count; ++p) {
      if (!stays[p]) continue;
      Bounds others = before;
      others.merge(after[p + 1]);
      if (!others.empty() && !reaches(boxes[p], others) && in_a_plane(x, members[p], boxes[p])) {
        stays[p] = 0;
        again = true;
      } else {
        before.merge(boxes[p]);
      }
    }
  }
  const size_t all = triangles.size();
  if (std::all_of(stays.begin(), stays.end(), [](char s) { return s != 0; })) return 0;
  std::vector<Triangle> kept;
  for (size_t t = 0; t < all; ++t)
    if (stays[part[t]]) kept.push_back(triangles[t]);
  triangles.swap(kept);
  return static_cast<int64_t>(all - triangles.size());
}

// A point just behind a triangle, and one just in front.
std::array<Vec3d, 2> sides_of(const std::vector<Vec3d>& x, const Triangle& t) {
  const Vec3d n = area_vector(x, t);
  const double area = length(n), height = 2 * area / longest_edge(x, t);
  const Vec3d middle = x[t[0]] + (1.0 / 3) * ((x[t[1]] - x[t[0]]) + (x[t[2]] - x[t[0]]));
  const Vec3d step = (1e-3 * height / area) * n;
  return {middle - step, middle + step};
}

// Winding numbers at these points.
struct Sides {
  double behind = 0, before = 0;
};

}  // namespace

bool SurfaceField::solid(double winding) const {
  return closed_ ? std::abs(winding) > 0.5 : (turned_ ? -winding : winding) > 0.5;
}

bool SurfaceField::beyond(Vec3d x) const {
  return !(x.x >= bounds_.low.x && x.x <= bounds_.high.x && x.y >= bounds_.low.y && x.y <= bounds_.high.y &&
           x.z >= bounds_.low.z && x.z <= bounds_.high.z);
}

void SurfaceField::distances(std::span<const Vec3d> points, std::span<double> values) const {
  Vec3d last{};
  double last_distance = 0;
  bool last_solid = false;
  for (size_t i = 0; i < points.size(); ++i) {
    const Vec3d x = points[i];
    const double distance = tree_.closest(x).distance;
    // Two points nearer to each other than one is to a closed surface are on the same side: winding numbers are
    // integers there, equal except for rounding on the surface itself.
    const double apart = length(x - last);
    const bool as_last = closed_ && i > 0 && apart < 0.999 * std::max(distance, last_distance);
    last_solid = !beyond(x) && (as_last ? last_solid : solid(winding_.at(x)));
    values[i] = last_solid ? 0 - distance : distance;
    last = x;
    last_distance = distance;
  }
}

void SurfaceField::project(std::span<Vec3d> points, double step, std::span<double> distances) const {
  for (size_t i = 0; i < points.size(); ++i) {
    const TriangleTree::Closest closest = tree_.closest(points[i]);
    // A point closest to an edge of a surface with holes may be in a hole, where the solid ends between the triangles.
    const auto& w = closest.weights;
    if (closed_ || (w[0] > 0 && w[1] > 0 && w[2] > 0)) {
      points[i] = closest.point;
      distances[i] = 0;
    } else {
      DistanceField::project(points.subspan(i, 1), step, distances.subspan(i, 1));
    }
  }
}

Vec3d SurfaceField::outwards(int32_t triangle) const {
  std::atomic<Solid>& known = solid_before_[triangle];
  Solid solid_before = known.load(std::memory_order_relaxed);
  const Front& front = fronts_[triangle];
  if (solid_before == Solid::unknown) {
    const bool inside = !beyond(front.before) && solid(winding_.at(front.before));
    known.store(solid_before = inside ? Solid::yes : Solid::no, std::memory_order_relaxed);
  }
  const Vec3d n{front.normal.x, front.normal.y, front.normal.z};
  return solid_before == Solid::yes ? -n : n;
}

void SurfaceField::tangent_planes(std::span<const Vec3d> points, double step, std::span<TangentPlane> planes) const {
  for (size_t i = 0; i < points.size(); ++i) {
    const Vec3d x = points[i];
    const TriangleTree::Closest closest = tree_.closest(x);
    const auto& w = closest.weights;
    if (!closed_ && !(w[0] > 0 && w[1] > 0 && w[2] > 0)) {
      DistanceField::tangent_planes(points.subspan(i, 1), step, planes.subspan(i, 1));
      continue;
    }
    const Vec3d outside = outwards(closest.triangle);
    if (closest.distance > off_surface * step)
      planes[i] = {closest.distance, (1 / closest.distance) * (x - closest.point), outside};
    else
      planes[i] = {dot(x - closest.point, outside), outside, outside};
  }
}

void SurfaceField::find_parts(const std::vector<Vec3d>& x, const std::vector<Triangle>& triangles) {
  part_of_ = parts_of(triangles, x.size());
  parts_.resize(static_cast<size_t>(*std::max_element(part_of_.begin(), part_of_.end())) + 1);
  std::vector<int32_t> largest(parts_.size(), -1);
  std::vector<double> area(parts_.size(), 0);
  for (size_t t = 0; t < triangles.size(); ++t) {
    const int32_t part = part_of_[t];
    const double own = length(area_vector(x, triangles[t]));
    if (largest[part] >= 0 && own <= area[part]) continue;
    largest[part] = static_cast<int32_t>(t);
    area[part] = own;
  }
  for (size_t p = 0; p < parts_.size(); ++p) {
    const auto [behind, before] = sides_of(x, triangles[largest[p]]);
    const auto is_solid = [&](Vec3d point) { return !beyond(point) && solid(winding_.at(point)); };
    parts_[p].side = static_cast<int>(is_solid(behind)) - static_cast<int>(is_solid(before));
    parts_[p].origin = x[triangles[largest[p]][0]];
  }
  for (size_t t = 0; t < triangles.size(); ++t) {
    Part& part = parts_[part_of_[t]];
    const auto from = [&](size_t k) { return x[triangles[t][k]] - part.origin; };
    part.volume += part.side * dot(from(0), cross(from(1), from(2))) / 6;
  }
}

double SurfaceField::volume() const {
  double sum = 0;
  for (const Part& part : parts_) sum += part.volume;
  return sum;
}

int64_t SurfaceField::parts_without(std::span<const Vec3d> points, ThreadPool& pool) const {
  std::vector<std::atomic<bool>> near(parts_.size());
  pool.parallel_for(static_cast<int64_t>(points.size()), 256, [&](int64_t first, int64_t last) {
    for (int64_t k = first; k < last; ++k)
      near[part_of_[tree_.closest(points[k]).triangle]].store(true, std::memory_order_relaxed);
  });
  int64_t count = 0;
  for (size_t p = 0; p < parts_.size(); ++p) count += parts_[p].side != 0 && !near[p].load(std::memory_order_relaxed);
  return count;
}

Result<std::unique_ptr<SurfaceField>> make_surface_field(const SurfaceMesh& surface, ThreadPool& pool) {
  if (surface.triangles.empty()) return Error{"surface", "has no triangles", "give a surface that encloses a volume"};
  if (Status sound = check_coordinates(surface); !sound) return sound.error();
  const std::vector<Vec3d>& x = surface.vertices;
  Bounds whole;
  for (const Triangle& t : surface.triangles)
    for (const int32_t v : t) whole.add(x[v]);
  const Vec3d extent = whole.high - whole.low;
  const double widest = std::max({extent.x, extent.y, extent.z});
  if (widest > 0 && widest < narrowest)
    return Error{"surface", format("is %.3g m wide", widest), format("scale it to at least %g m", narrowest)};
  // Thin ones may connect others, so they count here.
  std::vector<Triangle> all = joined_where_equal(x, surface.triangles);
  orient(x, all);
  const int64_t strays = drop_strays(x, all);
  const std::vector<Triangle> triangles = with_area(x, all);
  if (triangles.empty())
    return Error{"surface", format("has %zu triangles, but none with an area", surface.triangles.size()),
                 "look whether all its vertices are at one place or in a line"};
  Bounds bounds;
  for (const Triangle& t : triangles)
    for (const int32_t v : t) bounds.add(x[v]);
  if (in_a_plane(x, triangles, bounds))
    return Error{"surface", "lies in a plane and encloses nothing", "give a surface that encloses a volume"};

  std::unique_ptr<SurfaceField> field(new SurfaceField(x, triangles, pool));
  field->bounds_ = bounds;
  for (const Triangle& t : triangles) {
    const Vec3d area = area_vector(x, t), n = (1 / length(area)) * area;
    field->fronts_.push_back(
        {{static_cast<float>(n.x), static_cast<float>(n.y), static_cast<float>(n.z)}, sides_of(x, t)[1]});
  }
  field->solid_before_ = std::vector<std::atomic<SurfaceField::Solid>>(triangles.size());
  field->strays_ = strays;
  field->closed_ = surface_topology(all, x.size()).closed();

  if (field->closed_) field->find_parts(x, triangles);

  // At the middle of an outward triangle the mean of w over both sides is 1/2, of an inverted surface -1/2; a flipped
  // triangle has the value of its neighbours. About 2000 triangles suffice to find the majority.
  const auto count = static_cast<int64_t>(triangles.size());
  const int64_t stride = std::max<int64_t>(1, count / 2000);
  const auto look = [&](int64_t samples, int64_t every) {
    std::vector<Sides> sides(static_cast<size_t>(samples));
    pool.parallel_for(samples, 16, [&](int64_t first, int64_t last) {
      for (int64_t k = first; k < last; ++k) {
        const auto [behind, before] = sides_of(x, triangles[k * every]);
        sides[k] = {field->winding_.at(behind), field->winding_.at(before)};
      }
    });
    return sides;
  };
  const std::vector<Sides> some = look(count / stride, stride);
  double outwards = 0;
  for (size_t k = 0; k < some.size(); ++k)
    outwards += length(area_vector(x, triangles[k * stride])) * (some[k].behind + some[k].before);
  field->turned_ = !field->closed_ && outwards < 0;

  // Whether any triangle has solid on one side; nearly always one of the first.
  const auto encloses = [&](const std::vector<Sides>& sides) {
    return std::any_of(sides.begin(), sides.end(), [&](const Sides& s) {
      const auto clearly = [&](double w) { return field->solid(w - std::copysign(doubt, w)); };
      return clearly(s.behind) || clearly(s.before);
    });
  };
  if (!encloses(some) && (stride == 1 || !encloses(look(count, 1)))) {
    if (const size_t thin = all.size() - triangles.size(); thin > 0)
      return Error{"surface",
                   format("encloses nothing without those %zu of its %zu triangles that are thinner than %g of their "
                          "length, which tell too little",
                          thin, all.size(), thinnest),
                   "make the solid thicker, or cut long triangles into shorter ones"};
    return Error{"surface", "encloses nothing: it goes around no point",
                 "close its holes; where it is a sheet, give it a thickness"};
  }
  return field;
}

}  // namespace sinew
