#include "contact/find_contacts.h"

#include <algorithm>
#include <optional>

#include "contact/contact_finder.h"

namespace sinew {

namespace contact_finding {

void Finder::begin(const ContactQuery& query, std::vector<Contact>* contacts) {
  q_ = &query;
  surface_ = query.surface;
  contacts_ = contacts;
  kernels_ = cull_kernels_with_lanes(0);
  cull_ = cull_input(query, 0);
  faces_at_.resize(std::max(faces_at_.size(), surface_->edges.size()));
  tallies_.resize(std::max(tallies_.size(), surface_->rest.size()));
  if (contacts == &found) found.clear();
  inside.clear();
  counts = {0, 0, infinite, 0};
}

void Finder::finish(Contact& contact, const ContactRule& rule, double r, double a, double b) {
  ContactNumbers<double>& n = contact.numbers;
  if (contact.slots[0] < 0 && contact.slots[1] < 0 && contact.slots[2] < 0 && contact.slots[3] < 0) return;
  const double harmonic = 2 / (1 / a + 1 / b);
  n.law.radius = r;
  n.law.stiffness = rule.stiffness > 0 ? rule.stiffness : harmonic;
  n.law.floor = rule.law == ContactLaw::penalty ? r / 2 : floor_of(rule) * r;
  n.friction = rule.friction;
  n.creep = rule.friction_speed * q_->clock;
  n.hold = rule.form == FrictionForm::stick ? n.law.stiffness : 0;
  counts.touching += n.distance < r ? 1 : 0;
  counts.penetrating += n.distance < 0 ? 1 : 0;
  counts.smallest_gap = std::min(counts.smallest_gap, n.distance);
  counts.deepest = std::max(counts.deepest, -n.distance);
  contacts_->push_back(contact);
}

}  // namespace contact_finding

namespace {

// Candidates that one thread takes at a time.
constexpr int64_t find_chunk = 1024;

// What a thread has found in a chunk.
struct FoundChunk {
  int thread;
  int64_t first, last;
};

}  // namespace

struct FindScratch::Buffers {
  std::vector<contact_finding::Finder> finders;
  std::vector<FoundChunk> chunks;
  std::vector<contact_finding::Inside> inside;
  std::vector<uint8_t> is_inside;

