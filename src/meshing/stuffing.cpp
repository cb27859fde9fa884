#include "meshing/stuffing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "base/format.h"
#include "meshing/cut_points.h"
#include "meshing/lattice.h"
#include "meshing/sheets.h"
#include "meshing/stencil.h"
#include "meshing/touching_edges.h"

namespace sinew {

namespace {

// The 12 tets of a cell: around each of the three long edges at its corner, between it and two of the four centres
// around it, counter-clockwise seen from its upper end.
struct LatticeTet {
  struct Corner {
    int sub, i, j, k;
  };
  struct Edge {
    int corner, number;  // the corner of the tet it belongs to, and its number there (CutPoints)
  };
  std::array<Corner, 4> corners{};
  std::array<Edge, 6> edges{};
  std::array<std::array<int8_t, 4>, 4> directions{};  // from corner to corner
  std::array<int, 4> halo{};                          // steps in the halo, from the cell's
  int parity = 0;
};

int direction_between(const LatticeTet::Corner& a, const LatticeTet::Corner& b) {
  const std::array<int, 3> step{2 * (b.i - a.i) + b.sub - a.sub, 2 * (b.j - a.j) + b.sub - a.sub,
                                2 * (b.k - a.k) + b.sub - a.sub};
  for (int d = 0; d < edge_directions; ++d)
    if (direction_step(d) == step) return d;
  return -1;
}

std::array<LatticeTet, 12> make_tets() {
  std::array<LatticeTet, 12> tets;
  constexpr int ring[4][2] = {{-1, -1}, {0, -1}, {0, 0}, {-1, 0}};
  for (int axis = 0; axis < 3; ++axis)
    for (int m = 0; m < 4; ++m) {
      LatticeTet& tet = tets[axis * 4 + m];
      const auto along = [&](int sub, int up, int u, int v) {
        std::array<int, 3> c{};
        c[axis] = up;
        c[(axis + 1) % 3] = u;
        c[(axis + 2) % 3] = v;
        return LatticeTet::Corner{sub, c[0], c[1], c[2]};
      };
      const auto& from = ring[m];
      const auto& to = ring[(m + 1) % 4];
      tet.corners = {along(corner, 0, 0, 0), along(corner, 1, 0, 0), along(centre, 0, from[0], from[1]),
                     along(centre, 0, to[0], to[1])};
      // The first centre lies at (1/2, -1/2, -1/2) from the lower end: an even edge.
      tet.parity = m % 2;
      for (size_t a = 0; a < 4; ++a)
        for (size_t b = 0; b < 4; ++b)
          tet.directions[a][b] = static_cast<int8_t>(a == b ? -1 : direction_between(tet.corners[a], tet.corners[b]));
      for (size_t e = 0; e < 6; ++e) {
        const auto [a, b] = tet_edges[e];
        const auto owner = CutPoints::owner(tet.corners[a].sub, tet.directions[a][b]);
        tet.edges[e] = {owner.other_end ? b : a, owner.edge};
      }
      for (size_t c = 0; c < 4; ++c) {
        const LatticeTet::Corner& p = tet.corners[c];
        tet.halo[c] = halo_point(p.sub, p.i, p.j, p.k) - halo_point(0, 0, 0, 0);
      }
    }
  return tets;
}

template <class Use>
void for_each_cell(const Use& use) {
  for (int k = 0; k < block_side; ++k)
    for (int j = 0; j < block_side; ++j)
      for (int i = 0; i < block_side; ++i) use(i, j, k);
}

class Stuffer {
 public:
  Stuffer(const StuffingOptions& options, ThreadPool& pool, Lattice lattice, CutPoints cuts)
      : options_(options), pool_(pool), lattice_(std::move(lattice)), cuts_(std::move(cuts)), tets_(make_tets()) {}

