#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/format.h"
#include "base/nearest.h"
#include "drive/watching.h"
#include "exec/thread_pool.h"
#include "files/atomic_file.h"
#include "files/mesh_file.h"
#include "io/csv.h"
#include "mesh/crossing_triangles.h"
#include "mesh/topology.h"
#include "record/run_reader.h"
#include "sinew/intersections.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

// [m] What products of three coordinates leave in the range of doubles (mesh/exact_sign.h).
constexpr double largest = 1e90, smallest = 1e-90;

// The triangles of all objects, object by object, whose corners are points of a frame.
struct Surfaces {
  std::vector<std::string> names;
  std::vector<int64_t> first;  // triangle of each object, and their number at the end
  std::vector<Triangle> triangles;

  int32_t object_of(int32_t triangle) const {
    const auto behind = std::upper_bound(first.begin(), first.end(), int64_t{triangle});
    return static_cast<int32_t>(behind - first.begin()) - 1;
  }
};

class Checker {
 public:
  Checker(const fs::path& path, const IntersectionOptions& options, const IntersectionObserver& observer)
      : path_(path), options_(options), observer_(observer), watching_(options.interrupt), pool_(options.threads) {}

  Result<IntersectionReport> check() {
    if (Status s = begin_list(); !s) return s.error();
    std::error_code code;
    const Status checked = fs::is_directory(path_, code) ? check_run() : check_mesh();
    if (!checked) return checked.error();
    report_.interrupted = watching_.stopped();
    if (list_) {
      if (Status s = list_->commit(); !s) return s.error();
    }
    return std::move(report_);
  }

 private:
  Status check_run() {
    Result<RunReader> run = open_run(path_);
    if (!run) return run.error();
    report_.of_run = true;
    Surfaces surfaces;
    for (const RecordedSurface& surface : run->surfaces()) {
      surfaces.names.push_back(surface.name);
      surfaces.first.push_back(static_cast<int64_t>(surfaces.triangles.size()));
      for (const Triangle& t : surface.triangles)
        surfaces.triangles.push_back({surface.first + t[0], surface.first + t[1], surface.first + t[2]});
      if (surface.vertices.empty() && !surface.triangles.empty())
        report_.warnings.push_back(joined({"objects.", surface.name,
                                           ": its skin is checked, which only follows the body; the surface of its "
                                           "tets is in frames/, whose files can be checked one by one"}));
    }
    for (const std::string& name : run->foreign_frames())
      report_.warnings.push_back(name + ": is not of this run, and left out");
    if (Status s = begin(std::move(surfaces)); !s) return s;
    for (size_t k = 0; k < run->frame_count() && !watching_.stopped(); ++k) {
      Result<SurfaceFrame> frame = run->frame(k);
      if (!frame) return frame.error();
      CheckedFrame checked;
      checked.number = frame->frame;
      checked.time = frame->time;
      checked.count = static_cast<int64_t>(run->frame_count());
      if (Status s = check_frame(frame->positions, checked); !s) return s;
    }
    return {};
  }

  Status check_mesh() {
    Surfaces surfaces{{path_.filename().string()}, {0}, {}};
    std::vector<Vec3d> vertices;
    Result<AnyMesh> mesh = read_any_mesh(path_, pool_);
    if (!mesh) return mesh.error();
    if (mesh->tets) {
      surfaces.triangles = extract_boundary(*mesh->tets, pool_).triangles;
      vertices = std::move(mesh->tets->vertices);
    } else {
      surfaces.triangles = std::move(mesh->surface.triangles);
      vertices = std::move(mesh->surface.vertices);
    }
    if (Status s = begin(std::move(surfaces)); !s) return s;
    CheckedFrame checked;
    checked.count = 1;
    return check_frame(vertices, checked);
  }

