// Those of a detection's candidates that are near: all that `find_contacts` needs while no point moves far from where
// they were gathered. A sweep moves points little, and boxes hold much that is not near.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contact/candidates.h"
#include "contact/find_contacts.h"
#include "contact/near_surface.h"
#include "exec/thread_pool.h"

namespace sinew {

class NearPairs {
 public:
  // slack [m]: how far points may move. Always of the same surface. The same pairs for any number of threads. If
  // it is known whose candidates are others since the last time, only those of points that have moved are looked at.
  void gather(const ContactQuery& query, double slack, ThreadPool& pool);
  // Candidates are others.
  void forget() { gathered_ = known_ = false; }
  // Candidates of these points are others, and only these.
  void forget(std::span<const int32_t> points);
  // Candidates are the same, though bodies may have moved otherwise. False: gather them anew.
  bool keep(const ContactQuery& query, double slack);
  bool any() const { return gathered_; }
  // Whether no point has moved by more than `share` of the slack since. x: by slot.
  bool hold(const ContactSurface& surface, PointPositions x, double share, ThreadPool& pool) const;

  const CandidatePairs& pairs() const { return pairs_; }
  std::span<const VertexPlane> vertex_planes() const { return vertex_planes_; }
  // The slots that contacts of these depend on, ascending.
  std::span<const int32_t> slots() const { return near_surface_.slots(); }
  // The contacts of these pairs; x: where slots() are. All else is of the query, whose candidates and positions by slot
  // are not looked at.
  void find(const ContactQuery& query, std::span<const Vec3d> x, ThreadPool& pool, std::vector<Contact>& contacts,
            ContactCounts* counts) {
    near_surface_.find(query, x, pool, contacts, counts);
  }
  size_t memory_bytes() const;

 private:
  struct Chunk {
    int thread = 0;
    size_t first = 0, last = 0;
  };
  template <class Pair, class Cull>
  void select(std::span<const Pair> all, ThreadPool& pool, const Cull& cull, std::vector<Pair>& selected);
  template <class Pair, class Cull, class Moved>
  void renew(std::span<const Pair> all, ThreadPool& pool, const Cull& cull, const Moved& has_moved,
             std::vector<Pair>& selected);
  bool may_renew(const ContactQuery& query, double slack) const;
  void mark_moved(const ContactQuery& query, double slack, ThreadPool& pool);

  bool gathered_ = false, known_ = false;
  double slack_ = 0;  // [m]
  CandidatePairs pairs_;
  std::vector<VertexPlane> vertex_planes_;
  std::vector<Vec3d> at_;           // of each vertex of the surface, when its pairs were gathered
  std::vector<BodyMotion> motion_;  // for which all were
  // What has moved since its pairs were gathered: by point, by triangle and by edge.
  std::vector<uint8_t> moved_, moved_triangles_, moved_edges_;
  NearSurface near_surface_;
  std::vector<std::vector<int32_t>> kept_, near_;  // by thread
  std::vector<CandidatePairs> some_;               // by thread: pairs that are looked at
  CandidatePairs earlier_;
  std::vector<Chunk> chunks_;
};

}  // namespace sinew