  Result<TetMesh> run(StuffingReport& report) {
    number_vertices();
    if (Status status = count_tets(); !status) return status.error();
    place_vertices();
    fill();
    report.touching_vertices = static_cast<int64_t>(sheets_.size());
    report.touching_edges = halve_touching_edges(mesh_, touching_);
    return std::move(mesh_);
  }

 private:
  using Sides = std::array<Side, 2 * halo_cells>;
  using Vertices = std::array<int32_t, 2 * halo_cells>;
  static size_t key(int32_t sample, int point) {
    return static_cast<size_t>(sample) * block_points + static_cast<size_t>(point);
  }

  void gather_sides(const LatticeBlock& block, Sides& sides) const {
    lattice_.gather(block, Side::outside, sides, [&](int32_t b, int point) {
      const int32_t sample = lattice_.blocks()[b].sample;
      return sample < 0 ? Side::inside : lattice_.sides(sample)[point];
    });
  }
  // The neighbours inside of a point of a block, as bits by direction.
  uint16_t inner_neighbours(const LatticeBlock& block, int sub, int i, int j, int k) const {
    unsigned bits = 0;
    for (int d = 0; d < edge_directions; ++d) {
      const std::array<int, 3> step = direction_cells(sub, d);
      const auto place = lattice_.find(block, direction_sublattice(sub, d), i + step[0], j + step[1], k + step[2]);
      if (lattice_.side(place) == Side::inside) bits |= 1u << d;
    }
    return static_cast<uint16_t>(bits);
  }

  // Vertices block by block: its points, then its cut points. A point that is not inside and has no neighbour inside is
  // no vertex.
  void number_vertices() {
    const auto& blocks = lattice_.blocks();
    first_vertex_.assign(blocks.size() + 1, 0);
    vertex_of_point_.assign(lattice_.sample_count() * block_points, -1);
    vertex_of_cut_.assign(static_cast<size_t>(cuts_.first(static_cast<int32_t>(lattice_.sample_count()))), -1);
    std::vector<std::vector<std::pair<size_t, Sheets>>> several(blocks.size());
    pool_.parallel_for(static_cast<int64_t>(blocks.size()), 8, [&](int64_t first, int64_t last) {
      for (int64_t b = first; b < last; ++b) {
        const LatticeBlock& block = blocks[b];
        int32_t count = 0;
        if (block.sample < 0) {
          count = block_points;
        } else {
          const Side* sides = lattice_.sides(block.sample);
          for (int sub = 0; sub < 2; ++sub)
            for_each_cell([&](int i, int j, int k) {
              const int point = block_point(sub, i, j, k);
              if (sides[point] == Side::outside) return;
              int copies = 1;
              if (sides[point] == Side::surface) {
                const Sheets sheets = connected_parts(inner_neighbours(block, sub, i, j, k));
                copies = sheets.count;
                if (copies > 1) several[b].emplace_back(key(block.sample, point), sheets);
              }
              if (copies > 0) vertex_of_point_[key(block.sample, point)] = count;
              count += copies;
            });
          for (int64_t c = cuts_.first(block.sample); c < cuts_.first(block.sample + 1); ++c)
            if (cuts_.remains(c)) vertex_of_cut_[c] = count++;
        }
        first_vertex_[static_cast<size_t>(b) + 1] = count;
      }
    });
    for (size_t b = 0; b < blocks.size(); ++b) {
      first_vertex_[b + 1] += first_vertex_[b];
      for (const auto& [point, sheets] : several[b]) sheets_.emplace(point, sheets);
    }
  }

  int tets_around(const Sides& sides, int i, int j, int k) const {
    const auto at = static_cast<size_t>(halo_point(0, i, j, k));
    int count = 0;
    for (const LatticeTet& tet : tets_) count += stencil_at(tet, sides, at).count;
    return count;
  }
  static const Stencil& stencil_at(const LatticeTet& tet, const Sides& sides, size_t at) {
    const auto side = [&](size_t c) { return sides[at + static_cast<size_t>(tet.halo[c])]; };
    return stencil(tet.parity, side(0), side(1), side(2), side(3));
  }