  Status begin(Surfaces surfaces) {
    if (surfaces.triangles.empty())
      return Error{path_.string(), "has no surface: there is nothing to check", "springs and points have no triangles"};
    surfaces_ = std::move(surfaces);
    surfaces_.first.push_back(static_cast<int64_t>(surfaces_.triangles.size()));
    report_.objects = surfaces_.names;
    report_.triangles = static_cast<int64_t>(surfaces_.triangles.size());
    return {};
  }

  // Not told of where it was ended half-way.
  Status check_frame(std::span<Vec3d> positions, CheckedFrame checked) {
    for (size_t k = 0; k < positions.size(); ++k) {
      for (double* const c : {&positions[k].x, &positions[k].y, &positions[k].z}) {
        if (!(std::abs(*c) <= largest))
          return Error{path_.string(),
                       format("point %zu has the coordinate %g: signs are exact up to %g m", k, *c, largest),
                       "the file is damaged, or in other units"};
        if (std::abs(*c) < smallest) *c = 0;
      }
    }
    const auto pairs = meeting_triangles(positions, surfaces_.triangles, pool_, options_.interrupt);
    if (watching_.stopped()) return {};
    checked.pairs = static_cast<int64_t>(pairs.size());
    std::set<int32_t> involved;
    std::map<std::pair<int32_t, int32_t>, int64_t> objects;
    for (const auto& [a, b] : pairs) {
      involved.insert({a, b});
      ++objects[{surfaces_.object_of(a), surfaces_.object_of(b)}];
    }
    checked.triangles = static_cast<int64_t>(involved.size());
    for (const auto& [which, count] : objects) checked.objects.push_back({which.first, which.second, count});
    checked.done = static_cast<int64_t>(report_.frames.size()) + 1;
    if (Status s = add_to_list(positions, pairs, checked); !s) return s;
    report_.frames.push_back(checked);
    watching_.tell(observer_.on_frame, report_.frames.back());
    return {};
  }

  Status begin_list() {
    if (options_.list.empty()) return {};
    Result<AtomicFile> file = AtomicFile::create(options_.list);
    if (!file) return file.error();
    list_.emplace(std::move(*file));
    CsvWriter heading;
    for (const char* name :
         {"frame", "time [s]", "object a", "triangle a", "object b", "triangle b", "x [m]", "y [m]", "z [m]"})
      heading.field(std::string_view(name));
    heading.end_record();
    return list_->write(heading.text());
  }
  Status add_to_list(std::span<const Vec3d> positions, std::span<const std::pair<int32_t, int32_t>> pairs,
                     const CheckedFrame& checked) {
    if (!list_) return {};
    CsvWriter rows;
    for (const auto& [a, b] : pairs) {
      Vec3d between{};
      for (const int32_t triangle : {a, b})
        for (const int32_t v : surfaces_.triangles[static_cast<size_t>(triangle)])
          between += (1.0 / 6) * positions[static_cast<size_t>(v)];
      rows.field(checked.number);
      rows.field(checked.time);
      for (const int32_t triangle : {a, b}) {
        const auto object = static_cast<size_t>(surfaces_.object_of(triangle));
        rows.field(std::string_view(surfaces_.names[object]));
        rows.field(triangle - surfaces_.first[object]);
      }
      for (const double c : {between.x, between.y, between.z}) rows.field(c);
      rows.end_record();
    }
    return list_->write(rows.text());
  }

  const fs::path path_;
  const IntersectionOptions& options_;
  const IntersectionObserver& observer_;
  Watching watching_;
  ThreadPool pool_;
  Surfaces surfaces_;
  std::optional<AtomicFile> list_;
  IntersectionReport report_;
};

}  // namespace

int64_t IntersectionReport::meeting_frames() const {
  return std::count_if(frames.begin(), frames.end(), [](const CheckedFrame& f) { return f.pairs > 0; });
}

Result<IntersectionReport> check_intersections(const fs::path& run_or_mesh, const IntersectionOptions& options,
                                               const IntersectionObserver& observer) {
  return Checker(run_or_mesh, options, observer).check();
}

}  // namespace sinew
