#include "model/link_builder.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "element/tet_frame.h"
#include "math/lane.h"

namespace sinew {

TetsAt tets_at(const Incidence& incidence, const ElasticBlock& block, int32_t slot) {
  const uint32_t* all = incidence.entries.data();
  const uint32_t* first = all + incidence.begin[slot];
  const uint32_t* last = all + incidence.begin[slot + 1];
  return {std::lower_bound(first, last, 4u * static_cast<uint32_t>(block.first_tet)),
          std::lower_bound(first, last, 4u * static_cast<uint32_t>(block.last_tet))};
}

void LinkBuilder::build(int32_t cluster, int32_t slot, LinkRow& row) {
  const std::vector<StripEntry>& strip = find_strip(slot);
  weigh();
  const std::span<const int32_t> slots = neighbours_.slots();
  local_.resize(slots.size());
  local_slot_.enter(cluster);
  for (size_t n = 0; n < slots.size(); ++n) local_[n] = local_slot_(slots[n]);
  row.entries.resize(strip.size());
  double laplacian = 0, largest = 0;
  for (size_t k = 0; k < strip.size(); ++k) {
    const StripEntry& s = strip[k];
    // A neighbour's weight is applied where the strip meets it first.
    const double weight = std::exchange(weight_[s.vertex], 0.0);
    LinkEntry entry{local_[s.vertex], k + 1 < strip.size() && strip[k + 1].keep, weight, 0, 0};
    if (s.face >= 0) {
      const LinkFace& face = faces_[s.face];
      const auto [p, q, r] = s.window;
      const auto leads = [&, p = p, q = q](int i, int j) -> int { return ((p ^ face[i]) | (q ^ face[j])) == 0; };
      const bool same_way = (leads(0, 1) | leads(1, 2) | leads(2, 0)) != 0;
      const FaceNumbers& numbers = numbers_[s.face];
      entry.c = same_way ? numbers.c : -numbers.c;
      entry.w = numbers.w;
    }
    laplacian += weight;
    largest = std::max(largest, std::abs(weight));
    row.entries[k] = entry;
  }
  row.laplacian = laplacian;
  row.largest = largest;
}

// Finds the faces opposite the vertex, with neighbours as corners, and the edges to these from the vertex.
const std::vector<StripEntry>& LinkBuilder::find_strip(int32_t slot) {
  const TetsAt share = tets_at(incidence_, block_, slot);
  const auto count = static_cast<size_t>(share.end - share.begin);
  // Prefetch those of the next vertex.
  const size_t left = incidence_.entries.data() + incidence_.entries.size() - share.end;
  for (size_t k = 0; k < std::min(count, left); ++k) __builtin_prefetch(&model_.tets[share.end[k] >> 2]);
  const Tet* const tets = model_.tets.data();
  corners_.resize(count);
  uint64_t name = count + 1;
  for (size_t f = 0; f < count; ++f) {
    const uint32_t entry = share.begin[f];
    const Tet& t = tets[entry >> 2];
    const int* c = corner_first[entry & 3];
    corners_[f] = {t[c[1]], t[c[2]], t[c[3]]};
    name = (name + (entry & 3)) * 0x9e3779b97f4a7c15;
  }
  factors_.clear();
  if (!model_.stiffness_factor.empty())
    for (size_t f = 0; f < count; ++f) factors_.push_back(model_.stiffness_factor[share.begin[f] >> 2]);

  KnownLink* const places = &known_[ways * (name >> (64 - known_bits))];
  for (KnownLink* known = places; known < places + ways; ++known) {
    if (known->name != name || known->strip.empty()) continue;
    if (!neighbours_.number_like(corners_, known->faces, known->first)) continue;
    see_from(slot);
    faces_ = known->faces;
    return known->strip;
  }
  neighbours_.number(corners_, faces_);
  see_from(slot);
  const auto neighbour_count = static_cast<int32_t>(neighbours_.slots().size());
  const std::vector<StripEntry>& strip = stripper_.strip(faces_, neighbour_count);
  const auto kept = [](const KnownLink& link) { return !link.strip.empty(); };
  KnownLink& known = *std::find_if_not(places, places + ways - 1, kept);
  if (kept(known)) return strip;  // stored links stay
  if (std::exchange(known.name, name) != name) return strip;
  known.faces = faces_;
  known.first.clear();
  for (size_t f = 0; f < count; ++f) {
    for (int k = 0; k < 3; ++k)
      if (faces_[f][k] == static_cast<int32_t>(known.first.size()))
        known.first.push_back(static_cast<int32_t>(3 * f) + k);
  }
  known.strip = strip;
  return strip;
}

void LinkBuilder::see_from(int32_t slot) {
  const std::span<const int32_t> slots = neighbours_.slots();
  const Vec3d origin = model_.rest[slot];
  edges_.resize(slots.size());
  for (size_t n = 0; n < slots.size(); ++n) edges_[n] = model_.rest[slots[n]] - origin;
}

// Computes the numbers of the faces, and the Laplacian: with p, q, r the edges to a face's corners, D = p.(q x r) and
// a, b, c the crosses q x r, r x p, p x q, the gradients are a/D, b/D, c/D and -(a+b+c)/D at the vertex, and V = D/6.
// Processes two faces at a time, in the lanes that every processor has.
void LinkBuilder::weigh() {
  using T = Lane<double, 2>;
  weight_.assign(neighbours_.slots().size(), 0.0);
  const size_t count = faces_.size();
  numbers_.resize(count + 1);
  const LinkFace* const faces = faces_.data();
  const Vec3d* const edges = edges_.data();
  double* const weights = weight_.data();
  FaceNumbers* const numbers = numbers_.data();
  const double* const factors = factors_.empty() ? nullptr : factors_.data();
  const T mu = splat<T>(material_.mu), gamma = splat<T>(material_.gamma), lambda = splat<T>(material_.lambda_hat);
  for (size_t f = 0; f < count; f += 2) {
    const size_t g = std::min(f + 1, count - 1);
    const LinkFace one = faces[f], two = faces[g];
    const auto edge = [&](int k) {
      const Vec3d &u = edges[one[k]], &v = edges[two[k]];
      return Vec3<T>{T{u.x, v.x}, T{u.y, v.y}, T{u.z, v.z}};
    };
    const Vec3<T> p = edge(0), q = edge(1), r = edge(2);
    const Vec3<T> a = cross(q, r), b = cross(r, p), c = cross(p, q), sum = a + b + c;
    const T factor = factors ? T{factors[f], factors[g]} : splat<T>(1);
    const T volume6 = dot(p, a), weight = factor / (splat<T>(6) * volume6);
    const T stiffness = mu * weight;
    const T at_p = stiffness * dot(a, sum), at_q = stiffness * dot(b, sum), at_r = stiffness * dot(c, sum);
    const T face_c = gamma * volume6, face_w = lambda * abs(weight);
    weights[one[0]] += at_p[0];
    weights[one[1]] += at_q[0];
    weights[one[2]] += at_r[0];
    numbers[f] = {face_c[0], face_w[0]};
    if (g == f) break;
    weights[two[0]] += at_p[1];
    weights[two[1]] += at_q[1];
    weights[two[2]] += at_r[1];
    numbers[g] = {face_c[1], face_w[1]};
  }
}

void split(std::span<LinkRow> parts) {
  const std::vector<LinkEntry> whole = std::move(parts[0].entries);
  const size_t again = 2 * (parts.size() - 1);  // entries that open a part
  const size_t length = std::max((whole.size() + again + parts.size() - 1) / parts.size(), size_t{3});
  uint32_t p = 0, q = 0;
  auto next = whole.begin();
  for (LinkRow& part : parts) {
    part.entries.clear();
    part.laplacian = 0;
    if (next == whole.end()) continue;
    if (next != whole.begin()) part.entries = {{p, false, 0, 0, 0}, {q, false, 0, 0, 0}};
    for (; part.entries.size() < length && next != whole.end(); ++next) {
      part.entries.push_back(*next);
      part.laplacian += next->k;
      if (!next->next_keeps) p = q;
      q = next->neighbour;
    }
  }
}

}  // namespace sinew
