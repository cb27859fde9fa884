#include "irregular_mesh.h"

#include <array>
#include <utility>
#include <vector>

#include "element/tet_frame.h"
#include "mesh/generators.h"
#include "mesh/simplices.h"
#include "mesh/topology.h"

namespace sinew::bench {
namespace {

// SplitMix64 (Steele, Lea & Flood 2014): the distributions of standard libraries differ.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  int32_t below(size_t count) { return static_cast<int32_t>((next() >> 32) * count >> 32); }
  double between(double low, double high) { return low + (high - low) * 0x1p-53 * static_cast<double>(next() >> 11); }

 private:
  uint64_t state_;
};

// A triangulation with flips: tets, and across the face opposite to corner k the tet across[k], or none.
class Flips {
 public:
  static constexpr int32_t none = -1;

  Flips(const TetMesh& mesh, double quality)
      : x_(mesh.vertices), tets_(mesh.tets), quality3_(quality * quality * quality) {
    std::vector<Keyed<3>> faces;
    faces.reserve(4 * tets_.size());
    across_.assign(tets_.size(), {none, none, none, none});
    for (size_t e = 0; e < tets_.size(); ++e) {
      for (int k = 0; k < 4; ++k) {
        const auto corner = [&](int i) { return tets_[e][kTetFaces[k][i]]; };
        faces.push_back({rising<3>({corner(0), corner(1), corner(2)}), static_cast<int32_t>(4 * e) + k});
      }
    }
    for_each_group(sort_by_vertices(faces, x_.size()), [&](std::span<const Keyed<3>> shared) {
      if (shared.size() != 2) return;
      const int32_t a = shared[0].item, b = shared[1].item;
      across_[a / 4][a % 4] = b / 4;
      across_[b / 4][b % 4] = a / 4;
    });
  }

  size_t size() const { return tets_.size(); }

  // The tet and its neighbour beyond face k become three around the edge between the corners off that face.
  void split_face(int32_t t, int k) {
    if (tets_[t][0] == none) return;
    const int32_t u = across_[t][k];
    if (u == none) return;
    const Tet top = turned(t, k);
    const int32_t d = top[0], e = off_face(u, t), ring[3] = {top[1], top[2], top[3]};
    Tet made[3];
    for (int i = 0; i < 3; ++i) {
      made[i] = {d, ring[i], ring[(i + 1) % 3], e};
      if (!good(made[i])) return;
    }
    Side above[3], below[3];
    for (int i = 0; i < 3; ++i) {
      above[i] = beyond(t, ring[(i + 2) % 3]);
      below[i] = beyond(u, ring[(i + 2) % 3]);
    }
    const int32_t at[3] = {t, u, take()};
    for (int i = 0; i < 3; ++i) {
      tets_[at[i]] = made[i];
      join(at[i], 3, above[i]);
      join(at[i], 0, below[i]);
      across_[at[i]][1] = at[(i + 1) % 3];
      across_[at[i]][2] = at[(i + 2) % 3];
    }
  }

  // The inverse, if the edge between corners k and (k + step) % 4 has three tets.
  void join_edge(int32_t t, int k, int step) {
    if (tets_[t][0] == none) return;
    const int32_t e = tets_[t][(k + step) % 4];
    Tet from = turned(t, k);  // d, and e moved to the end
    while (from[3] != e) from = {from[0], from[2], from[3], from[1]};
    const int32_t d = from[0], a = from[1], b = from[2];
    const int32_t v = beyond(t, a).tet, w = beyond(t, b).tet;
    if (v == none || w == none) return;
    const int32_t c = off_face(v, t);
    if (c != off_face(w, t)) return;
    const Tet made[2] = {{d, a, b, c}, {e, a, c, b}};
    if (!good(made[0]) || !good(made[1])) return;
    const Side above[3] = {beyond(v, e), beyond(w, e), beyond(t, e)};  // opposite to a, b, c
    const Side below[3] = {beyond(v, d), beyond(w, d), beyond(t, d)};
    tets_[t] = made[0];
    tets_[v] = made[1];
    for (int i = 0; i < 3; ++i) {
      join(t, 1 + i, above[i]);
      join(v, i == 0 ? 1 : 4 - i, below[i]);
    }
    across_[t][0] = v;
    across_[v][0] = t;
    tets_[w][0] = none;
    free_.push_back(w);
  }

  std::vector<Tet> tets() const {
    std::vector<Tet> alive;
    for (const Tet& t : tets_) {
      if (t[0] != none) alive.push_back(t);
    }
    return alive;
  }

