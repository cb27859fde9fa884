// The contacts of a step: the candidates of the last detection, and what is found among them at given positions.
//
//   begin_step   once a step: where bodies and colliders were and where colliders are
//   detect       at the start of a step, and when an iterate has left the boxes that the candidates hold for
//   find         whenever contacts are needed: by the objective, and by solvers before a sweep
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contact/find_contacts.h"
#include "contact/surface_tree.h"

namespace sinew {

struct ContactOptions {
  bool intersection_free = false;  // the guarantee; forces grow without bound, and nothing is looked for inside
  int detect_every = 4;            // iterations between two looks whether a detection is due
};

class Contacts {
 public:
  // stiffness [N/m]: by slot, what holds a vertex in place by itself (contact_stiffness.h).
  Contacts(ContactSurface surface, std::vector<double> stiffness, const ContactOptions& options, ThreadPool& pool);

  const ContactSurface& surface() const { return surface_; }
  const ContactOptions& options() const { return options_; }

  // x_prev: by slot. Vertices and planes of colliders, at the start and the end of the step; clock: h [s].
  void begin_step(std::span<const Vec3d> x_prev, std::span<const Vec3d> colliders_before,
                  std::span<const Vec3d> colliders_now, std::span<const ContactPlane> planes_before,
                  std::span<const ContactPlane> planes_now, double clock);
  // For motions from one set of positions to the other, and a little farther. Raises the revision.
  void detect(std::span<const Vec3d> from, std::span<const Vec3d> to, ThreadPool& pool);
  // Whether the candidates are all that may touch at these positions.
  bool covers(std::span<const Vec3d> x, ThreadPool& pool) const;
  int64_t revision() const { return revision_; }

  // x: by slot. The same for any number of threads. `counts` may be null.
  void find(std::span<const Vec3d> x, ThreadPool& pool, std::vector<Contact>& contacts, ContactCounts* counts) const;

  // Whether the point has candidates: it may be touched in this step.
  bool is_near(int32_t slot) const { return !near_.empty() && near_[static_cast<size_t>(slot)] != 0; }
  int64_t candidate_count() const {
    return static_cast<int64_t>(pairs_.vertex_triangle.size() + pairs_.edge_edge.size() + vertex_planes_.size());
  }
  size_t memory_bytes() const;

 private:
  void note_near();

  ContactSurface surface_;
  std::vector<double> stiffness_;
  ContactOptions options_;
  double slack_ = 0, reach_ = 0;  // [m]

  std::vector<Vec3d> x_prev_, colliders_before_, colliders_now_;
  std::vector<ContactPlane> planes_before_, planes_now_;
  double clock_ = 0;

  std::vector<Vec3d> from_, to_;  // of the last detection, by slot
  SurfaceTree tree_;
  CandidatePairs pairs_;
  std::vector<VertexPlane> vertex_planes_;
  std::vector<uint8_t> near_;
  int64_t revision_ = 0;
};

}  // namespace sinew
