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
// Within a body the radius is at most .9 times the distance at rest, so that nothing pushes at rest.
#pragma once

#include <cstdint>
#include <vector>

#include "contact/candidates.h"
#include "contact/contact.h"
#include "contact/contact_surface.h"
#include "exec/thread_pool.h"

namespace sinew {

// A vertex and a plane.
struct VertexPlane {
  int32_t vertex, plane;
};

struct ContactQuery {
  const ContactSurface* surface = nullptr;
  const CandidatePairs* pairs = nullptr;  // their vertex_triangle sorted by vertex
  std::span<const VertexPlane> vertex_planes;
  std::span<const double> stiffness;  // [N/m] by slot, of the vertex alone
  PointPositions x, before;           // now, and at the start of the step
  std::span<const ContactPlane> planes, planes_before;
  double clock = 0;    // h [s]
  double floor = 0.1;  // [-] of the offset law, in radii
  // Whether surfaces may have crossed: then what lies inside a closed body is pushed out where it is nearest.
  bool crossings = true;
  // [-] in radii: contacts are found up to this distance, though those beyond one radius exert nothing yet.
  double reach = 1.25;
};

struct ContactCounts {
  int64_t touching = 0;     // contacts with d < r
  int64_t penetrating = 0;  // with d < 0
  double smallest_gap = 0;  // [m] of all found; infinite: none
  double deepest = 0;       // [m] the deepest penetration, >= 0
};

// In the order of the candidates: the same for any number of threads. Appends nothing to `counts`; overwrites it.
void find_contacts(const ContactQuery& query, ThreadPool& pool, std::vector<Contact>& contacts, ContactCounts* counts);

}  // namespace sinew