 private:
  struct Side {
    int32_t tet;
    int face;
  };

  int corner_of(int32_t t, int32_t vertex) const {
    int k = 0;
    while (tets_[t][k] != vertex) ++k;
    return k;
  }
  int face_towards(int32_t t, int32_t neighbour) const {
    int k = 0;
    while (across_[t][k] != neighbour) ++k;
    return k;
  }
  Tet turned(int32_t t, int k) const {
    const Tet& a = tets_[t];
    const int* order = corner_first[k];
    return {a[order[0]], a[order[1]], a[order[2]], a[order[3]]};
  }
  int32_t off_face(int32_t t, int32_t neighbour) const { return tets_[t][face_towards(t, neighbour)]; }
  // The tet beyond the face of t opposite to the vertex, and which of its faces that is.
  Side beyond(int32_t t, int32_t vertex) const {
    const int32_t other = across_[t][corner_of(t, vertex)];
    return {other, other == none ? 0 : face_towards(other, t)};
  }
  void join(int32_t t, int face, Side side) {
    across_[t][face] = side.tet;
    if (side.tet != none) across_[side.tet][side.face] = t;
  }
  int32_t take() {
    if (free_.empty()) {
      tets_.emplace_back();
      across_.emplace_back();
      return static_cast<int32_t>(tets_.size()) - 1;
    }
    const int32_t t = free_.back();
    free_.pop_back();
    return t;
  }
  // Of positive volume V, and 12^3 (3 V)^2 >= (quality sum l^2)^3.
  bool good(const Tet& t) const {
    const Vec3d p = x_[t[1]] - x_[t[0]], q = x_[t[2]] - x_[t[0]], r = x_[t[3]] - x_[t[0]];
    const double v6 = dot(p, cross(q, r));
    const Vec3d pq = q - p, qr = r - q, rp = p - r;
    const double edges = dot(p, p) + dot(q, q) + dot(r, r) + dot(pq, pq) + dot(qr, qr) + dot(rp, rp);
    return v6 > 0 && 12 * 12 * 12 * 0.25 * v6 * v6 >= quality3_ * edges * edges * edges;
  }

  const std::vector<Vec3d>& x_;
  std::vector<Tet> tets_;
  std::vector<std::array<int32_t, 4>> across_;
  std::vector<int32_t> free_;
  double quality3_;
};

template <class Item>
void shuffle(std::vector<Item>& items, Random& random) {
  for (size_t k = items.size(); k > 1; --k) std::swap(items[k - 1], items[random.below(k)]);
}

}  // namespace

TetMesh make_irregular(const IrregularMeshOptions& options) {
  const int n = options.cells;
  TetMesh mesh = make_box({.cells = {n, n, n}, .size = {1, 1, 1}, .split = TetSplit::six}).value();
  Random random(options.seed);
  for (Vec3d& x : mesh.vertices) {
    const auto inside = [](double a) { return a > 1e-9 && a < 1 - 1e-9; };
    const auto move = [&] { return random.between(-options.shake, options.shake) / n; };
    if (inside(x.x) && inside(x.y) && inside(x.z)) x += Vec3d{move(), move(), move()};
  }

  // In order, since neighbours are close in memory; the flip to try is random.
  Flips flips(mesh, options.quality);
  for (int round = 0; round < options.rounds; ++round) {
    for (size_t t = 0; t < flips.size(); ++t) {
      const auto tet = static_cast<int32_t>(t);
      const uint64_t chance = random.next() >> 32;
      const int corner = chance & 3, step = 1 + static_cast<int>((chance >> 2) % 3);
      if (chance & 0x1000) {
        flips.split_face(tet, corner);
      } else {
        flips.join_edge(tet, corner, step);
      }
    }
  }
  mesh.tets = flips.tets();

  std::vector<int32_t> old(mesh.vertices.size()), renumbered(mesh.vertices.size());
  for (size_t v = 0; v < old.size(); ++v) old[v] = static_cast<int32_t>(v);
  shuffle(old, random);
  std::vector<Vec3d> vertices;
  for (const int32_t v : old) {
    renumbered[v] = static_cast<int32_t>(vertices.size());
    vertices.push_back(mesh.vertices[v]);
  }
  mesh.vertices = std::move(vertices);
  shuffle(mesh.tets, random);
  for (Tet& t : mesh.tets) {
    const int* order = corner_first[random.below(4)];
    t = {renumbered[t[order[0]]], renumbered[t[order[1]]], renumbered[t[order[2]]], renumbered[t[order[3]]]};
  }
  return mesh;
}

}  // namespace sinew::bench
