#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/format.h"
#include "base/nearest.h"
#include "drive/touch_rules.h"
#include "drive/watching.h"
#include "exec/thread_pool.h"
#include "files/atomic_file.h"
#include "files/mesh_file.h"
#include "io/csv.h"
#include "mesh/crossing_triangles.h"
#include "mesh/exact_sign.h"
#include "mesh/middles.h"
#include "mesh/topology.h"
#include "record/run_reader.h"
#include "sinew/intersections.h"
#include "sinew/scene_file.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

// [m] What products of three coordinates leave in the range of doubles (mesh/exact_sign.h).
constexpr double largest = 1e90, smallest = 1e-90;

// The triangles of all objects, object by object, then those of colliders. Corners are points of a frame; behind them
// are those of colliders.
struct Surfaces {
  std::vector<std::string> names;
  std::vector<int64_t> first;  // triangle of each object and collider, and their number at the end
  std::vector<Triangle> triangles;
  size_t objects = 0;             // the first of the names; the others are those of colliders
  int64_t body_triangles = 0;     // of objects
  std::optional<TouchRules> may;  // none: all may touch

  int32_t object_of(int32_t triangle) const {
    const auto behind = std::upper_bound(first.begin(), first.end(), int64_t{triangle});
    return static_cast<int32_t>(behind - first.begin()) - 1;
  }
  bool by_grid(int32_t a, int32_t b) const {
    return may && may->by_grid(static_cast<size_t>(a), static_cast<size_t>(b));
  }
  bool touch(int32_t a, int32_t b) const { return !may || may->touch(static_cast<size_t>(a), static_cast<size_t>(b)); }
};

// A plane of a collider.
struct CheckedPlane {
  int32_t collider = 0, number = 0;  // among all names; among its collider's planes
  Vec3d normal, point;
};

