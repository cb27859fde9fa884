// What of a simulation is drawn: the vertices of all surfaces and of springs in one list, object by object, with smooth
// normals, triangles and the lines of springs. Built when objects change, filled with the present state on demand.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sinew/simulation.h"

namespace sinew::web {

class Drawing {
 public:
  // What surface points can be coloured by.
  enum Quantity { strain, von_mises, det_f, energy_density, quantity_count };
  struct Range {
    int32_t first_triangle, triangle_count, first_point, point_count;
  };

  // For a simulation's objects as they are.
  void build(const Simulation& simulation);
  // Points and normals of the present state. They lie in one of two buffers, by turns, so that a page may still draw
  // from the last.
  Status refresh(const Simulation& simulation);
  // The mean over the elements around each point; where there are none, of the springs, which have a strain only.
  Status measure(const Simulation& simulation, Quantity quantity);

  const std::vector<float>& points() const { return points_[turn_]; }
  const std::vector<float>& normals() const { return normals_[turn_]; }
  const std::vector<uint32_t>& triangles() const { return triangles_; }
  const std::vector<uint32_t>& edges() const { return edges_; }
  const std::vector<int32_t>& vertices() const { return vertices_; }
  const std::vector<Range>& objects() const { return objects_; }
  const std::vector<float>& quantity(Quantity which) const { return quantities_[which]; }
  int32_t revision() const { return revision_; }

 private:
  std::vector<int32_t> vertices_;  // of each point
  std::vector<uint32_t> triangles_, edges_;
  std::vector<Range> objects_;
  std::vector<float> rest_lengths_;       // [m] of the edges
  std::vector<int32_t> element_begin_;    // the elements around point p: [begin[p], begin[p + 1])
  std::vector<int32_t> elements_around_;  // numbers of elements
  std::array<std::vector<float>, 2> points_, normals_;
  std::array<std::vector<float>, quantity_count> quantities_;
  std::vector<float> all_, values_;  // of all vertices, of all elements
  int turn_ = 0;
  int32_t revision_ = 0;
};

}  // namespace sinew::web
