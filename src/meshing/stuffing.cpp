#include "meshing/stuffing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "base/format.h"
#include "meshing/cut_points.h"
#include "meshing/deepest_point.h"
#include "meshing/lattice.h"
#include "meshing/lattice_tets.h"
#include "meshing/missed_parts.h"
#include "meshing/octants.h"
#include "meshing/sheets.h"
#include "meshing/stencil.h"
#include "meshing/touching_edges.h"

namespace sinew {

namespace {

template <class Use>
void for_each_cell(const Use& use) {
  for (int k = 0; k < block_side; ++k)
    for (int j = 0; j < block_side; ++j)
      for (int i = 0; i < block_side; ++i) use(i, j, k);
}

std::string at_least(double cell) {
  return format("take a cell of at least %.3g m", cell);
}

class Stuffer {
 public:
  Stuffer(const StuffingOptions& options, ThreadPool& pool, PointLattice lattice, CutPoints cuts)
      : options_(options),
        pool_(pool),
        lattice_(std::move(lattice)),
        cuts_(std::move(cuts)),
        octants_(lattice_, options.coarsest, pool) {}

  Result<int64_t> count() {
    count_tets();
    return first_tet_.back();
  }

  const PointLattice& lattice() const { return lattice_; }

  Result<TetMesh> run(StuffingReport& report) {
    count_tets();
    if (Status status = check_count(); !status) return status.error();
    number_vertices();
    if (first_vertex_.back() > INT32_MAX) return too_many(static_cast<double>(first_vertex_.back()) / INT32_MAX);
    place_vertices();
    fill();
    report.touching_vertices = static_cast<int64_t>(sheets_.size());
    const Parting parting = part_touching_edges(mesh_, touching_, angle_bounds(smallest_angle, largest_angle));
    report.halved_edges = parting.halved;
    report.pinched_edges = parting.pinched;
    return std::move(mesh_);
  }

 private:
  struct Halo {
    std::array<Side, 2 * halo_cells> sides;
    std::array<bool, halo_cells> coarse{};  // cells within a larger leaf
  };
  using Vertices = std::array<int32_t, 2 * halo_cells>;

  // Blocks whose points are numbered individually have a row in vertex_of_point_; without grading, inner blocks need
  // none.
  bool has_row(int32_t block) const { return octants_.graded() || lattice_.blocks()[block].sample >= 0; }
  size_t key(int32_t block, int point) const {
    const int32_t row = octants_.graded() ? block : lattice_.blocks()[block].sample;
    return static_cast<size_t>(row) * block_points + static_cast<size_t>(point);
  }
  int32_t vertex_at(PointLattice::Place place) const {
    const auto base = static_cast<int32_t>(first_vertex_[place.block]);
    if (!has_row(place.block)) return base + place.point;
    const int32_t vertex = vertex_of_point_[key(place.block, place.point)];
    return vertex < 0 ? -1 : base + vertex;
  }

  void gather(const LatticeBlock& block, Halo& halo) const {
    lattice_.gather(block, Side::outside, halo.sides, [&](int32_t b, int point) {
      const int32_t sample = lattice_.blocks()[b].sample;
      return sample < 0 ? Side::inside : lattice_.sides(sample)[point];
    });
    if (!octants_.graded()) return;
    for (int k = -1; k <= block_side; ++k)
      for (int j = -1; j <= block_side; ++j)
        for (int i = -1; i <= block_side; ++i) halo.coarse[halo_point(0, i, j, k)] = octants_.level(block, i, j, k) > 0;
  }
  // Calls use(tet, stencil) for the tets of a cell that have an inner part and lie between cells that are leaves.
  template <class Use>
  void for_each_part(const Halo& halo, size_t at, const Use& use) const {
    for (const LatticeTet& tet : tets_) {
      const auto side = [&](int c) { return halo.sides[at + static_cast<size_t>(tet.halo[c])]; };
      const Stencil& parts = stencil(tet.parity, side(0), side(1), side(2), side(3));
      if (parts.count == 0) continue;
      const auto coarse = [&](int c) { return halo.coarse[at + static_cast<size_t>(tet.halo[c]) - halo_cells]; };
      if (coarse(2) || coarse(3)) continue;
      use(tet, parts);
    }
  }
  // The neighbours of a point of a block, as bits by direction.
  struct Neighbours {
    uint16_t inside = 0, surface = 0;
    Sheets sheets() const { return connected_parts(inside, surface); }
  };
  Neighbours neighbours(const LatticeBlock& block, int sub, int i, int j, int k) const {
    Neighbours found;
    for (int d = 0; d < edge_directions; ++d) {
      const std::array<int, 3> step = direction_cells(sub, d);
      const auto place = lattice_.find(block, direction_sublattice(sub, d), i + step[0], j + step[1], k + step[2]);
      const Side side = lattice_.side(place);
      const unsigned bit = 1u << d;
      if (side == Side::inside) found.inside = static_cast<uint16_t>(found.inside | bit);
      if (side == Side::surface) found.surface = static_cast<uint16_t>(found.surface | bit);
    }
    return found;
  }