  // Runs find(finder, first, last) over [0, count) in chunks. The contacts are in the order of the chunks, behind those
  // there are.
  template <class Find>
  void in_chunks(ThreadPool& pool, int64_t count, std::vector<Contact>& contacts, const Find& find) {
    const int64_t chunk_count = (count + find_chunk - 1) / find_chunk;
    chunks.resize(static_cast<size_t>(chunk_count));
    pool.parallel_for(chunk_count, 1, [&](int thread, int64_t first, int64_t last) {
      contact_finding::Finder& finder = finders[static_cast<size_t>(thread)];
      for (int64_t k = first; k < last; ++k) {
        FoundChunk& chunk = chunks[static_cast<size_t>(k)];
        chunk.thread = thread;
        chunk.first = finder.found_count();
        find(finder, k * find_chunk, std::min(count, (k + 1) * find_chunk));
        chunk.last = finder.found_count();
      }
    });
    if (pool.size() == 1) return;
    for (const FoundChunk& chunk : chunks) {
      const auto from = finders[static_cast<size_t>(chunk.thread)].found.begin();
      contacts.insert(contacts.end(), from + chunk.first, from + chunk.last);
    }
  }
};

CullInput cull_input(const ContactQuery& query, double slack) {
  const ContactSurface& surface = *query.surface;
  double reach = 0, depth = 0;
  bool may_cross = false;
  for (const ContactRule& rule : surface.rules) {
    if (!rule.touches) continue;
    reach = std::max(reach, query.reach * contact_finding::radius_of(rule));
    if (rule.apart) continue;
    depth = std::max(depth, contact_finding::sure_depth_of(query, rule));
    may_cross = true;
  }
  CullInput input;
  input.slots = query.x.slots.data();
  input.colliders = query.x.colliders.data();
  input.slot_count = static_cast<int32_t>(query.x.slots.size());
  input.triangles = surface.triangles.data();
  input.edges = surface.edges.data();
  input.sharpness = surface.sharpness.data();
  input.body_of = surface.body_of.data();
  input.rest = surface.rest.data();
  input.motion = may_cross && !query.motion.empty() ? query.motion.data() : nullptr;
  input.reach = reach + 2 * slack;
  input.depth = depth + 2 * slack;
  input.own_share = contact_finding::own_inside_share;
  input.own_slack = 2 * slack;
  input.points_move = slack > 0;
  return input;
}

FindScratch::FindScratch() : buffers(std::make_unique<Buffers>()) {}
FindScratch::FindScratch(FindScratch&&) noexcept = default;
FindScratch& FindScratch::operator=(FindScratch&&) noexcept = default;
FindScratch::~FindScratch() = default;

void find_contacts(const ContactQuery& query, ThreadPool& pool, std::vector<Contact>& contacts, ContactCounts* counts,
                   FindScratch* scratch) {
  std::optional<FindScratch> own;
  FindScratch::Buffers& buffers = scratch ? *scratch->buffers : *own.emplace().buffers;
  contacts.clear();
  buffers.finders.resize(static_cast<size_t>(pool.size()));
  for (contact_finding::Finder& finder : buffers.finders)
    finder.begin(query, pool.size() == 1 ? &contacts : &finder.found);

  const std::span<const CandidatePairs::VertexTriangle> pairs = query.pairs->vertex_triangle;
  const auto pair_count = static_cast<int64_t>(pairs.size());
  buffers.in_chunks(pool, pair_count, contacts, [&](contact_finding::Finder& finder, int64_t first, int64_t last) {
    // Pairs of one vertex are together: they belong to the chunk in which they begin.
    const auto starts = [&](int64_t k) {
      return k == 0 || pairs[static_cast<size_t>(k)].vertex != pairs[static_cast<size_t>(k - 1)].vertex;
    };
    while (first < last && !starts(first)) ++first;
    if (first == last) return;
    while (last < pair_count && !starts(last)) ++last;
    finder.add_vertices(pairs.subspan(static_cast<size_t>(first), static_cast<size_t>(last - first)));
  });
  buffers.in_chunks(pool, static_cast<int64_t>(query.vertex_planes.size()), contacts,
                    [&](contact_finding::Finder& finder, int64_t first, int64_t last) {
                      for (int64_t k = first; k < last; ++k)
                        finder.add_plane(query.vertex_planes[static_cast<size_t>(k)]);
                    });

  std::vector<contact_finding::Inside>& inside = buffers.inside;
  inside.clear();
  for (const contact_finding::Finder& finder : buffers.finders)
    inside.insert(inside.end(), finder.inside.begin(), finder.inside.end());
  std::sort(inside.begin(), inside.end());
  buffers.is_inside.resize(query.surface->rest.size(), 0);
  for (const contact_finding::Inside& i : inside) buffers.is_inside[static_cast<size_t>(i.vertex)] = 1;
  const std::span<const CandidatePairs::EdgeEdge> edge_pairs = query.pairs->edge_edge;
  buffers.in_chunks(pool, static_cast<int64_t>(edge_pairs.size()), contacts,
                    [&](contact_finding::Finder& finder, int64_t first, int64_t last) {
                      finder.add_edges(
                          edge_pairs.subspan(static_cast<size_t>(first), static_cast<size_t>(last - first)), inside,
                          buffers.is_inside);
                    });
  for (const contact_finding::Inside& i : inside) buffers.is_inside[static_cast<size_t>(i.vertex)] = 0;

  if (!counts) return;
  *counts = {0, 0, contact_finding::infinite, 0};
  for (const contact_finding::Finder& finder : buffers.finders) {
    counts->touching += finder.counts.touching;
    counts->penetrating += finder.counts.penetrating;
    counts->smallest_gap = std::min(counts->smallest_gap, finder.counts.smallest_gap);
    counts->deepest = std::max(counts->deepest, finder.counts.deepest);
  }
}

}  // namespace sinew
