// Link strips: the tets at a vertex as one walk around it.
//
// The faces opposite a vertex form its link, a triangulated surface. Written as a generalised triangle strip, nearly
// every face needs one new neighbour instead of three: 1.1 to 1.2 entries a face. Each entry moves the window of the
// last three neighbours, (p, q, r) -> (q, r, new), or with `keep` (p, r, new); an entry whose window is a face of the
// link closes that face's tet.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

using LinkFace = std::array<int32_t, 3>;

struct StripEntry {
  int32_t vertex;                 // the new neighbour
  bool keep;                      // keep p instead of q
  int32_t face = -1;              // the face that this window closes, or -1
  std::array<int32_t, 3> window;  // (p, q, r) with r = vertex; where face >= 0 a permutation of its corners
};

// A strip through all faces, each exactly once. Faces may form any surface, also several or non-manifold ones.
// Not for use by two threads at once; keeps its scratch memory.
class LinkStripper {
 public:
  const std::vector<StripEntry>& strip(std::span<const LinkFace> faces);

 private:
  void find_neighbours(std::span<const LinkFace> faces);
  void walk(std::span<const LinkFace> faces, int32_t start, int rotation);
  void enter(const LinkFace& face, int32_t index, int rotation);
  int free_neighbours(int32_t face) const;
  int32_t across(std::span<const LinkFace> faces, int32_t face, int32_t a, int32_t b) const;

  std::vector<std::array<int32_t, 3>> neighbour_;  // of face f across the edge opposite its corner k, or -1
  std::vector<uint8_t> used_;
  std::vector<StripEntry> entries_, best_;
};

}  // namespace sinew
