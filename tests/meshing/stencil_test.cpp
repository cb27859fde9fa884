// Source: Labelle and Shewchuk 2007: a stencil fills the inner part, agrees with its neighbours, and bounds all angles.
#include "meshing/stencil.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "mesh/quality.h"
#include "mesh/topology.h"
#include "meshing/cut_points.h"

namespace sinew {
namespace {

constexpr Side kSides[3] = {Side::inside, Side::surface, Side::outside};
// A lattice tet of parity 0 whose long edge lies along x, and one of parity 1, in cells.
constexpr Vec3d kTet[2][4] = {{{0, 0, 0}, {1, 0, 0}, {0.5, -0.5, -0.5}, {0.5, 0.5, -0.5}},
                              {{0, 0, 0}, {1, 0, 0}, {0.5, 0.5, -0.5}, {0.5, 0.5, 0.5}}};

Vec3d place(int parity, int vertex, double along = 0.5) {
  if (vertex < 4) return kTet[parity][vertex];
  const auto [a, b] = tet_edges[vertex - 4];
  return (1 - along) * kTet[parity][a] + along * kTet[parity][b];
}
template <class Use>
void for_each_stencil(const Use& use) {
  for (int parity = 0; parity < 2; ++parity)
    for (int n = 0; n < 81; ++n) {
      const std::array<Side, 4> s{kSides[n / 27], kSides[n / 9 % 3], kSides[n / 3 % 3], kSides[n % 3]};
      use(parity, s, stencil(parity, s[0], s[1], s[2], s[3]));
    }
}

TEST(Stencil, FillsTheInnerPart) {
  for_each_stencil([](int parity, const std::array<Side, 4>& s, const Stencil& parts) {
    double volume = 0;
    for (int n = 0; n < parts.count; ++n) {
      const auto& v = parts.tets[n];
      const double part =
          tet_shape(place(parity, v[0]), place(parity, v[1]), place(parity, v[2]), place(parity, v[3])).volume;
      EXPECT_GT(part, 0);
      volume += part;
    }
    const auto inside = std::count(s.begin(), s.end(), Side::inside),
               outside = std::count(s.begin(), s.end(), Side::outside);
    const double whole = 1.0 / 12;
    // With linear values -1, 0 and 1 at the corners the part below 0, cut at the midpoints of the edges.
    const double share[5][5] = {
        {0, 0, 0, 0, 0}, {1, 0.5, 0.25, 0.125, 0}, {1, 0.75, 0.5, 0, 0}, {1, 0.875, 0, 0, 0}, {1, 0, 0, 0, 0}};
    EXPECT_NEAR(volume, share[inside][outside] * whole, 1e-15) << inside << ' ' << outside;
  });
}

// Triangles of the stencil in the face opposite to corner `c`.
std::set<std::set<int>> triangles_in_face(const Stencil& parts, int c) {
  std::set<std::set<int>> triangles;
  const auto in_face = [c](int v) { return v < 4 ? v != c : tet_edges[v - 4][0] != c && tet_edges[v - 4][1] != c; };
  for (int n = 0; n < parts.count; ++n)
    for (const auto& face : kTetFaces) {
      const auto& v = parts.tets[n];
      if (in_face(v[face[0]]) && in_face(v[face[1]]) && in_face(v[face[2]]))
        triangles.insert({v[face[0]], v[face[1]], v[face[2]]});
    }
  return triangles;
}

// A stencil's triangles in a face depend only on the sides of the face's corners, so the tet behind has the same: which
// edges are even does not depend on the tet. (Closed boundaries of noise test that too.)
TEST(Stencil, AgreesAcrossFaces) {
  for (int c = 0; c < 4; ++c) {
    std::map<std::array<Side, 3>, std::set<std::set<int>>> seen[2];
    for_each_stencil([&](int parity, const std::array<Side, 4>& s, const Stencil& parts) {
      std::array<Side, 3> face{};
      for (int k = 0, n = 0; k < 4; ++k)
        if (k != c) face[n++] = s[k];
      const auto triangles = triangles_in_face(parts, c);
      const bool touched = std::find(face.begin(), face.end(), Side::inside) != face.end();
      if (!touched) return;  // on the surface or absent: depends on which tet is inside
      const auto [found, is_new] = seen[parity].try_emplace(face, triangles);
      if (!is_new) {
        EXPECT_EQ(found->second, triangles);
      }
    });
  }
}

// The possible places of a moved point: along any edge whose other end was on the other side. Corners are consistent if
// no inside point moves towards one that has moved too (those outside move first), and no common neighbour has two
// sides.
class Moves {
 public:
  struct Move {
    int before;  // 0 inside, 1 outside
    int direction;
  };
  explicit Moves(const std::array<Side, 4>& sides) : sides_(sides) {
    for (int c = 0; c < 4; ++c)
      if (sides[c] == Side::surface) moved_.push_back(c);
    choose();
  }
  // Every consistent combination: a move for each corner on the surface.
  const std::vector<std::array<Move, 4>>& all() const { return all_; }

