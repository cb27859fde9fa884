// Whether surfaces cross or touch themselves or each other, decided exactly: no tolerance, no rounding. The checker of
// a run, or of any mesh.
//
//   auto report = sinew::check_intersections("out/pile");
//   if (report && report->meeting_frames() == 0) std::puts("no intersection in any frame");
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sinew/progress.h"
#include "sinew/result.h"

namespace sinew {

struct IntersectionOptions {
  std::filesystem::path list = {};  // a CSV file for all pairs; empty: none
  int threads = 0;                  // 0: one per core
  const std::atomic<bool>* interrupt = nullptr;
};

// Pairs of triangles that meet, of two objects, of one, or of an object and a collider; of a collider's planes, those
// of a plane and a triangle that is not wholly above it.
struct MeetingObjects {
  int32_t a = 0, b = 0;  // by index in IntersectionReport::objects, a <= b
  int64_t pairs = 0;
  // The nodes of a background grid keep them apart, not their surfaces: these may overlap by a share of a cell.
  bool by_grid = false;
};

struct CheckedFrame {
  int64_t number = 0;                   // of the simulated frame; 0 for a mesh file
  double time = 0;                      // [s]
  int64_t pairs = 0;                    // that meet
  int64_t triangles = 0;                // those in any of these pairs
  std::vector<MeetingObjects> objects;  // by a, then by b
  int64_t done = 0, count = 0;          // frames checked so far, this one included, and in all
};

struct IntersectionObserver {
  Listener<CheckedFrame> on_frame = {};
};

struct IntersectionReport {
  bool of_run = false;               // or else of a mesh file
  std::vector<std::string> objects;  // their names, then those of colliders; of a mesh file its own
  int32_t colliders = 0;             // the last of these
  int64_t triangles = 0;             // of all surfaces, without colliders
  std::vector<CheckedFrame> frames;  // in order; of a mesh file, one
  std::vector<std::string> warnings;
  bool interrupted = false;  // before all frames were checked

  int64_t meeting_frames() const;  // those with a pair
  int64_t grid_frames() const;     // those whose pairs are all kept apart by a grid (MeetingObjects::by_grid)
};

// Checks all frames of a run in its output folder, or one mesh file: the boundary of tets, or triangles. Triangles that
// touch meet, though not where they share a vertex or an edge; neighbours that lie on each other do. Frames have the
// solver's own numbers. Coordinates within 1e-90 m of 0 count as 0. Colliders are where they are at each frame, and are
// not checked by themselves; below a plane is a vertex with normal . (x - point) < 0, of these numbers as stored.
// What the scene lets pass through each other is told of in a warning where it meets, and counts in no frame. The list
// has a row for each pair: frame, time [s], object and triangle of both (by number in the object's surface, as in its
// OBJ file; of planes by number), and a point between them [m], of planes the lowest corner.
// Errors: neither a run nor a mesh, no surface, a damaged frame, coordinates that are not finite or beyond 1e90 m; the
// list cannot be written.
Result<IntersectionReport> check_intersections(const std::filesystem::path& run_or_mesh,
                                               const IntersectionOptions& options = {},
                                               const IntersectionObserver& observer = {});

}  // namespace sinew