  Status count_tets() {
    const auto& blocks = lattice_.blocks();
    first_tet_.assign(blocks.size() + 1, 0);
    pool_.parallel_for(static_cast<int64_t>(blocks.size()), 8, [&](int64_t first, int64_t last) {
      Sides sides;
      for (int64_t b = first; b < last; ++b) {
        gather_sides(blocks[b], sides);
        int64_t count = 0;
        for_each_cell([&](int i, int j, int k) { count += tets_around(sides, i, j, k); });
        first_tet_[static_cast<size_t>(b) + 1] = count;
      }
    });
    for (size_t b = 0; b < blocks.size(); ++b) first_tet_[b + 1] += first_tet_[b];
    const int64_t count = first_tet_.back();
    if (count == 0) return Error{"cell", format("= %g m: no lattice point is inside", options_.cell), ""};
    if (count > options_.max_tets || first_vertex_.back() > INT32_MAX) {
      const double ratio = std::cbrt(static_cast<double>(count) / static_cast<double>(options_.max_tets));
      return Error{
          "cell",
          format("= %g m: the mesh would have %lld tetrahedra, and %lld are allowed", options_.cell,
                 static_cast<long long>(count), static_cast<long long>(options_.max_tets)),
          format("take a cell of at least %.3g m, or raise the limit of tetrahedra", 1.01 * ratio * options_.cell)};
    }
    return {};
  }

  void place_vertices() {
    const auto& blocks = lattice_.blocks();
    mesh_.vertices.resize(static_cast<size_t>(first_vertex_.back()));
    pool_.parallel_for(static_cast<int64_t>(blocks.size()), 8, [&](int64_t first, int64_t last) {
      for (int64_t b = first; b < last; ++b) {
        const LatticeBlock& block = blocks[b];
        Vec3d* out = mesh_.vertices.data() + first_vertex_[b];
        for (int sub = 0; sub < 2; ++sub)
          for_each_cell([&](int i, int j, int k) {
            const int point = block_point(sub, i, j, k);
            const Vec3d x = lattice_.position(block.place, sub, i, j, k);
            if (block.sample < 0) {
              out[point] = x;
              return;
            }
            const int32_t vertex = vertex_of_point_[key(block.sample, point)];
            if (vertex < 0) return;
            const int32_t cut = cuts_.moved_to(block.sample, point);
            const auto sheets = sheets_.find(key(block.sample, point));
            const int copies = sheets == sheets_.end() ? 1 : sheets->second.count;
            for (int c = 0; c < copies; ++c) out[vertex + c] = cut < 0 ? x : cuts_.position(cut);
          });
        if (block.sample < 0) continue;
        for (int64_t c = cuts_.first(block.sample); c < cuts_.first(block.sample + 1); ++c)
          if (cuts_.remains(c)) out[vertex_of_cut_[c]] = cuts_.position(c);
      }
    });
  }