  // Vertices block by block: its points, then its cut points. Points on the surface without an inside neighbour, and
  // inner points within larger leaves, are not vertices.
  void number_vertices() {
    const auto& blocks = lattice_.blocks();
    const size_t rows = octants_.graded() ? blocks.size() : lattice_.sample_count();
    first_vertex_.assign(blocks.size() + 1, 0);
    vertex_of_point_.assign(rows * block_points, -1);
    vertex_of_cut_.assign(static_cast<size_t>(cuts_.first(static_cast<int32_t>(lattice_.sample_count()))), -1);
    std::vector<std::vector<std::pair<size_t, Sheets>>> several(blocks.size());
    pool_.parallel_for(static_cast<int64_t>(blocks.size()), 8, [&](int64_t first, int64_t last) {
      for (int64_t b = first; b < last; ++b) {
        const LatticeBlock& block = blocks[b];
        int64_t& count = first_vertex_[b + 1];
        if (!has_row(static_cast<int32_t>(b))) {
          count = block_points;
          continue;
        }
        for (int sub = 0; sub < 2; ++sub)
          for_each_cell([&](int i, int j, int k) {
            const int point = block_point(sub, i, j, k);
            const Side side = block.sample < 0 ? Side::inside : lattice_.sides(block.sample)[point];
            if (side == Side::outside) return;
            if (side == Side::inside && octants_.graded() && !octants_.is_vertex(block, sub, i, j, k)) return;
            int copies = 1;
            if (side == Side::surface) {
              const Sheets sheets = neighbours(block, sub, i, j, k).sheets();
              copies = sheets.count;
              if (copies > 1) several[b].emplace_back(key(static_cast<int32_t>(b), point), sheets);
            }
            if (copies > 0) vertex_of_point_[key(static_cast<int32_t>(b), point)] = static_cast<int32_t>(count);
            count += copies;
          });
        if (block.sample < 0) continue;
        for (int64_t c = cuts_.first(block.sample); c < cuts_.first(block.sample + 1); ++c)
          if (cuts_.remains(c)) vertex_of_cut_[c] = static_cast<int32_t>(count++);
      }
    });
    for (size_t b = 0; b < blocks.size(); ++b) {
      first_vertex_[b + 1] += first_vertex_[b];
      for (const auto& [point, sheets] : several[b]) sheets_.emplace(point, sheets);
    }
  }

