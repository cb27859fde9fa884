// Link strips: the tets at a vertex as a walk around it.
//
// The faces opposite a vertex form its link, a triangulated surface. Written as a generalised triangle strip, nearly
// every face needs one new neighbour instead of three: n faces in one walk take n + 2 entries. Each entry moves the
// window of the last three neighbours, (p, q, r) -> (q, r, new), or with `keep` (p, r, new). If its window is a face of
// the link, the entry completes that face's tet. The window can leave a face over either of the two edges by which it
// did not come, so any path from face to face over common edges is a strip.
//
// A path through all faces is found by L. Posa's rotations (Hamiltonian circuits in random graphs, 1976): if a path
// ends at a face whose neighbours are all on it, the part behind one of these is reversed, so that the path ends
// elsewhere. Closed links nearly always have such a path; the remaining faces become a path of their own, at the cost
// of one or two entries.
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
  int32_t face = -1;              // the face that this window completes, or -1
  std::array<int32_t, 3> window;  // (p, q, r) with r = vertex; if face >= 0 a permutation of its corners
};

// A strip through all faces, each exactly once. The faces may form any surface, also several or non-manifold ones;
// their corners are distinct and in [0, vertex_count). Takes time linear in faces and vertices, except for the
// rotations. Not safe for concurrent use; keeps its scratch memory.
class LinkStripper {
 public:
  const std::vector<StripEntry>& strip(std::span<const LinkFace> faces, int32_t vertex_count);

 private:
  bool find_oriented_neighbours(std::span<const LinkFace> faces);
  void find_neighbours(std::span<const LinkFace> faces, int32_t vertex_count);
  void pair_edges(std::span<const LinkFace> faces);
  int32_t first_of_path(std::span<const LinkFace> faces) const;
  void append(int32_t face);
  void extend();
  bool turn(bool only_to_extend);
  void reverse_from(size_t place);
  void find_path(int32_t first);
  bool paired_at(std::span<const LinkFace> faces, int32_t face, int32_t next, int32_t corner, int32_t other) const;
  void write_path(std::span<const LinkFace> faces);

  std::vector<int32_t> neighbour_;  // [3 f + k]: neighbour of face f across the edge opposite its corner k, or no face
  std::vector<int32_t> ways_;  // for each face: its neighbours that are on no path; far more if it is on one itself
  std::vector<uint16_t> edge_between_;         // the edge from one vertex to another; entries of earlier links remain
  std::vector<uint16_t> ends_;                 // the place of each edge in that table
  std::vector<std::array<int32_t, 3>> edges_;  // lesser end, greater end, edge
  std::vector<int32_t> path_;
  std::vector<int32_t> place_;  // of each face in the path; or a mark of link_strip.cpp
  int32_t unused_ = 0;          // number of faces on no path
  uint32_t random_ = 0;
  std::vector<StripEntry> entries_;
};

}  // namespace sinew
