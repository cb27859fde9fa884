// Link strips: the tets at a vertex as one walk around it.
//
// The faces opposite a vertex form its link, a triangulated surface. Written as a generalised triangle strip, nearly
// every face needs one new neighbour instead of three: n faces in one walk take n + 2 entries. Each entry moves the
// window of the last three neighbours, (p, q, r) -> (q, r, new), or with `keep` (p, r, new); an entry whose window is a
// face of the link closes that face's tet. From a face the window can leave by both edges that it did not come by, so
// any path from face to face over common edges is a strip.
//
// A path through all faces is found by L. Posa's rotations (Hamiltonian circuits in random graphs, 1976): where a path
// ends at a face whose neighbours it has all been to, it is turned around behind one of these, and ends elsewhere.
// Closed links nearly always have such a path; what is left over becomes a path of its own, for one or two entries
// more.
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

// A strip through all faces, each exactly once. Faces may form any surface, also several or non-manifold ones; their
// corners differ and lie in [0, vertex_count). Linear in faces and vertices, but for the rotations.
// Not for use by two threads at once; keeps its scratch memory.
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

  std::vector<int32_t> neighbour_;      // of face f across the edge opposite its corner k: [3 f + k], or no face
  std::vector<int32_t> ways_;           // of each face, its neighbours that are on no path; much more if it is on one
  std::vector<uint16_t> edge_between_;  // of two vertices, from the one to the other; of earlier links where none is
  std::vector<uint16_t> ends_;          // of each edge, as the table counts them
  std::vector<std::array<int32_t, 3>> edges_;  // lesser end, greater end, edge
  std::vector<int32_t> path_;
  std::vector<int32_t> place_;  // of each face in the path; or one of the marks in link_strip.cpp
  int32_t unused_ = 0;          // faces on no path
  uint32_t random_ = 0;
  std::vector<StripEntry> entries_;
};

}  // namespace sinew
