// The broad phase of contact: which vertices may come near which triangles, and which edges near which edges, while
// all points move from one position to another.
//
// One tree over all triangles. Its leaves are patches of up to 16 triangles of one body; a leaf owns the vertices and
// edges that are met in it first. A node has 16 children, whose boxes are stored in lanes. Leaves are cut by median
// splits of the body at rest and never change; what changes is how nodes enclose leaves: their boxes are fitted anew
// for each query, and the nodes are built anew once queries open many more of them than after the last building.
//
// A query visits pairs of leaves whose boxes overlap, each pair once, and tests in it vertices against triangles, both
// ways, and edges against edges. No pair is missed: a primitive's box lies in the box of its leaf, so two boxes that
// overlap have a point in common that lies in both leaves' boxes. Hence the result is determined by the positions
// alone; neither the shape of the tree, nor earlier queries, nor the number of threads or lanes change it.
//
// Boxes are in single precision, relative to the surface's middle at rest, and rounded outwards by 2.5e-7 of their
// distance from there.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contact/candidates.h"
#include "contact/contact_surface.h"
#include "contact/pair_sort.h"
#include "contact/tree_parts.h"
#include "exec/buffer.h"
#include "exec/thread_pool.h"

namespace sinew {

class SurfaceTree {
 public:
  // lanes: as in sinew/lanes.h; 0: those in use, also if there are no such here.
  explicit SurfaceTree(int lanes = 0) : lanes_(lanes) {}

  // For a surface with all that connect() fills in. Takes linear memory and n log n time.
  void build(const ContactSurface& surface, ThreadPool& pool);

  // Fills `out` with the pairs of primitives that overlap: their boxes enclose all their points at both positions, and
  // are grown by `margin` [m] on every side, so primitives that come within 2 margin are found. Left out are pairs
  // that share a point, pairs of two colliders, and pairs of bodies, or of a body with itself, whose rule says that
  // they do not touch. Points whose positions are not finite touch nothing.
  // `surface` is that of build(); its rules may have changed since.
  //
  // If `carried`, a leaf moves by the mean way of its points, and its boxes enclose these at `to`, and at `from` after
  // the leaf has moved. What moves together then finds little more of itself than at rest. Boxes of two leaves count as
  // overlapping if they do at any time of a motion in which each leaf moves at constant velocity and ends where its
  // boxes are: no pair is missed that comes near while all points move straight from `from` to `to`, nor any that is
  // near at the end within the boxes. What is found then depends on the leaves, too, but on nothing else. Points that
  // stay put, by slot, are not carried: `from` and `to` are corners of what encloses them; empty: there are none.
  void find(const ContactSurface& surface, const PointPositions& from, const PointPositions& to, double margin,
            EdgeChoice edges, ThreadPool& pool, CandidatePairs& out, bool carried = false,
            std::span<const uint8_t> stays_put = {});

  // The same as `find` with leaves that are carried, where `pairs` has what this or that has found last, and what
  // find_grown has added since: pairs between whose boxes nothing has changed are kept, and not looked for. Fills in
  // the points of pairs that have been looked for, ascending. False, with `changed` empty: too many have changed, or
  // nothing is known, and all were looked for.
  bool find_changed(const ContactSurface& surface, const PointPositions& from, const PointPositions& to, double margin,
                    EdgeChoice edges, ThreadPool& pool, CandidatePairs& pairs, std::span<const uint8_t> stays_put,
                    std::vector<int32_t>& changed);

  // Looks again, by the last query's margin and ways, where some points, ascending, have left their boxes; these must
  // be among those that stay put. Fills `out` with all pairs of the leaves that they are met in; other pairs are as
  // they were.
  void find_grown(const PointPositions& from, const PointPositions& to, std::span<const uint8_t> stays_put,
                  std::span<const int32_t> points, EdgeChoice edges, ThreadPool& pool, CandidatePairs& out);

  // The pairs of some points, ascending, that `find` would find without carrying.
  void find_of(std::span<const int32_t> points, const PointPositions& from, const PointPositions& to, double margin,
               EdgeChoice edges, ThreadPool& pool, CandidatePairs& out);