  void count_tets() {
    const auto& blocks = lattice_.blocks();
    first_tet_.assign(blocks.size() + 1, 0);
    pool_.parallel_for(static_cast<int64_t>(blocks.size()), 8, [&](int64_t first, int64_t last) {
      Halo halo;
      for (int64_t b = first; b < last; ++b) {
        int64_t& count = first_tet_[b + 1];
        gather(blocks[b], halo);
        for_each_cell([&](int i, int j, int k) {
          for_each_part(halo, static_cast<size_t>(halo_point(0, i, j, k)),
                        [&](const LatticeTet&, const Stencil& parts) { count += parts.count; });
        });
        if (octants_.graded()) octants_.for_each_tet(blocks[b], [&](auto, auto, auto, auto) { ++count; });
      }
    });
    for (size_t b = 0; b < blocks.size(); ++b) first_tet_[b + 1] += first_tet_[b];
  }
  Status check_count() const {
    const int64_t count = first_tet_.back();
    if (count == 0) return Error{"cell", format("= %g m: no lattice point is inside", options_.cell), ""};
    if (count > options_.max_tets) return too_many(static_cast<double>(count) / static_cast<double>(options_.max_tets));
    return {};
  }
  Error too_many(double ratio) const {
    return {"cell",
            format("= %g m: the mesh would have %lld tetrahedra, and %lld ", options_.cell,
                   static_cast<long long>(first_tet_.back()), static_cast<long long>(options_.max_tets)) +
                options_.limit,
            at_least(1.01 * std::cbrt(ratio) * options_.cell)};
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
            if (!has_row(static_cast<int32_t>(b))) {
              out[point] = x;
              return;
            }
            const int32_t vertex = vertex_of_point_[key(static_cast<int32_t>(b), point)];
            if (vertex < 0) return;
            const int32_t cut = block.sample < 0 ? -1 : cuts_.moved_to(block.sample, point);
            const auto sheets = cut < 0 ? sheets_.end() : sheets_.find(key(static_cast<int32_t>(b), point));
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
      Halo halo;
      Vertices vertices;
      for (int64_t b = first; b < last; ++b) {
        const LatticeBlock& block = blocks[b];
        gather(block, halo);
        lattice_.gather(block, int32_t{-1}, vertices, [&](int32_t from, int point) {
          return vertex_at({from, point});
        });
        Tet* out = mesh_.tets.data() + first_tet_[b];
        for_each_cell([&](int i, int j, int k) {
          const auto at = static_cast<size_t>(halo_point(0, i, j, k));
          for_each_part(halo, at, [&](const LatticeTet& tet, const Stencil& parts) {
            // Uncut, like nearly all tets.
            std::array<int32_t, 10> names;
            bool uncut = true;
            for (size_t c = 0; c < 4; ++c) {
              const size_t h = at + static_cast<size_t>(tet.halo[c]);
              names[c] = vertices[h];
              uncut = uncut && halo.sides[h] == Side::inside;
            }
            if (uncut) {
              *out++ = {names[0], names[1], names[2], names[3]};
              return;
            }
            name_cut_tet(block, tet, halo, at, i, j, k, names);
            for (int n = 0; n < parts.count; ++n) {
              const auto& v = parts.tets[n];
              *out++ = {names[v[0]], names[v[1]], names[v[2]], names[v[3]]};
            }
          });
        });
        if (octants_.graded())
          octants_.for_each_tet(block, [&](auto p, auto q, auto r, auto s) {
            *out++ = {vertex_at(p), vertex_at(q), vertex_at(r), vertex_at(s)};
          });
        if (block.sample >= 0) find_touching_edges(static_cast<int32_t>(b), touching[b]);
      }
    });
    for (const auto& part : touching) touching_.insert(touching_.end(), part.begin(), part.end());
  }

  // The vertices of a tet that is cut or touches the surface: its corners, in the right sheets, and its cut points.
  void name_cut_tet(const LatticeBlock& block, const LatticeTet& tet, const Halo& halo, size_t at, int i, int j, int k,
                    std::array<int32_t, 10>& names) const {
    const auto side = [&](size_t c) { return halo.sides[at + static_cast<size_t>(tet.halo[c])]; };
    const auto find = [&](size_t c) {
      const LatticeTet::Corner& p = tet.corners[c];
      return lattice_.find(block, p.sub, i + p.i, j + p.j, k + p.k);
    };
    if (!sheets_.empty())
      for (size_t c = 0; c < 4; ++c) {
        if (side(c) != Side::surface) continue;
        const PointLattice::Place place = find(c);
        const auto sheets = sheets_.find(key(place.block, place.point));
        if (sheets == sheets_.end()) continue;
        size_t inner = 0;
        while (side(inner) != Side::inside) ++inner;
        names[c] += sheets->second.of(tet.directions[c][inner]);
      }
    for (size_t e = 0; e < 6; ++e) {
      const auto [a, b] = tet_edges[e];
      const Side one = side(static_cast<size_t>(a)), other = side(static_cast<size_t>(b));
      if (one == other || one == Side::surface || other == Side::surface) continue;
      const PointLattice::Place place = find(static_cast<size_t>(tet.edges[e].corner));
      const int64_t cut = cuts_.at(lattice_.blocks()[place.block].sample, place.point, tet.edges[e].number);
      names[4 + e] = static_cast<int32_t>(first_vertex_[place.block]) + vertex_of_cut_[cut];
    }
  }

