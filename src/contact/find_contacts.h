// The contacts of given positions, out of candidate pairs.
//
// A vertex near a surface is counted once, whatever the tessellation: with all faces f, edges e and corners p near it,
//   E_v = sum_f phi(d(v,f)) - sum_e (m_e - 1) phi(d(v,e)) + sum_p kappa_p phi(d(v,p)),
//   m_e: faces at e;   kappa_p = 1 - faces at p + sum_{e at p} (m_e - 1),
// which is continuous and 1 phi over a plane. Terms of one closest point cancel; what survives is a contact with a
// face, an edge or a corner, of share 1, or -1 at concave edges.
//
// A pair of edges adds only what its four ends do not see already:
//   M = (sum_z phi(d_z)^4)^(1/4),  d_z: of end z from the two faces at the other edge,   u = 1 - M / phi(d),
//   share = c c' sigma(u),   sigma: 0 for u <= 0, u^2/(2 e) up to e = .3, then u - e/2, all over 1 - e/2,
// with c the sharpness of an edge (contact_surface.h). Shares are fixed between two findings.
//
// Within a body the radius is at most .9 times the distance at rest of the two points that are closest now, so that
// nothing pushes at rest.
//
// What has crossed, of pairs that are not guaranteed to stay apart, is pushed back:
//   - A vertex is inside a closed body if it lies below the closest point of it, by the mean normal there; its contact
//     is with that point. Of its own body it must have come within .02 of its distance at rest from there: what is
//     built so, or pressed thin, is not inside.
//   - An edge has crossed another if both are of closed bodies, the closest points of both lie below both faces at the
//     other edge, and no end lies inside; otherwise, if the two have passed through each other since the start of the
//     step.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "contact/body_motion.h"
#include "contact/candidates.h"
#include "contact/contact.h"
#include "contact/contact_surface.h"
#include "contact/cull.h"
#include "exec/thread_pool.h"

namespace sinew {

// A vertex and a plane.
struct VertexPlane {
  int32_t vertex, plane;

  auto operator<=>(const VertexPlane&) const = default;
};

struct ContactQuery {
  const ContactSurface* surface = nullptr;
  const CandidatePairs* pairs = nullptr;  // their vertex_triangle sorted by vertex
  std::span<const float> vertex_squares;  // of pairs->vertex_triangle, as in CullInput; may be empty
  std::span<const VertexPlane> vertex_planes;
  std::span<const double> stiffness;  // [N/m] by slot, of the vertex alone
  PointPositions x, before;           // now, and at the start of the step
  std::span<const ContactPlane> planes, planes_before;
  double clock = 0;  // h [s]
  // [-] Of the offset law, in radii: where surfaces may cross, and where they are guaranteed not to.
  double floor = 0.1, apart_floor = 0.1;
  // [-] in radii: contacts are found up to this distance, though those beyond one radius exert nothing yet.
  double reach = 1.25;
  // [m] How deep inside a body a vertex is found: at most the distance up to which no candidate is missing. 0: `reach`
  // radii; of the penalty law, as deep as candidates go.
  double depth = 0;
  // By body, since the start of the step; empty: none has moved. What is deeper than `depth` by no more than the way
  // between the two bodies counts as inside if it has come there in this step.
  std::span<const BodyMotion> motion;
};

// For a look at candidates of which none that `find_contacts` needs is dropped, while no point moves from query.x by
// more than `slack` [m].
CullInput cull_input(const ContactQuery& query, double slack);

struct ContactCounts {
  int64_t touching = 0;     // contacts with d < r
  int64_t penetrating = 0;  // with d < 0
  double smallest_gap = 0;  // [m] of all found; infinite: none
  double deepest = 0;       // [m] the deepest penetration, >= 0
};

// Buffers that are kept from one finding to the next, so that no memory is allocated once they have grown. Not for two
// findings at once.
struct FindScratch {
  FindScratch();
  ~FindScratch();
  FindScratch(FindScratch&&) noexcept;
  FindScratch& operator=(FindScratch&&) noexcept;

  struct Buffers;
  std::unique_ptr<Buffers> buffers;
};

// Contacts of vertices, of planes, then of edges, each in the order of the candidates: the same for any number of
// threads, and whatever candidates beyond the reach there are. Overwrites `contacts` and `counts`, which may be null.
// Without `scratch` it makes its own.
void find_contacts(const ContactQuery& query, ThreadPool& pool, std::vector<Contact>& contacts, ContactCounts* counts,
                   FindScratch* scratch = nullptr);

}  // namespace sinew
