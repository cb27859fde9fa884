#include "model/link_strip.h"

#include <algorithm>

namespace sinew {
namespace {

// Starts that are tried before the shortest strip so far is taken.
constexpr int32_t most_starts = 3;

int corner_of(const LinkFace& face, int32_t vertex) {
  for (int k = 0; k < 3; ++k) {
    if (face[k] == vertex) return k;
  }
  return -1;
}

}  // namespace

// Pairs faces over their common edges; an edge of more than two faces joins any two of them.
void LinkStripper::find_neighbours(std::span<const LinkFace> faces) {
  neighbour_.assign(faces.size(), {-1, -1, -1});
  for (size_t f = 0; f < faces.size(); ++f) {
    for (int k = 0; k < 3; ++k) {
      if (neighbour_[f][k] >= 0) continue;
      const int32_t a = faces[f][(k + 1) % 3], b = faces[f][(k + 2) % 3];
      for (size_t g = f + 1; g < faces.size(); ++g) {
        const int ca = corner_of(faces[g], a), cb = corner_of(faces[g], b);
        if (ca < 0 || cb < 0 || neighbour_[g][3 - ca - cb] >= 0) continue;
        neighbour_[f][k] = static_cast<int32_t>(g);
        neighbour_[g][3 - ca - cb] = static_cast<int32_t>(f);
        break;
      }
    }
  }
}

int LinkStripper::free_neighbours(int32_t face) const {
  int count = 0;
  for (const int32_t n : neighbour_[face]) count += n >= 0 && !used_[n];
  return count;
}

// The unused face on the other side of edge (a, b) of `face`, or -1.
int32_t LinkStripper::across(std::span<const LinkFace> faces, int32_t face, int32_t a, int32_t b) const {
  const int k = 3 - corner_of(faces[face], a) - corner_of(faces[face], b);
  const int32_t n = neighbour_[face][k];
  return n >= 0 && !used_[n] ? n : -1;
}

// Three entries that fill the window with a face.
void LinkStripper::enter(const LinkFace& face, int32_t index, int rotation) {
  for (int k = 0; k < 3; ++k) {
    std::array<int32_t, 3> window{-1, -1, -1};
    if (!entries_.empty()) window = entries_.back().window;
    const int32_t v = face[(rotation + k) % 3];
    entries_.push_back({v, false, k == 2 ? index : -1, {window[1], window[2], v}});
  }
  used_[index] = 1;
}

void LinkStripper::walk(std::span<const LinkFace> faces, int32_t start, int rotation) {
  entries_.clear();
  used_.assign(faces.size(), 0);
  size_t left = faces.size();
  int32_t current = start;
  for (bool first = true; left > 0; first = false) {
    if (!first) {
      // Stuck: go on at the face with the fewest ways in, before it becomes an island.
      int fewest = 4;
      for (size_t f = 0; f < faces.size(); ++f) {
        if (used_[f]) continue;
        const int n = free_neighbours(static_cast<int32_t>(f));
        if (n < fewest) {
          fewest = n;
          current = static_cast<int32_t>(f);
        }
      }
      rotation = 0;
      // Leave by one of the edges at the last corner: rotate until one of them leads on.
      for (int k = 0; k < 3; ++k) {
        const LinkFace& f = faces[current];
        const int32_t a = f[k], b = f[(k + 1) % 3], c = f[(k + 2) % 3];
        if (across(faces, current, b, c) >= 0 || across(faces, current, a, c) >= 0) {
          rotation = k;
          break;
        }
      }
    }
    enter(faces[current], current, rotation);
    --left;
    // From window (p, q, r) on over edge (q, r), or with `keep` over (p, r); to the face with fewer ways on.
    for (;;) {
      const auto [p, q, r] = entries_.back().window;
      const int32_t over_qr = across(faces, current, q, r), over_pr = across(faces, current, p, r);
      if (over_qr < 0 && over_pr < 0) break;
      const bool keep = over_qr < 0 || (over_pr >= 0 && free_neighbours(over_pr) < free_neighbours(over_qr));
      current = keep ? over_pr : over_qr;
      const int32_t from = keep ? p : q;
      const LinkFace& f = faces[current];
      const int32_t v = f[3 - corner_of(f, from) - corner_of(f, r)];
      entries_.push_back({v, keep, current, {from, r, v}});
      used_[current] = 1;
      --left;
    }
  }
}

const std::vector<StripEntry>& LinkStripper::strip(std::span<const LinkFace> faces) {
  best_.clear();
  if (faces.empty()) return best_;
  find_neighbours(faces);
  // n faces need n + 2 entries at least.
  const auto starts = std::min<int32_t>(most_starts, static_cast<int32_t>(faces.size()));
  for (int32_t s = 0; s < starts; ++s) {
    for (int rotation = 0; rotation < 3; ++rotation) {
      walk(faces, s, rotation);
      if (best_.empty() || entries_.size() < best_.size()) best_.swap(entries_);
      if (best_.size() == faces.size() + 2) return best_;
    }
  }
  return best_;
}

}  // namespace sinew