  void fill() {
    const auto& blocks = lattice_.blocks();
    mesh_.tets.resize(static_cast<size_t>(first_tet_.back()));
    std::vector<std::vector<TouchingEdge>> touching(blocks.size());
    pool_.parallel_for(static_cast<int64_t>(blocks.size()), 8, [&](int64_t first, int64_t last) {
      Sides sides;
      Vertices vertices;
      for (int64_t b = first; b < last; ++b) {
        const LatticeBlock& block = blocks[b];
        gather_sides(block, sides);
        lattice_.gather(block, int32_t{-1}, vertices, [&](int32_t from, int point) {
          const int32_t sample = blocks[from].sample;
          const auto base = static_cast<int32_t>(first_vertex_[from]);
          if (sample < 0) return base + point;
          const int32_t vertex = vertex_of_point_[key(sample, point)];
          return vertex < 0 ? -1 : base + vertex;
        });
        Tet* out = mesh_.tets.data() + first_tet_[b];
        for_each_cell([&](int i, int j, int k) {
          const auto at = static_cast<size_t>(halo_point(0, i, j, k));
          for (const LatticeTet& tet : tets_) {
            const Stencil& parts = stencil_at(tet, sides, at);
            if (parts.count == 0) continue;
            // Uncut, as nearly all of them.
            std::array<int32_t, 10> names;
            bool uncut = true;
            for (size_t c = 0; c < 4; ++c) {
              const size_t h = at + static_cast<size_t>(tet.halo[c]);
              names[c] = vertices[h];
              uncut = uncut && sides[h] == Side::inside;
            }
            if (uncut) {
              *out++ = {names[0], names[1], names[2], names[3]};
              continue;
            }
            name_cut_tet(block, tet, sides, at, i, j, k, names);
            for (int n = 0; n < parts.count; ++n) {
              const auto& v = parts.tets[n];
              *out++ = {names[v[0]], names[v[1]], names[v[2]], names[v[3]]};
            }
          }
        });
        if (block.sample >= 0) find_touching_edges(b, touching[b]);
      }
    });
    for (const auto& part : touching) touching_.insert(touching_.end(), part.begin(), part.end());
  }

  // The vertices of a tet that is cut or touches the surface: its corners, which sheet of them, and its cut points.
  void name_cut_tet(const LatticeBlock& block, const LatticeTet& tet, const Sides& sides, size_t at, int i, int j,
                    int k, std::array<int32_t, 10>& names) const {
    const auto side = [&](size_t c) { return sides[at + static_cast<size_t>(tet.halo[c])]; };
    const auto find = [&](size_t c) {
      const LatticeTet::Corner& p = tet.corners[c];
      return lattice_.find(block, p.sub, i + p.i, j + p.j, k + p.k);
    };
    if (!sheets_.empty())
      for (size_t c = 0; c < 4; ++c) {
        if (side(c) != Side::surface) continue;
        const Lattice::Place place = find(c);
        const auto sheets = sheets_.find(key(blocks_sample(place.block), place.point));
        if (sheets == sheets_.end()) continue;
        size_t inner = 0;
        while (side(inner) != Side::inside) ++inner;
        names[c] += sheets->second.of(tet.directions[c][inner]);
      }
    for (size_t e = 0; e < 6; ++e) {
      const auto [a, b] = tet_edges[e];
      const Side one = side(static_cast<size_t>(a)), other = side(static_cast<size_t>(b));
      if (one == other || one == Side::surface || other == Side::surface) continue;
      const Lattice::Place place = find(static_cast<size_t>(tet.edges[e].corner));
      const int64_t cut = cuts_.at(blocks_sample(place.block), place.point, tet.edges[e].number);
      names[4 + e] = static_cast<int32_t>(first_vertex_[place.block]) + vertex_of_cut_[cut];
    }
  }
  int32_t blocks_sample(int32_t block) const { return lattice_.blocks()[block].sample; }

