#include "model/link_strip.h"

#include <algorithm>

namespace sinew {
namespace {

// Places of faces that are not on a path, and of faces on a path that is written already.
constexpr int32_t unused = -1, written = -2;
// Added to the ways to a face on a path; more than the ways to any other face.
constexpr int32_t taken = 16;
// On a path of n faces, n / 2 + this many random rotations are tried before it is left as it is.
constexpr int32_t least_turns = 8;
// The tables can hold links of at most this many vertices and faces.
constexpr int32_t most_in_table = 128, most_faces_in_table = 20000;

bool has_corner(const LinkFace& face, int32_t vertex) {
  return face[0] == vertex || face[1] == vertex || face[2] == vertex;
}

}  // namespace

// Pairs faces over their common edges, provided that all are seen from the same side, so that an edge has opposite
// directions in its two faces. Returns false otherwise.
bool LinkStripper::find_oriented_neighbours(std::span<const LinkFace> faces) {
  const auto count = static_cast<int32_t>(faces.size()), edge_count = 3 * count;
  ends_.resize(static_cast<size_t>(edge_count));
  edge_between_.resize(size_t{most_in_table} * most_in_table);
  const auto ends = [](int32_t from, int32_t to) { return static_cast<uint16_t>(from * most_in_table + to); };
  uint16_t* const edge_between = edge_between_.data();
  uint16_t* const ends_of = ends_.data();
  for (int32_t f = 0; f < count; ++f) {
    const auto [p, q, r] = faces[f];
    const uint16_t own[3] = {ends(q, r), ends(r, p), ends(p, q)};
    for (int k = 0; k < 3; ++k) {
      ends_of[3 * f + k] = own[k];
      edge_between[own[k]] = static_cast<uint16_t>(3 * f + k);
    }
  }
  bool oriented = true;
  for (int32_t edge = 0; edge < edge_count; ++edge) {
    const int32_t own = ends_of[edge], back = (own % most_in_table) * most_in_table + own / most_in_table;
    oriented &= edge_between[own] == edge;
    // Entries of earlier links in the table are recognized by their ends.
    const int32_t other = edge_between[back];
    const bool joined = (other < edge_count) && ends_of[other] == back;
    neighbour_[edge] = joined ? other / 3 : count;
  }
  return oriented;
}

// Pairs faces over their common edges; an edge of more than two faces joins any two of them.
void LinkStripper::find_neighbours(std::span<const LinkFace> faces, int32_t vertex_count) {
  const auto count = static_cast<int32_t>(faces.size());
  // The last place stands for no face; it is the neighbour across edges without one.
  neighbour_.resize(3 * faces.size());
  const bool small = vertex_count <= most_in_table && count <= most_faces_in_table;
  if (!small || !find_oriented_neighbours(faces)) pair_edges(faces);
  ways_.resize(faces.size() + 1);
  for (int32_t f = 0; f < count; ++f) {
    const int32_t* n = &neighbour_[3 * f];
    ways_[f] = (n[0] < count) + (n[1] < count) + (n[2] < count);
  }
  ways_[count] = taken + 3 * count;
}

// The same for arbitrary faces.
void LinkStripper::pair_edges(std::span<const LinkFace> faces) {
  const auto count = static_cast<int32_t>(faces.size());
  std::fill(neighbour_.begin(), neighbour_.end(), count);
  edges_.clear();
  for (int32_t f = 0; f < count; ++f) {
    const auto [p, q, r] = faces[f];
    edges_.push_back({std::min(q, r), std::max(q, r), 3 * f});
    edges_.push_back({std::min(r, p), std::max(r, p), 3 * f + 1});
    edges_.push_back({std::min(p, q), std::max(p, q), 3 * f + 2});
  }
  std::sort(edges_.begin(), edges_.end());
  for (size_t k = 1; k < edges_.size(); ++k) {
    const auto &a = edges_[k - 1], &b = edges_[k];
    if (a[0] != b[0] || a[1] != b[1]) continue;
    neighbour_[a[2]] = b[2] / 3;
    neighbour_[b[2]] = a[2] / 3;
    ++k;
  }
}

// Of the faces at the last window, or else of all, the one with the fewest ways in, before it becomes isolated.
int32_t LinkStripper::first_of_path(std::span<const LinkFace> faces) const {
  int32_t best = -1;
  int fewest = 0;
  for (int32_t f = 0; f < static_cast<int32_t>(faces.size()); ++f) {
    if (place_[f] != unused) continue;
    const bool near = !entries_.empty() && has_corner(faces[f], entries_.back().vertex);
    const int ways = ways_[f] + (near ? 0 : 4);
    if (best >= 0 && ways >= fewest) continue;
    best = f;
    fewest = ways;
  }
  return best;
}

void LinkStripper::append(int32_t face) {
  place_[face] = static_cast<int32_t>(path_.size());
  path_.push_back(face);
  --unused_;
  ways_[face] += taken;
  for (int k = 0; k < 3; ++k) --ways_[neighbour_[3 * face + k]];
}

// Extends the path to the neighbour with the fewest ways on, until there is none. Which one it is cannot be predicted,
// so the code does not branch on it.
void LinkStripper::extend() {
  for (;;) {
    const int32_t* next = &neighbour_[3 * path_.back()];
    int32_t best = next[0], fewest = ways_[best];
    for (int k = 1; k < 3; ++k) {
      const int32_t ways = ways_[next[k]];
      best = ways < fewest ? next[k] : best;
      fewest = std::min(ways, fewest);
    }
    if (fewest >= taken) return;
    append(best);
  }
}

void LinkStripper::reverse_from(size_t place) {
  std::reverse(path_.begin() + place, path_.end());
  for (size_t k = place; k < path_.size(); ++k) place_[path_[k]] = static_cast<int32_t>(k);
}

// Reverses the path behind a neighbour of its end, so that it ends where it can be extended, or at least elsewhere.
bool LinkStripper::turn(bool only_to_extend) {
  const int32_t end = path_.back(), last = place_[end];
  int32_t behind = -1;
  for (int k = 0; k < 3; ++k) {
    const int32_t n = neighbour_[3 * end + k];
    if (place_[n] < 0 || place_[n] >= last - 1) continue;
    if (only_to_extend) {
      if (ways_[path_[place_[n] + 1]] == taken) continue;
      behind = place_[n];
      break;
    }
    random_ = random_ * 1664525 + 1013904223;
    if (behind < 0 || random_ >> 31) behind = place_[n];
  }
  if (behind < 0) return false;
  reverse_from(static_cast<size_t>(behind) + 1);
  return true;
}

void LinkStripper::find_path(int32_t first) {
  path_.clear();
  append(first);
  extend();
  if (unused_ == 0) return;
  reverse_from(0);
  extend();
  const auto most = static_cast<int32_t>(path_.size()) / 2 + least_turns;
  for (int32_t turns = 0; unused_ > 0 && turns < most; ++turns) {
    // Try this end, then the other one.
    bool longer = turn(true);
    if (!longer) {
      reverse_from(0);
      longer = turn(true);
    }
    if (longer) {
      extend();
      turns = 0;
    } else if (!turn(false)) {
      reverse_from(0);
      if (!turn(false)) return;
    }
  }
}

// Whether two neighbours are paired over an edge at `corner`, and at `other` unless that is -1.
bool LinkStripper::paired_at(std::span<const LinkFace> faces, int32_t face, int32_t next, int32_t corner,
                             int32_t other) const {
  for (int k = 0; k < 3; ++k) {
    const int32_t opposite = faces[face][k];
    if (neighbour_[3 * face + k] == next && opposite != corner && opposite != other) return true;
  }
  return false;
}

// Writes the path as windows: from (p, q, r) it continues over edge (q, r), or with `keep` over (p, r).
void LinkStripper::write_path(std::span<const LinkFace> faces) {
  std::array<int32_t, 3> window{-1, -1, -1};
  if (!entries_.empty()) window = entries_.back().window;
  const auto add = [&](int32_t vertex, bool keep, int32_t face) {
    window = {keep ? window[0] : window[1], window[2], vertex};
    entries_.push_back({vertex, keep, face, window});
  };
  if (!has_corner(faces[path_[0]], window[2]) && has_corner(faces[path_.back()], window[2])) reverse_from(0);

  // The first face begins at the corner that the window has last, and ends at one that it shares with the second face.
  LinkFace first = faces[path_[0]];
  const bool joined = has_corner(first, window[2]);
  if (joined) std::swap(first[0], *std::find(first.begin(), first.end(), window[2]));
  if (path_.size() > 1 && !paired_at(faces, path_[0], path_[1], first[2], -1)) std::swap(first[1], first[2]);
  if (!joined) add(first[0], false, -1);
  add(first[1], false, -1);
  add(first[2], false, path_[0]);

  for (size_t k = 1; k < path_.size(); ++k) {
    const LinkFace& next = faces[path_[k]];
    const int32_t r = window[2];
    // The edge to the next face is (q, r) or (p, r); the path does not leave over (p, q), by which it came. If a face
    // occurs twice, both edges are its own, but perhaps only one of them leads there.
    const bool has_p = has_corner(next, window[0]), has_q = has_corner(next, window[1]);
    const bool keep = has_p && (!has_q || !paired_at(faces, path_[k - 1], path_[k], window[1], r));
    const int32_t from = keep ? window[0] : window[1];
    add(next[0] + next[1] + next[2] - from - r, keep, path_[k]);
  }
  for (const int32_t f : path_) place_[f] = written;
}

const std::vector<StripEntry>& LinkStripper::strip(std::span<const LinkFace> faces, int32_t vertex_count) {
  entries_.clear();
  find_neighbours(faces, vertex_count);
  place_.assign(faces.size(), unused);
  place_.push_back(written);  // stands for no face
  unused_ = static_cast<int32_t>(faces.size());
  random_ = 1;  // equal faces get equal strips
  while (unused_ > 0) {
    find_path(first_of_path(faces));
    write_path(faces);
  }
  return entries_;
}

}  // namespace sinew