struct Meeting {
  int32_t a = 0, b = 0;                    // objects or colliders
  int64_t triangle_a = 0, triangle_b = 0;  // within a and b; of a collider of planes the plane
  Vec3d place{};                           // [m]
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
    surfaces.objects = surfaces.names.size();
    surfaces.body_triangles = static_cast<int64_t>(surfaces.triangles.size());
    if (Status s = add_colliders(*run, surfaces); !s) return s;
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
      std::vector<Vec3d>& points = frame->positions;
      std::vector<CheckedPlane> planes;
      for (size_t c = 0; c < run->colliders().size(); ++c) {
        const RecordedCollider& collider = run->colliders()[c];
        const std::span<const Vec3d> corners = points_of(collider, *frame);
        points.insert(points.end(), corners.begin(), corners.end());
        for (const RecordedPlane& plane : planes_of(collider, *frame)) {
          const auto number = static_cast<int32_t>(&plane - planes_of(collider, *frame).data());
          planes.push_back({static_cast<int32_t>(surfaces_.objects + c), number, plane.normal, plane.point});
        }
      }
      if (Status s = check_frame(points, std::move(planes), checked); !s) return s;
    }
    if (const int64_t written = run->summary().progress.frames_written, left = static_cast<int64_t>(run->frame_count());
        left < written)
      report_.warnings.push_back(format("%lld of the %lld frames that the run has written are missing, and not checked",
                                        static_cast<long long>(written - left), static_cast<long long>(written)));
    tell_of_passing();
    return {};
  }

  Status add_colliders(const RunReader& run, Surfaces& surfaces) {
    const std::string file = OutputPaths(path_).run_file().string();
    const Result<Scene> scene = parse_scene(run.summary().scene_json, file, path_.string());
    if (!scene) return scene.error();
    if (run.colliders().empty() && !scene->colliders.empty())
      report_.warnings.push_back(
          "surface/colliders.bin is missing: colliders are not looked at; to have them run again with --overwrite");
    auto first = static_cast<int32_t>(run.point_count());
    for (const RecordedCollider& collider : run.colliders()) {
      surfaces.names.push_back(collider.name);
      surfaces.first.push_back(static_cast<int64_t>(surfaces.triangles.size()));
      for (const Triangle& t : collider.triangles)
        surfaces.triangles.push_back({first + t[0], first + t[1], first + t[2]});
      first += static_cast<int32_t>(collider.rest.size());
    }
    report_.colliders = static_cast<int32_t>(run.colliders().size());
    surfaces.may.emplace(*scene);
    return {};
  }

  // What the scene lets pass through each other is no fault, but should be seen.
  void tell_of_passing() {
    for (const auto& [which, frames] : passing_) {
      const std::string& a = surfaces_.names[static_cast<size_t>(which.first)];
      const std::string& b = surfaces_.names[static_cast<size_t>(which.second)];
      report_.warnings.push_back(joined({a, which.first == which.second ? " meets itself" : " and ",
                                         which.first == which.second ? "" : b + " meet",
                                         format(" in %lld frame%s, which does not count: the scene says that they do "
                                                "not touch",
                                                static_cast<long long>(frames), frames == 1 ? "" : "s")}));
    }
  }

  Status check_mesh() {
    Surfaces surfaces;
    surfaces.names = {path_.filename().string()};
    surfaces.first = {0};
    std::vector<Vec3d> vertices;
    Result<AnyMesh> mesh = read_any_mesh(path_, pool_, nullptr, &report_.warnings, TetEdges::as_in_file);
    if (!mesh) return mesh.error();
    if (mesh->tets) {
      Boundary boundary = extract_boundary(*mesh->tets, pool_);
      if (!mesh->tets->middles.empty()) boundary = with_middles(boundary, *mesh->tets);
      surfaces.triangles = std::move(boundary.triangles);
      vertices = std::move(mesh->tets->vertices);
    } else {
      surfaces.triangles = std::move(mesh->surface.triangles);
      vertices = std::move(mesh->surface.vertices);
    }
    surfaces.objects = 1;
    surfaces.body_triangles = static_cast<int64_t>(surfaces.triangles.size());
    if (Status s = begin(std::move(surfaces)); !s) return s;
    CheckedFrame checked;
    checked.count = 1;
    return check_frame(vertices, {}, checked);
  }

  Status begin(Surfaces surfaces) {
    if (surfaces.body_triangles == 0)
      return Error{path_.string(), "has no surface: there is nothing to check", "springs and points have no triangles"};
    surfaces_ = std::move(surfaces);
    surfaces_.first.push_back(static_cast<int64_t>(surfaces_.triangles.size()));
    report_.objects = surfaces_.names;
    report_.triangles = surfaces_.body_triangles;
    return {};
  }

  // A number whose products of three are in the range of doubles.
  Status make_exact(Vec3d& at, const std::string& what) const {
    for (double* const c : {&at.x, &at.y, &at.z}) {
      if (!(std::abs(*c) <= largest))
        return Error{path_.string(),
                     joined({what, format(" has the coordinate %g: signs are exact up to %g m", *c, largest)}),
                     "the file is damaged, or in other units"};
      if (std::abs(*c) < smallest) *c = 0;
    }
    return {};
  }

  // Not told of where it was ended half-way.
  Status check_frame(std::span<Vec3d> positions, std::vector<CheckedPlane> planes, CheckedFrame checked) {
    for (size_t k = 0; k < positions.size(); ++k)
      if (Status s = make_exact(positions[k], format("point %zu", k)); !s) return s;
    for (CheckedPlane& plane : planes) {
      for (Vec3d* const numbers : {&plane.point, &plane.normal})
        if (Status s = make_exact(*numbers, "a plane"); !s) return s;
    }
    std::set<int32_t> involved;
    std::vector<Meeting> meetings = meeting_surfaces(positions, involved);
    add_below(positions, planes, meetings, involved);
    if (watching_.stopped()) return {};
    checked.pairs = static_cast<int64_t>(meetings.size());
    std::map<std::pair<int32_t, int32_t>, int64_t> objects;
    for (const Meeting& meeting : meetings) ++objects[{meeting.a, meeting.b}];
    checked.triangles = static_cast<int64_t>(involved.size());
    for (const auto& [which, count] : objects)
      checked.objects.push_back({which.first, which.second, count, surfaces_.by_grid(which.first, which.second)});
    checked.done = static_cast<int64_t>(report_.frames.size()) + 1;
    if (Status s = add_to_list(meetings, checked); !s) return s;
    report_.frames.push_back(checked);
    watching_.tell(observer_.on_frame, report_.frames.back());
    return {};
  }

  std::vector<Meeting> meeting_surfaces(std::span<const Vec3d> positions, std::set<int32_t>& involved) {
    std::vector<Meeting> meetings;
    std::set<std::pair<int32_t, int32_t>> passing;
    // Colliders are not checked against each other.
    std::vector<uint8_t> of_bodies(surfaces_.triangles.size(), 0);
    std::fill_n(of_bodies.begin(), surfaces_.body_triangles, uint8_t{1});
    for (const auto& [a, b] : meeting_triangles(positions, surfaces_.triangles, pool_, options_.interrupt, of_bodies)) {
      Meeting meeting{.a = surfaces_.object_of(a), .b = surfaces_.object_of(b)};
      if (!surfaces_.touch(meeting.a, meeting.b)) {
        passing.insert({meeting.a, meeting.b});
        continue;
      }
      meeting.triangle_a = a - surfaces_.first[static_cast<size_t>(meeting.a)];
      meeting.triangle_b = b - surfaces_.first[static_cast<size_t>(meeting.b)];
      involved.insert({a, b});
      for (const int32_t triangle : {a, b})
        for (const int32_t v : surfaces_.triangles[static_cast<size_t>(triangle)])
          meeting.place += (1.0 / 6) * positions[static_cast<size_t>(v)];
      meetings.push_back(meeting);
    }
    if (!watching_.stopped())
      for (const auto& which : passing) ++passing_[which];
    return meetings;
  }

  // A triangle is in what is below a plane where one of its corners is.
  void add_below(std::span<const Vec3d> positions, std::span<const CheckedPlane> planes, std::vector<Meeting>& meetings,
                 std::set<int32_t>& involved) {
    std::set<std::pair<int32_t, int32_t>> passing;
    for (const CheckedPlane& plane : planes) {
      for (size_t t = 0; t < static_cast<size_t>(surfaces_.body_triangles); ++t) {
        const Vec3d* lowest = nullptr;
        double depth = 0;
        for (const int32_t v : surfaces_.triangles[t]) {
          const Vec3d& x = positions[static_cast<size_t>(v)];
          if (side_of_plane(plane.normal, plane.point, x) >= 0) continue;
          const double of_corner = -dot(plane.normal, x - plane.point);
          if (!lowest || of_corner > depth) {
            lowest = &x;
            depth = of_corner;
          }
        }
        if (!lowest) continue;
        const auto triangle = static_cast<int32_t>(t);
        const int32_t object = surfaces_.object_of(triangle);
        if (!surfaces_.touch(object, plane.collider)) {
          passing.insert({object, plane.collider});
          continue;
        }
        involved.insert(triangle);
        meetings.push_back(
            {object, plane.collider, triangle - surfaces_.first[static_cast<size_t>(object)], plane.number, *lowest});
      }
    }
    for (const auto& which : passing) ++passing_[which];
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
  Status add_to_list(std::span<const Meeting> meetings, const CheckedFrame& checked) {
    if (!list_) return {};
    CsvWriter rows;
    for (const Meeting& meeting : meetings) {
      rows.field(checked.number);
      rows.field(checked.time);
      for (const auto& [object, triangle] :
           {std::pair(meeting.a, meeting.triangle_a), std::pair(meeting.b, meeting.triangle_b)}) {
        rows.field(std::string_view(surfaces_.names[static_cast<size_t>(object)]));
        rows.field(triangle);
      }
      for (const double c : {meeting.place.x, meeting.place.y, meeting.place.z}) rows.field(c);
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
  std::map<std::pair<int32_t, int32_t>, int64_t> passing_;  // frames in which what may not touch meets
  IntersectionReport report_;
};

}  // namespace

int64_t IntersectionReport::meeting_frames() const {
  return std::count_if(frames.begin(), frames.end(), [](const CheckedFrame& f) { return f.pairs > 0; });
}

int64_t IntersectionReport::grid_frames() const {
  return std::count_if(frames.begin(), frames.end(), [](const CheckedFrame& f) {
    return f.pairs > 0 &&
           std::all_of(f.objects.begin(), f.objects.end(), [](const MeetingObjects& o) { return o.by_grid; });
  });
}

Result<IntersectionReport> check_intersections(const fs::path& run_or_mesh, const IntersectionOptions& options,
                                               const IntersectionObserver& observer) {
  return Checker(run_or_mesh, options, observer).check();
}

}  // namespace sinew