  // Edges of a block between surface points around which the same sheets occur more than once.
  void find_touching_edges(int32_t b, std::vector<TouchingEdge>& found) const {
    const LatticeBlock& block = lattice_.blocks()[b];
    const Side* sides = lattice_.sides(block.sample);
    for (int sub = 0; sub < 2; ++sub)
      for_each_cell([&](int i, int j, int k) {
        const int point = block_point(sub, i, j, k);
        if (sides[point] != Side::surface || vertex_of_point_[key(b, point)] < 0) return;
        const Neighbours own = neighbours(block, sub, i, j, k);
        for (int d = 0; d < edge_directions; ++d) {
          if (CutPoints::owner(sub, d).other_end || !(own.surface >> d & 1)) continue;
          const Sheets wedges = Neighbours{static_cast<uint16_t>(own.inside & neighbour_edges[d]),
                                           static_cast<uint16_t>(own.surface & (neighbour_edges[d] | 1u << d))}
                                    .sheets();
          if (wedges.count < 2) continue;
          const std::array<int, 3> step = direction_cells(sub, d);
          const int x = i + step[0], y = j + step[1], z = k + step[2], other_sub = direction_sublattice(sub, d);
          const PointLattice::Place other = lattice_.find(block, other_sub, x, y, z);
          // The sheets at both ends of each wedge of tets around the edge.
          const LatticeBlock& other_block = lattice_.blocks()[other.block];
          const Sheets here = own.sheets(), there = neighbours(other_block, other_sub, x & (block_side - 1),
                                                               y & (block_side - 1), z & (block_side - 1))
                                                        .sheets();
          std::array<TouchingEdge, most_sheets> ends{};
          for (int w = 0; w < wedges.count; ++w) {
            const int toward = std::countr_zero(wedges.neighbours[w]);
            const std::array<int, 3> a = direction_step(toward), along = direction_step(d);
            int back = 0;
            while (direction_step(back) != std::array<int, 3>{a[0] - along[0], a[1] - along[1], a[2] - along[2]})
              ++back;
            ends[w] = {vertex_at({b, point}) + here.of(toward), vertex_at(other) + there.of(back)};
            const auto same = std::count(ends.begin(), ends.begin() + w, ends[w]);
            if (same == 1) found.push_back(ends[w]);
          }
        }
      });
  }

  StuffingOptions options_;
  ThreadPool& pool_;
  PointLattice lattice_;
  CutPoints cuts_;
  Octants octants_;
  const std::array<LatticeTet, 12>& tets_ = lattice_tets();
  std::vector<int64_t> first_vertex_, first_tet_;  // of each block
  std::vector<int32_t> vertex_of_point_;           // of each point with a row, from its block's first; -1: none
  std::vector<int32_t> vertex_of_cut_;             // likewise
  std::unordered_map<size_t, Sheets> sheets_;      // of points with several sheets, by key()
  std::vector<TouchingEdge> touching_;
  TetMesh mesh_;
};

// For the case that no point is inside: a cell size for which some are. No place is farther than 0.56 cells from a
// lattice point, so a cell of the solid's depth suffices; else some cells across the narrowest side.
std::string smaller_cell(const DistanceField& field, double cell, int64_t most_tets) {
  const Bounds box = field.bounds();
  const Vec3d size = box.high - box.low;
  const double least = std::min({size.x, size.y, size.z}), widest = std::max({size.x, size.y, size.z});
  constexpr int points = 20000;
  const double depth = field.continuous() ? depth_of(field, points) : least / 3;
  const double enough = 0.99 * std::min(0.5 * cell, depth > 0 ? depth : 0.5 * cell), cells = widest / enough;
  const std::string advice = format("a cell of at most %.3g m, which is %.3g along the longest side", enough, cells);
  // As if the solid filled its box.
  const double tets = 12 * (size.x / enough) * (size.y / enough) * (size.z / enough);
  if (tets > static_cast<double>(most_tets)) return "make the solid thicker; it takes " + advice;
  constexpr double many = 1000;
  return "take " + advice + (cells > many ? ", or make the solid thicker" : "");
}

