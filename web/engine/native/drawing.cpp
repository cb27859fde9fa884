#include "drawing.h"

#include <algorithm>
#include <cmath>

namespace sinew::web {
namespace {

constexpr int32_t nothing = -1;

double distance(const Real3& a, const Real3& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

}  // namespace

void Drawing::build(const Simulation& simulation) {
  vertices_.clear();
  triangles_.clear();
  edges_.clear();
  objects_.clear();
  rest_lengths_.clear();
  std::vector<int32_t> point_of(static_cast<size_t>(simulation.vertex_count()), nothing);
  const auto take = [&](int32_t v) { point_of[static_cast<size_t>(v)] = 0; };
  const std::vector<ObjectInfo>& objects = simulation.objects();
  const std::vector<std::array<int32_t, 2>> springs = simulation.springs();
  std::vector<std::vector<std::array<int32_t, 3>>> surfaces;
  for (size_t k = 0; k < objects.size(); ++k) {
    surfaces.push_back(*simulation.surface(static_cast<int32_t>(k)));
    for (const auto& triangle : surfaces.back()) std::for_each(triangle.begin(), triangle.end(), take);
  }
  for (const auto& spring : springs) std::for_each(spring.begin(), spring.end(), take);
  for (size_t k = 0; k < objects.size(); ++k) {
    Range range{static_cast<int32_t>(triangles_.size() / 3), static_cast<int32_t>(surfaces[k].size()),
                static_cast<int32_t>(vertices_.size()), 0};
    for (int32_t v = objects[k].first_vertex; v < objects[k].last_vertex; ++v) {
      int32_t& point = point_of[static_cast<size_t>(v)];
      if (point == nothing) continue;
      point = static_cast<int32_t>(vertices_.size());
      vertices_.push_back(v);
    }
    range.point_count = static_cast<int32_t>(vertices_.size()) - range.first_point;
    for (const auto& triangle : surfaces[k])
      for (const int32_t v : triangle) triangles_.push_back(static_cast<uint32_t>(point_of[static_cast<size_t>(v)]));
    objects_.push_back(range);
  }
  const std::vector<Real3> rest = simulation.rest_positions();
  for (const auto& spring : springs) {
    for (const int32_t v : spring) edges_.push_back(static_cast<uint32_t>(point_of[static_cast<size_t>(v)]));
    rest_lengths_.push_back(
        static_cast<float>(distance(rest[static_cast<size_t>(spring[0])], rest[static_cast<size_t>(spring[1])])));
  }

  const std::vector<std::array<int32_t, 4>> tets = simulation.tets();
  element_begin_.assign(vertices_.size() + 1, 0);
  const auto for_each_corner = [&](const auto& visit) {
    for (size_t e = 0; e < tets.size(); ++e)
      for (const int32_t v : tets[e])  // the last corner of a triangle is none
        if (v >= 0 && point_of[static_cast<size_t>(v)] != nothing)
          visit(static_cast<size_t>(point_of[static_cast<size_t>(v)]), static_cast<int32_t>(e));
  };
  for_each_corner([&](size_t point, int32_t) { ++element_begin_[point + 1]; });
  for (size_t p = 0; p < vertices_.size(); ++p) element_begin_[p + 1] += element_begin_[p];
  elements_around_.resize(static_cast<size_t>(element_begin_.back()));
  std::vector<int32_t> next(element_begin_.begin(), element_begin_.end() - 1);
  for_each_corner([&](size_t point, int32_t e) { elements_around_[static_cast<size_t>(next[point]++)] = e; });
  ++revision_;
}

Status Drawing::refresh(const Simulation& simulation) {
  all_.resize(3 * static_cast<size_t>(simulation.vertex_count()));
  if (Status s = simulation.read_positions(std::span(all_)); !s) return s;
  turn_ = 1 - turn_;
  std::vector<float>& points = points_[turn_];
  std::vector<float>& normals = normals_[turn_];
  points.resize(3 * vertices_.size());
  normals.assign(3 * vertices_.size(), 0);
  for (size_t p = 0; p < vertices_.size(); ++p)
    std::copy_n(&all_[3 * static_cast<size_t>(vertices_[p])], 3, &points[3 * p]);
  for (size_t t = 0; t < triangles_.size(); t += 3) {
    const float *a = &points[3 * triangles_[t]], *b = &points[3 * triangles_[t + 1]],
                *c = &points[3 * triangles_[t + 2]];
    const float u[] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, v[] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
    // As long as twice the area: large triangles count more.
    const float n[] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    for (size_t corner = t; corner < t + 3; ++corner)
      for (size_t k = 0; k < 3; ++k) normals[3 * triangles_[corner] + k] += n[k];
  }
  for (size_t p = 0; p < normals.size(); p += 3) {
    float* const n = &normals[p];
    const float length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (!(length > 0)) continue;
    for (size_t k = 0; k < 3; ++k) n[k] /= length;
  }
  return {};
}

Status Drawing::measure(const Simulation& simulation, Quantity quantity) {
  constexpr ElementQuantity of_elements[] = {ElementQuantity::strain, ElementQuantity::von_mises,
                                             ElementQuantity::det_f, ElementQuantity::energy_density};
  values_.resize(static_cast<size_t>(simulation.element_count()));
  if (Status s = simulation.read_elements(of_elements[quantity], std::span(values_)); !s) return s;
  std::vector<float>& means = quantities_[quantity];
  means.assign(vertices_.size(), 0);
  for (size_t p = 0; p < vertices_.size(); ++p) {
    const int32_t begin = element_begin_[p], end = element_begin_[p + 1];
    for (int32_t k = begin; k < end; ++k)
      means[p] += values_[static_cast<size_t>(elements_around_[static_cast<size_t>(k)])];
    if (begin < end)
      means[p] /= static_cast<float>(end - begin);
    else if (quantity == det_f)
      means[p] = 1;
  }
  if (quantity != strain || edges_.empty()) return {};
  all_.resize(3 * static_cast<size_t>(simulation.vertex_count()));
  if (Status s = simulation.read_positions(std::span(all_)); !s) return s;
  std::vector<int32_t> springs_at(vertices_.size(), 0);
  for (size_t k = 0; k < rest_lengths_.size(); ++k) {
    const size_t a = edges_[2 * k], b = edges_[2 * k + 1];
    const float* const x = &all_[3 * static_cast<size_t>(vertices_[a])];
    const float* const y = &all_[3 * static_cast<size_t>(vertices_[b])];
    const float length = std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
    const float stretch = rest_lengths_[k] > 0 ? std::abs(length / rest_lengths_[k] - 1) : 0;
    for (const size_t p : {a, b}) {
      if (element_begin_[p] != element_begin_[p + 1]) continue;
      means[p] += stretch;
      ++springs_at[p];
    }
  }
  for (size_t p = 0; p < means.size(); ++p)
    if (springs_at[p] > 0) means[p] /= static_cast<float>(springs_at[p]);
  return {};
}

}  // namespace sinew::web