  // Edges of a block between points on the surface, around which the same sheets lie more than once.
  void find_touching_edges(int64_t b, std::vector<TouchingEdge>& found) const {
    const LatticeBlock& block = lattice_.blocks()[b];
    const Side* sides = lattice_.sides(block.sample);
    for (int sub = 0; sub < 2; ++sub)
      for_each_cell([&](int i, int j, int k) {
        const int point = block_point(sub, i, j, k);
        if (sides[point] != Side::surface || vertex_of_point_[key(block.sample, point)] < 0) return;
        const uint16_t inner = inner_neighbours(block, sub, i, j, k);
        for (int d = 0; d < edge_directions; ++d) {
          if (CutPoints::owner(sub, d).other_end) continue;
          const Sheets wedges = connected_parts(inner & neighbour_edges[d]);
          if (wedges.count < 2) continue;
          const std::array<int, 3> step = direction_cells(sub, d);
          const int x = i + step[0], y = j + step[1], z = k + step[2], other_sub = direction_sublattice(sub, d);
          const Lattice::Place other = lattice_.find(block, other_sub, x, y, z);
          if (lattice_.side(other) != Side::surface) continue;
          // The sheets at both ends of each wedge of tets around the edge.
          const LatticeBlock& other_block = lattice_.blocks()[other.block];
          const uint16_t other_inner = inner_neighbours(other_block, other_sub, x & (block_side - 1),
                                                        y & (block_side - 1), z & (block_side - 1));
          const Sheets here = connected_parts(inner), there = connected_parts(other_inner);
          std::array<TouchingEdge, most_sheets> ends{};
          for (int w = 0; w < wedges.count; ++w) {
            const int toward = std::countr_zero(wedges.neighbours[w]);
            const std::array<int, 3> a = direction_step(toward), along = direction_step(d);
            int back = 0;
            while (direction_step(back) != std::array<int, 3>{a[0] - along[0], a[1] - along[1], a[2] - along[2]})
              ++back;
            ends[w] = {
                static_cast<int32_t>(first_vertex_[b]) + vertex_of_point_[key(block.sample, point)] + here.of(toward),
                static_cast<int32_t>(first_vertex_[other.block]) +
                    vertex_of_point_[key(other_block.sample, other.point)] + there.of(back)};
            const auto same = std::count(ends.begin(), ends.begin() + w, ends[w]);
            if (same == 1) found.push_back(ends[w]);
          }
        }
      });
  }

  StuffingOptions options_;
  ThreadPool& pool_;
  Lattice lattice_;
  CutPoints cuts_;
  std::array<LatticeTet, 12> tets_;
  std::vector<int64_t> first_vertex_, first_tet_;  // of each block
  std::vector<int32_t> vertex_of_point_;           // of each sampled point, from its block's first; -1: none
  std::vector<int32_t> vertex_of_cut_;             // likewise
  std::unordered_map<size_t, Sheets> sheets_;      // of points of several, by key()
  std::vector<TouchingEdge> touching_;
  TetMesh mesh_;
};

// Where no point is inside: a cell that has some across the solid's narrowest side.
std::string smaller_cell(const Bounds& box, double cell) {
  const Vec3d size = box.high - box.low;
  const double least = std::min({size.x, size.y, size.z});
  return format("take a cell of at most %.3g m", std::min(0.5 * cell, least > 0 ? least / 3 : 0.5 * cell));
}

}  // namespace

Result<TetMesh> stuff(const DistanceField& field, const StuffingOptions& options, ThreadPool& pool,
                      const ProgressListener& listener, StuffingReport* report) {
  if (!(std::isfinite(options.cell) && options.cell > 0))
    return Error{"cell", format("= %g m", options.cell), "give a positive length"};
  constexpr int64_t tets_per_block = 12 * block_cells;
  const ProgressListener sampling = part_of(listener, 0, 0.4), cutting = part_of(listener, 0.4, 0.8);
  auto lattice = Lattice::sample(field, options.cell, options.max_tets / tets_per_block + 64, pool, sampling);
  if (!lattice) return lattice.error();
  auto cuts = CutPoints::find(field, *lattice, {}, pool, cutting);
  if (!cuts) return cuts.error();
  tell(listener, "filling with tetrahedra", 0.8);
  StuffingReport own;
  auto mesh = Stuffer(options, pool, std::move(*lattice), std::move(*cuts)).run(report ? *report : own);
  if (!mesh && mesh.error().remedy.empty()) {
    Error error = mesh.error();
    error.remedy = smaller_cell(field.bounds(), options.cell);
    return error;
  }
  tell(listener, "filling with tetrahedra", 1);
  return mesh;
}

}  // namespace sinew