// For more tets than can be counted: a cell size that is large enough even if the solid fills its box.
std::string larger_cell(const Bounds& box, int64_t tets) {
  const Vec3d size = box.high - box.low;
  const double widest = std::max({size.x, size.y, size.z}), thin = widest / 100;
  const double volume = std::max(size.x, thin) * std::max(size.y, thin) * std::max(size.z, thin);
  return at_least(1.1 * std::cbrt(12 * volume / static_cast<double>(tets)));
}

// Samples and cuts, then calls use(Stuffer&).
template <class T, class Use>
Result<T> with_stuffer(const DistanceField& field, const StuffingOptions& options, ThreadPool& pool,
                       const ProgressListener& listener, const Use& use) {
  if (!(std::isfinite(options.cell) && options.cell > 0))
    return Error{"cell", format("= %g m", options.cell), "give a positive length"};
  if (options.coarsest < 0 || options.coarsest > coarsest_level)
    return Error{"coarsest", format("= %d", options.coarsest), format("give 0 to %d", coarsest_level)};
  // Inner blocks have 6144 tets, or fewer with larger leaves; then each takes about 4 kB, even with only a few tets.
  // Those at the surface have about a thousand or more.
  constexpr int64_t tets_per_block = 12 * block_cells, graded_block_in_tets = 40, tets_per_sample = tets_per_block / 8;
  const int64_t per_block =
      options.coarsest == 0 ? tets_per_block : std::max(tets_per_block >> 3 * options.coarsest, graded_block_in_tets);
  const LatticeLimits limits{options.max_tets / per_block + 64, options.max_tets / tets_per_sample + 512};
  const ProgressListener sampling = part_of(listener, 0, 0.4), cutting = part_of(listener, 0.4, 0.8);
  auto lattice = PointLattice::sample(field, options.cell, limits, pool, sampling);
  if (!lattice) {
    Error error = lattice.error();
    if (error.where != "cell" || !error.remedy.empty()) return error;
    error.what += format(" than the %lld that ", static_cast<long long>(options.max_tets)) + options.limit;
    error.remedy = larger_cell(field.bounds(), options.max_tets);
    return error;
  }
  auto cuts = CutPoints::find(field, *lattice, {}, pool, cutting);
  if (!cuts) return cuts.error();
  if (!tell(listener, "filling with tetrahedra", 0.8)) return given_up();
  Stuffer stuffer(options, pool, std::move(*lattice), std::move(*cuts));
  Result<T> result = use(stuffer);
  if (!result && result.error().remedy.empty()) {
    Error error = result.error();
    error.remedy = smaller_cell(field, options.cell, options.max_tets);
    return error;
  }
  tell(listener, "filling with tetrahedra", 1);
  return result;
}

}  // namespace

Result<TetMesh> stuff(const DistanceField& field, const StuffingOptions& options, ThreadPool& pool,
                      const ProgressListener& listener, StuffingReport* report) {
  return with_stuffer<TetMesh>(field, options, pool, listener, [&](Stuffer& stuffer) {
    StuffingReport own;
    Result<TetMesh> mesh = stuffer.run(own);
    if (mesh && report) {
      own.missed = missed_parts(field, stuffer.lattice());
      *report = std::move(own);
    }
    return mesh;
  });
}

Result<int64_t> count_tets(const DistanceField& field, const StuffingOptions& options, ThreadPool& pool,
                           const ProgressListener& listener) {
  return with_stuffer<int64_t>(field, options, pool, listener, [](Stuffer& stuffer) { return stuffer.count(); });
}

}  // namespace sinew