 private:
  static std::array<int, 3> twice(Vec3d p) {
    return {static_cast<int>(std::lround(2 * p.x)), static_cast<int>(std::lround(2 * p.y)),
            static_cast<int>(std::lround(2 * p.z))};
  }
  static std::array<int, 3> end(int c, int direction) {
    const auto a = twice(kTet[0][c]), b = direction_step(direction);
    return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
  }
  void choose() {
    const size_t count = moved_.size();
    size_t choices = 1;
    for (size_t k = 0; k < count; ++k) choices *= 28;
    for (size_t choice = 0; choice < choices; ++choice) {
      std::array<Move, 4> moves{};
      size_t left = choice;
      for (const int c : moved_) {
        moves[c] = {static_cast<int>(left % 2), static_cast<int>(left / 2 % 14)};
        left /= 28;
      }
      if (consistent(moves)) all_.push_back(moves);
    }
  }
  bool consistent(const std::array<Move, 4>& moves) const {
    std::map<std::array<int, 3>, int> before;
    for (int c = 0; c < 4; ++c)
      before[twice(kTet[0][c])] = sides_[c] == Side::surface ? moves[c].before : sides_[c] == Side::inside ? 0 : 1;
    for (const int c : moved_) {
      const auto to = end(c, moves[c].direction);
      const auto [found, is_new] = before.try_emplace(to, 1 - moves[c].before);
      if (found->second == moves[c].before) return false;
      if (moves[c].before == 0)
        for (const int other : moved_)
          if (twice(kTet[0][other]) == to) return false;
    }
    return true;
  }
  std::array<Side, 4> sides_;
  std::vector<int> moved_;
  std::vector<std::array<Move, 4>> all_;
};

// All stencils, all moves of their corners, as far as the thresholds allow and half as far, and cut points at both ends
// and in the middle of their range. The extremes are at the limits of both, so a finer search finds the same; the
// bounds are the paper's, 10.7 and 164.8 degrees.
TEST(Stencil, BoundsAllAngles) {
  const WarpThresholds thresholds;
  double least = 180, most = 0;
  for_each_stencil([&](int parity, const std::array<Side, 4>& sides, const Stencil& parts) {
    if (parity != 0 || parts.count == 0) return;  // the other parity is a mirror image
    const Moves moves(sides);
    for (int n = 0; n < parts.count; ++n) {
      const auto& v = parts.tets[n];
      // Steps of each vertex of the tet: 0 .. steps - 1.
      const auto steps = [&](int vertex) { return vertex >= 4 || sides[vertex] == Side::surface ? 3 : 1; };
      for (const auto& move : moves.all()) {
        const auto at = [&](int vertex, int step) {
          if (vertex < 4) {
            if (sides[vertex] != Side::surface) return kTet[0][vertex];
            const int d = move[vertex].direction;
            const auto s = direction_step(d);
            const double far = 0.25 * step * (d < long_directions ? thresholds.along_long : thresholds.along_short);
            return kTet[0][vertex] + far * Vec3d{1.0 * s[0], 1.0 * s[1], 1.0 * s[2]};
          }
          const auto [a, b] = tet_edges[vertex - 4];
          const double low = (a < 2) == (b < 2) ? thresholds.along_long : thresholds.along_short;
          return place(0, vertex, low + 0.5 * step * (1 - 2 * low));
        };
        for (int s0 = 0; s0 < steps(v[0]); ++s0)
          for (int s1 = 0; s1 < steps(v[1]); ++s1)
            for (int s2 = 0; s2 < steps(v[2]); ++s2)
              for (int s3 = 0; s3 < steps(v[3]); ++s3) {
                const TetShape shape = tet_shape(at(v[0], s0), at(v[1], s1), at(v[2], s2), at(v[3], s3));
                ASSERT_GT(shape.volume, 0);
                least = std::min(least, shape.smallest_angle);
                most = std::max(most, shape.largest_angle);
              }
      }
    }
  });
  EXPECT_GT(least, 10.78);
  EXPECT_LT(most, 164.74);
  EXPECT_NEAR(least, 10.78, 0.01);
  EXPECT_NEAR(most, 164.74, 0.01);
}

}  // namespace
}  // namespace sinew