  struct Counts {
    int64_t rebuilt = 0;       // how often nodes were built anew
    int64_t nodes_opened = 0;  // by the last query, as the following
    int64_t leaf_pairs = 0;
    int64_t blocks_tested = 0;  // within pairs of leaves: tests of a box against 16
  };
  const Counts& counts() const { return counts_; }
  size_t memory_bytes() const;

 private:
  friend class SurfaceTreeBuilder;
  // What a thread finds.
  struct Found {
    std::vector<LeafPair> leaves;
    int64_t leaf_count = 0;
    struct Pairs {
      Buffer<int32_t> first, second;
      int64_t count = 0;
      PairRoom room();
      void reserve(int64_t more);
    } vertex_triangle, edge_edge;
    int64_t opened = 0, tested = 0;
  };

  void build_leaves(const ContactSurface& surface, ThreadPool& pool);
  // Of all leaves, or of those that have grown.
  void fit_points(const PointPositions& from, const PointPositions& to, const uint8_t* stays_put, ThreadPool& pool,
                  bool only_grown = false);
  void fit_leaves(EdgeChoice edges, ThreadPool& pool, bool only_grown = false);
  template <class Fit>
  void for_leaves(ThreadPool& pool, bool only_grown, const Fit& fit);
  void fit_nodes(ThreadPool& pool);
  void set_shift(const PointPositions& from, const PointPositions& to, std::span<const uint8_t> stays_put,
                 ThreadPool& pool);
  void reach_back();
  void connect_parts();
  void arrange();
  void note_bodies();
  bool update_meets(const ContactSurface& surface);
  void look_at_grown();
  void mark_grown(std::span<const int32_t> points, ThreadPool& pool);
  void mark_grown_at(const std::vector<uint8_t>& seats, ThreadPool& pool);
  void find_all(EdgeChoice edges, ThreadPool& pool, CandidatePairs& out);
  void keep_unchanged(const ContactSurface& surface, CandidatePairs& pairs) const;
  void find_overlaps(EdgeChoice edges, ThreadPool& pool, CandidatePairs& out);
  void find_leaf_pairs(ThreadPool& pool);
  void find_pairs(EdgeChoice edges, ThreadPool& pool);

  int lanes_;
  const TreeKernels* kernels_ = nullptr;
  TreeParts parts_;  // addresses of what follows
  std::vector<TreeLeaf> leaves_;
  std::vector<LeafNeighbour> neighbours_;
  std::vector<uint16_t> rows_;
  std::vector<uint8_t> meets_;
  std::vector<uint16_t> has_body_;
  std::vector<Vec3d> shift_;  // by leaf; empty: none is carried
  std::vector<Reach> behind_;
  std::vector<int32_t> point_of_, at_;
  std::vector<int32_t> seat_of_;                                          // of each point; -1: in no leaf
  std::vector<uint8_t> grown_;                                            // by leaf
  std::vector<uint16_t> grown_vertices_, grown_edges_, grown_triangles_;  // of each block
  std::vector<uint8_t> moved_;                                            // by seat
  std::vector<uint8_t> changed_;  // by seat: boxes are others than those of the last query of all leaves
  bool remembers_ = false;        // the boxes of other seats are those of that query, and carried as its were
  double margin_ = 0;             // [m] that it had
  EdgeChoice edges_ = EdgeChoice::none;
  CandidatePairs more_;
  Buffer<int32_t> edge_of_, triangle_of_, corners_, ends_;
  Buffer<Vec4<float>> point_from_, point_to_, leaf_low_, leaf_high_;
  Buffer<BoxBlock> vertex_boxes_, edge_boxes_, triangle_boxes_, nodes_;

  int32_t slot_count_ = 0;
  int64_t vertex_count_ = 0, edge_count_ = 0;  // of points and edges of the surface
  Vec3d origin_{};
  double opened_when_arranged_ = 0;  // nodes per leaf and pair; 0: unknown
  bool stale_ = false;               // the nodes are to be built anew
  std::vector<Found> found_;
  std::vector<PairSort::List> lists_;
  PairSort sort_;
  Counts counts_;
};

}  // namespace sinew
