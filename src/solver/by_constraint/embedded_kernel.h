// The sweep by constraint over patches of tets whose vertices are embedded in a grid. An impulse on a vertex moves the
// nodes around it, and with them the other vertices of its patch,
//   x_j += sum_k M_jk impulse_k,   M_jk = sum_i w_ij w_ik W_i,
// where W_i is the inverse mass of a node, as a matrix if the node glides. So the nodes around a patch are read once,
// its tets are projected one after the other at its vertices, with M in place of inverse masses (embedded_edges.h), and
// the nodes are written once, with all impulses: a fifth of the time that it takes tet by tet
// (bench/results/grid-speed.md).
//
// W patches of one colour are taken at once, each in its lane. What nodes are added up to goes vertex by vertex, four
// numbers of a node at a time.
#pragma once

#include <algorithm>
#include <cstring>

#include "material/coefficients.h"
#include "solver/by_constraint/constraint_kernel.h"
#include "solver/by_constraint/embedded_edges.h"
#include "solver/by_constraint/patch_layout.h"
#include "solver/sweep.h"

namespace sinew::constraint_kernel {

// The vertices of a patch: where they are, and the impulses on them in this sweep.
template <class Real>
struct PatchState {
  alignas(64) Real x[patch_vertices], y[patch_vertices], z[patch_vertices];
  alignas(64) Vec4<Real> impulse[patch_vertices];
};

template <class Real>
SINEW_INLINE Lane<Real, 4> load_node(const Vec4<Real>& x) {
  return load<Lane<Real, 4>>(&x.x);
}

// The first two nodes of a column at once.
template <class Real>
using TwoNodes = Lane<Real, 8>;
template <class Real>
SINEW_INLINE TwoNodes<Real> load_two_nodes(const Vec4<Real>* x) {
  TwoNodes<Real> two;
  std::memcpy(&two, x, sizeof two);
  return two;
}
template <class T>
inline constexpr bool takes_two_nodes = lane_count<T> >= lane_count<TwoNodes<ScalarOf<T>>>;

// sum_i w_i x_i
template <class T>
SINEW_INLINE Lane<ScalarOf<T>, 4> at_vertex(const EmbeddedVertex<ScalarOf<T>>& vertex, const Vec4<ScalarOf<T>>* x) {
  using Real = ScalarOf<T>;
  using Node = Lane<Real, 4>;
  Node low{}, middle{}, high{};
  if constexpr (takes_two_nodes<T>) {
    TwoNodes<Real> two{};
#pragma GCC unroll 9
    for (int c = 0; c < spline_columns; ++c) {
      const Vec4<Real>* node = x + vertex.columns[c];
      two += vertex.across[c] * load_two_nodes(node);
      high += vertex.across[c] * load_node(node[2]);
    }
    low = __builtin_shufflevector(two, two, 0, 1, 2, 3);
    middle = __builtin_shufflevector(two, two, 4, 5, 6, 7);
  } else {
#pragma GCC unroll 9
    for (int c = 0; c < spline_columns; ++c) {
      const Vec4<Real>* node = x + vertex.columns[c];
      low += vertex.across[c] * load_node(node[0]);
      middle += vertex.across[c] * load_node(node[1]);
      high += vertex.across[c] * load_node(node[2]);
    }
  }
  return vertex.along[0] * low + vertex.along[1] * middle + vertex.along[2] * high;
}

// x_i += w_i W_i impulse
template <class T, bool gliding>
SINEW_INLINE void spread_impulse(const EmbeddedVertex<ScalarOf<T>>& vertex, const Vec4<ScalarOf<T>>* fixed,
                                 Vec4<ScalarOf<T>>* x, Lane<ScalarOf<T>, 4> impulse) {
  using Real = ScalarOf<T>;
  using Node = Lane<Real, 4>;
  const Node share[3] = {vertex.along[0] * impulse, vertex.along[1] * impulse, vertex.along[2] * impulse};
  const auto move_node = [&](int c, int k) SINEW_INLINE_LAMBDA {
    const int64_t n = int64_t{vertex.columns[c]} + k;
    Node push = share[k];
    if constexpr (gliding) {
      const Vec4<Real>* row = fixed + 3 * n;
      push -= (push[0] * load_node(row[0]) + push[1] * load_node(row[1])) + push[2] * load_node(row[2]);
    }
    store<Node>(&x[n].x, load_node(x[n]) + x[n].w * (vertex.across[c] * push));
  };
  if constexpr (takes_two_nodes<T> && !gliding) {
    const TwoNodes<Real> two = __builtin_shufflevector(share[0], share[1], 0, 1, 2, 3, 4, 5, 6, 7);
#pragma GCC unroll 9
    for (int c = 0; c < spline_columns; ++c) {
      Vec4<Real>* node = x + vertex.columns[c];
      const TwoNodes<Real> before = load_two_nodes(node);
      const TwoNodes<Real> mobility = __builtin_shufflevector(before, before, 3, 3, 3, 3, 7, 7, 7, 7);
      const TwoNodes<Real> after = before + mobility * (vertex.across[c] * two);
      std::memcpy(static_cast<void*>(node), &after, sizeof after);
      move_node(c, 2);
    }
  } else {
#pragma GCC unroll 9
    for (int c = 0; c < spline_columns; ++c)
      for (int k = 0; k < 3; ++k) move_node(c, k);
  }
}

// What no material enters is out of line.
template <class T>
SINEW_OUT_OF_LINE void read_patch(const EmbeddedVertex<ScalarOf<T>>* vertices, int count, const Vec4<ScalarOf<T>>* x,
                                  PatchState<ScalarOf<T>>& patch) {
  for (int v = 0; v < count; ++v) {
    const Lane<ScalarOf<T>, 4> at = at_vertex<T>(vertices[v], x);
    patch.x[v] = at[0];
    patch.y[v] = at[1];
    patch.z[v] = at[2];
    patch.impulse[v] = {0, 0, 0, 0};
  }
}

template <class T, bool gliding>
SINEW_OUT_OF_LINE void write_patch(const EmbeddedVertex<ScalarOf<T>>* vertices, int count,
                                   const PatchState<ScalarOf<T>>& patch, const Vec4<ScalarOf<T>>* fixed,
                                   Vec4<ScalarOf<T>>* x) {
  for (int v = 0; v < count; ++v) spread_impulse<T, gliding>(vertices[v], fixed, x, load_node(patch.impulse[v]));
}

static_assert((patch_vertices & (patch_vertices - 1)) == 0);
SINEW_INLINE int64_t number_in_patch(int32_t corner) {
  return corner & (patch_vertices - 1);
}

// How many numbers of a patch's vertices are added at a time: no more than there are, whatever the lanes of tets.
template <class T>
using SomeVertices = Lane<ScalarOf<T>, std::clamp(lane_count<T>, 4, patch_vertices)>;

// x_j += sum_k M_jk impulse_k of all vertices j; those of k are W apart.
template <class T, bool gliding>
SINEW_OUT_OF_LINE void push_patch(const ScalarOf<T>* mobility, const int32_t* corner, const Vec4<ScalarOf<T>>* impulse,
                                  PatchState<ScalarOf<T>>& patch) {
  using Real = ScalarOf<T>;
  using Some = SomeVertices<T>;
  constexpr int w = lane_count<T>, some = lane_count<Some>, parts = patch_vertices / some;
  Some x[parts], y[parts], z[parts];
#pragma GCC unroll 4
  for (int p = 0; p < parts; ++p) {
    x[p] = load<Some>(patch.x + p * some);
    y[p] = load<Some>(patch.y + p * some);
    z[p] = load<Some>(patch.z + p * some);
  }
#pragma GCC unroll 4
  for (int k = 0; k < 4; ++k) {
    const int64_t vertex = number_in_patch(corner[k * w]);
    const Vec4<Real>& t = impulse[k * w];
    store<Lane<Real, 4>>(&patch.impulse[vertex].x, load_node(patch.impulse[vertex]) + load_node(t));
    const Real* row = mobility + vertex * (gliding ? 6 : 1) * patch_vertices;
#pragma GCC unroll 4
    for (int p = 0; p < parts; ++p) {
      const auto m = [&](int entry) SINEW_INLINE_LAMBDA { return load<Some>(row + entry * patch_vertices + p * some); };
      if constexpr (gliding) {
        x[p] += (m(0) * t.x + m(1) * t.y) + m(2) * t.z;
        y[p] += (m(1) * t.x + m(3) * t.y) + m(4) * t.z;
        z[p] += (m(2) * t.x + m(4) * t.y) + m(5) * t.z;
      } else {
        x[p] += m(0) * t.x;
        y[p] += m(0) * t.y;
        z[p] += m(0) * t.z;
      }
    }
  }
#pragma GCC unroll 4
  for (int p = 0; p < parts; ++p) {
    store<Some>(patch.x + p * some, x[p]);
    store<Some>(patch.y + p * some, y[p]);
    store<Some>(patch.z + p * some, z[p]);
  }
}

// Coordinates of the corners of a batch's tets.
template <class T>
struct CornersAt {
  alignas(64) ScalarOf<T> number[4][3][lane_count<T>];
};
// In lanes from `count` on they are 0.
template <class T>
SINEW_OUT_OF_LINE void read_corners(const PatchState<ScalarOf<T>>* patches, const int32_t* corner, int count,
                                    CornersAt<T>& at) {
  constexpr int w = lane_count<T>;
  for (int lane = 0; lane < count; ++lane)
#pragma GCC unroll 4
    for (int j = 0; j < 4; ++j) {
      const int64_t v = number_in_patch(corner[j * w + lane]);
      at.number[j][0][lane] = patches[lane].x[v];
      at.number[j][1][lane] = patches[lane].y[v];
      at.number[j][2][lane] = patches[lane].z[v];
    }
  for (int lane = count; lane < w; ++lane)
    for (auto& of_corner : at.number)
      for (auto& number : of_corner) number[lane] = 0;
}

template <class T, class Number>
SINEW_INLINE EmbeddedEdges<T, Number> edges_between(const CornersAt<T>& at, const ScalarOf<T>* mobility) {
  constexpr int w = lane_count<T>;
  const auto corner_at = [&](int j) SINEW_INLINE_LAMBDA {
    return Vec3<T>{load<T>(at.number[j][0]), load<T>(at.number[j][1]), load<T>(at.number[j][2])};
  };
  EmbeddedEdges<T, Number> x;
  const Vec3<T> first = corner_at(0);
#pragma GCC unroll 3
  for (int j = 0; j < 3; ++j) {
    x.edge[j] = corner_at(j + 1) - first;
    x.impulse[j] = Vec3<T>{};
  }
#pragma GCC unroll 6
  for (int p = 0; p < pairs_of_edges; ++p) {
    const auto number = [&](int n) SINEW_INLINE_LAMBDA { return load<T>(mobility + n * w); };
    if constexpr (std::is_same_v<Number, T>) {
      x.mobility[p] = number(p);
    } else {
      x.mobility[p] = {number(6 * p),     number(6 * p + 1), number(6 * p + 2),
                       number(6 * p + 3), number(6 * p + 4), number(6 * p + 5)};
    }
  }
  return x;
}

template <class T, template <class> class Material, class Rule, class Number>
void sweep_group(const typename Rule::Sweep& sweep, const PatchGroup& group) {
  using Real = ScalarOf<T>;
  constexpr int w = lane_count<T>;
  constexpr bool gliding = !std::is_same_v<Number, T>;
  const PatchLayout<Real>& layout = *sweep.patches;
  const ConstraintStreamView<Real> stream = view_of(*sweep.block);
  const auto material = coefficients_of<Material>(sweep.block->block.material).template as<T>();
  const T h2 = splat<T>(static_cast<double>(sweep.h2));
  Rule rule(sweep, material);

  const EmbeddedVertex<Real>* vertices = layout.vertices.data() + int64_t{patch_vertices} * group.first_place;
  const int32_t* vertex_count = layout.vertex_count.data() + group.first_place;
  const int32_t* tet_count = layout.tet_count.data() + group.first_place;
  PatchState<Real> patches[w];
  const Real* mobility[w] = {};
  for (int lane = 0; lane < group.place_count; ++lane) {
    mobility[lane] = layout.mobility.data() + layout.first_mobility.data()[group.first_place + lane];
    read_patch<T>(vertices + lane * patch_vertices, vertex_count[lane], sweep.x, patches[lane]);
  }
  const Real* edge_mobility = layout.edge_mobility.data() + group.first_mobility;
  const int32_t batches = group.last_batch - group.first_batch;
  for (int32_t b = 0; b < batches; ++b) {
    const int32_t tet = sweep.backward ? batches - 1 - b : b;
    const int64_t batch = group.first_batch + tet;
    const int32_t* corner = stream.corners + batch * 4 * w;
    int count = group.place_count;
    while (tet_count[count - 1] <= tet) --count;
    constexpr int numbers = (gliding ? 6 : 1) * pairs_of_edges * w;
    CornersAt<T> at;
    read_corners(patches, corner, count, at);
    EmbeddedEdges<T, Number> x = edges_between<T, Number>(at, edge_mobility + tet * numbers);
    project_batch<T, Material, true, false>(rule, material, stream, Batch<T, w>{batch}, h2, x,
                                            [](auto) SINEW_INLINE_LAMBDA {});
    alignas(64) Vec4<Real> impulse[4][w];
#pragma GCC unroll 3
    for (int j = 0; j < 3; ++j) store4<T>(impulse[j + 1], {x.impulse[j], T{}});
    store4<T>(impulse[0], {-(x.impulse[0] + x.impulse[1] + x.impulse[2]), T{}});
    for (int lane = 0; lane < count; ++lane)
      push_patch<T, gliding>(mobility[lane], corner + lane, &impulse[0][lane], patches[lane]);
  }
  for (int lane = 0; lane < group.place_count; ++lane)
    write_patch<T, gliding>(vertices + lane * patch_vertices, vertex_count[lane], patches[lane], layout.fixed, sweep.x);
}

template <class T, template <class> class Material, class Rule>
void sweep_on_grid(const typename Rule::Sweep& sweep, int64_t first, int64_t last) {
  for (int64_t g = first; g < last; ++g) {
    const PatchGroup& group = sweep.patches->groups.data()[g];
    if (group.glides) {
      sweep_group<T, Material, Rule, Sym3<T>>(sweep, group);
    } else {
      sweep_group<T, Material, Rule, T>(sweep, group);
    }
  }
}

}  // namespace sinew::constraint_kernel
