// The part of a surface that near pairs depend on, in memory of its own. There, what is scattered over a large surface
// is side by side, and remains in the caches while contacts are found: a sweep goes over far more than they hold.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contact/find_contacts.h"
#include "contact/subset.h"

namespace sinew {

class NearSurface {
 public:
  // query: of the whole surface, always the same; these pairs stand for its own.
  void take(const ContactQuery& query, const CandidatePairs& pairs, std::span<const VertexPlane> vertex_planes);
  // The same pairs, of bodies that have moved otherwise.
  void follow(const ContactQuery& query);

  // Those that contacts of these pairs depend on, ascending.
  std::span<const int32_t> slots() const { return std::span(points_.items()).first(slot_count_); }

  // The contacts of these pairs; x: where slots() are. All else is of the query, whose pairs and positions by slot are
  // not looked at, and whose rules and motion are those of `take` or `follow`.
  void find(const ContactQuery& query, std::span<const Vec3d> x, ThreadPool& pool, std::vector<Contact>& contacts,
            ContactCounts* counts);

  size_t memory_bytes() const;

 private:
  void choose(const ContactSurface& whole, const CandidatePairs& pairs, std::span<const VertexPlane> vertex_planes);
  void copy(const ContactSurface& whole);
  void number(const CandidatePairs& pairs, std::span<const VertexPlane> vertex_planes);
  void name_in_whole(Contact& contact) const;

  size_t slot_count_ = 0;
  Subset points_, triangles_, edges_;
  ContactSurface surface_;  // of these
  CandidatePairs pairs_;
  std::vector<float> vertex_squares_;
  std::vector<VertexPlane> vertex_planes_;
  std::vector<Vec3d> colliders_, before_;  // the latter by point
  std::vector<double> stiffness_;          // [N/m] by slot
  FindScratch scratch_;
};

}  // namespace sinew
