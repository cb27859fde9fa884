#include "record/recorder.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>

#include "base/format.h"
#include "base/hash.h"
#include "io/atomic_file.h"
#include "io/obj.h"
#include "io/point_cache.h"
#include "record/durable.h"
#include "record/file_error.h"
#include "record/gaps.h"
#include "record/strain.h"

namespace sinew {

namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;
double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

Vec3f to_float(Vec3d a) {
  return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
}

// The first entry that single precision cannot hold.
std::optional<size_t> first_bad(std::span<const Vec3d> values) {
  for (size_t k = 0; k < values.size(); ++k) {
    const Vec3f a = to_float(values[k]);
    if (!std::isfinite(a.x) || !std::isfinite(a.y) || !std::isfinite(a.z)) return k;
  }
  return std::nullopt;
}

const RecordedObject* object_of(std::span<const RecordedObject> objects, size_t vertex) {
  for (const RecordedObject& object : objects)
    if (static_cast<size_t>(object.first_vertex) <= vertex && vertex < static_cast<size_t>(object.last_vertex))
      return &object;
  return nullptr;
}

Error not_finite(const FrameData& data, const char* what, std::span<const RecordedObject> objects, size_t vertex,
                 Vec3d value) {
  std::string where = format("frame %lld, step %lld: vertex %zu", static_cast<long long>(data.frame),
                             static_cast<long long>(data.step), vertex);
  if (const RecordedObject* object = object_of(objects, vertex))
    where += format(" (vertex %zu of %s)", vertex - static_cast<size_t>(object->first_vertex), object->name.c_str());
  return {where, format("has the %s (%g, %g, %g)", what, value.x, value.y, value.z),
          "the frames before it are kept; use more substeps or iterations, or softer materials"};
}

Status write_rest(const OutputPaths& paths, std::span<const RecordedSurface> surfaces) {
  if (Status status = save_rest(paths.rest(), surfaces); !status) return status;
  for (const RecordedSurface& surface : surfaces)
    if (Status status = write_file_atomically(paths.surface() / (surface.file + ".obj"),
                                              encode_obj({surface.rest, surface.triangles}));
        !status)
      return status;
  return {};
}

// Frames for ParaView are not brought to the disk one by one: a loss of power may leave one empty or cut off.
bool is_whole_vtu(const fs::path& path) {
  constexpr std::string_view end = "</VTKFile>\n";
  std::ifstream stream(path, std::ios::binary);
  char bytes[end.size()];
  return stream.seekg(-static_cast<std::streamoff>(end.size()), std::ios::end) && stream.read(bytes, end.size()) &&
         std::string_view(bytes, end.size()) == end;
}

// The frames up to a checkpoint that are there.
struct Stock {
  std::vector<int64_t> frames;
  std::vector<PvdEntry> pvd;
  Gaps missing_vtu;
};
Result<Stock> take_stock(const OutputPaths& paths, const RecorderOptions& options,
                         std::span<const RecordedSurface> surfaces, const Checkpoint& checkpoint) {
  size_t points = 0;
  for (const RecordedSurface& surface : surfaces) points += surface.vertices.size();
  Stock stock;
  Gaps missing;
  for (int64_t frame = 0; frame <= checkpoint.frame; frame += options.every) {
    const Result<double> time = load_frame_time(paths.surface_frame(frame), points);
    if (!time) {
      missing.add(frame);
      continue;
    }
    stock.frames.push_back(frame);
    if (is_whole_vtu(paths.volume_frame(frame)))
      stock.pvd.push_back({*time, OutputPaths::volume_frame_name(frame)});
    else if (options.vtu != VtuFrames::none)
      stock.missing_vtu.add(frame);
  }
  if (!missing.empty())
    return Error{paths.surface().string(), "has no whole frame_NUMBER.bin of frames " + missing.text(),
                 "put them back, or start over with --overwrite"};
  if (static_cast<int64_t>(stock.frames.size()) != checkpoint.frames_written)
    return Error{paths.surface().string(),
                 format("holds %zu frames up to the checkpoint, which knows of %lld", stock.frames.size(),
                        static_cast<long long>(checkpoint.frames_written)),
                 "resume with the output.every of the run, or start over with --overwrite"};
  return stock;
}

}  // namespace

CheckpointIdentity identity_of(const RunDescription& description) {
  const TetMesh& mesh = *description.mesh;
  Hash hash;
  if (description.info.scene_hash != 0)
    hash.bytes(&description.info.scene_hash, sizeof(uint64_t));
  else
    hash.text(description.info.scene_json);
  hash.bytes(mesh.vertices.data(), mesh.vertices.size() * sizeof(Vec3d));
  hash.bytes(mesh.tets.data(), mesh.tets.size() * sizeof(Tet));
  return {description.info.version, hash.value()};
}

Recorder::Recorder(const RunDescription& description, FolderLock lock, RunFile run_file, StatsFile stats,
                   std::vector<RecordedSurface> surfaces)
    : paths_(description.folder),
      options_(description.options),
      identity_(identity_of(description)),
      mesh_(description.mesh),
      objects_(description.objects),
      pool_(description.pool),
      lock_(std::move(lock)),
      run_file_(std::move(run_file)),
      stats_(std::move(stats)),
      surfaces_(std::move(surfaces)) {
  set_up_topology();
}

Result<Recorder> Recorder::create(const RunDescription& description) {
  SINEW_ASSERT(description.mesh && description.options.every >= 1);
  const OutputPaths paths(description.folder);
  const Result<FolderContent> content = inspect_output_folder(description.folder);
  if (!content) return content.error();
  const bool holds_run = content->kind == FolderContent::Kind::run;
  if (content->being_written || (holds_run && !description.overwrite) || !content->in_the_way.empty())
    return refuse_existing_run(description.folder, *content);

  std::vector<RecordedSurface> surfaces = make_surfaces(*description.mesh, description.objects);
  Result<RunFile> run_file = RunFile::make(description.info, surfaces, description.objects);
  if (!run_file) return run_file.error();

  if (Status status = make_folders(paths); !status) return status.error();
  Result<FolderLock> lock = FolderLock::acquire(paths);
  if (!lock) return lock.error();
  if (description.on_write) description.on_write();
  if (holds_run)
    if (Status status = clear_run(paths); !status) return status.error();

  // run.json first: from then on the folder is known for a run.
  if (Status status = run_file->save(paths.run_file(), RunProgress{}); !status) return status.error();
  const auto fail = [&](const Error& error) {
    run_file->save_failure(paths.run_file(), RunProgress{}, error.message());
    return error;
  };
  if (Status status = write_rest(paths, surfaces); !status) return fail(status.error());
  Result<StatsFile> stats = StatsFile::create(paths.stats());
  if (!stats) return fail(stats.error());
  return Recorder(description, std::move(*lock), std::move(*run_file), std::move(*stats), std::move(surfaces));
}

Result<Recorder::Resumed> Recorder::resume(const RunDescription& description) {
  SINEW_ASSERT(description.mesh && description.options.every >= 1);
  const OutputPaths paths(description.folder);
  const Result<FolderContent> content = inspect_output_folder(description.folder);
  if (!content) return content.error();
  if (content->kind != FolderContent::Kind::run)
    return Error{
        description.folder.string(),
        std::string("holds no run to resume") + (content->in_the_way.empty() ? "" : ": there is no run.json of Sinew"),
        "run without --resume, or give the folder of a run with -o"};
  if (content->being_written) return refuse_existing_run(description.folder, *content);

  // Nothing is changed before all is known to fit.
  Result<Checkpoint> checkpoint =
      load_checkpoint(paths.checkpoint(), identity_of(description), description.mesh->vertices.size());
  if (!checkpoint) return checkpoint.error();
  std::vector<RecordedSurface> surfaces = make_surfaces(*description.mesh, description.objects);
  Result<RunFile> run_file = RunFile::make(description.info, surfaces, description.objects);
  if (!run_file) return run_file.error();
  if (Status status = run_file->continue_from(paths.run_file()); !status) return status.error();
  Result<FolderLock> lock = FolderLock::acquire(paths);
  if (!lock) return lock.error();

  Result<Stock> stock = take_stock(paths, description.options, surfaces, *checkpoint);
  if (!stock) return stock.error();
  Result<StatsFile> stats = StatsFile::resume(paths.stats(), checkpoint->step);
  if (!stats) return stats.error();
  if (description.on_write) description.on_write();
  remove_partial_files(paths);
  if (Status status = make_folders(paths); !status) return status.error();
  if (Status status = write_rest(paths, surfaces); !status) return status.error();

  std::vector<std::string> notes = description.changes;
  if (!stock->missing_vtu.empty())
    notes.push_back("frames/ has no whole .vtu of frames " + stock->missing_vtu.text() +
                    ": frames.pvd goes on without them");
  if (!stats->missing().empty()) notes.push_back("stats.csv has no rows of steps " + stats->missing().text());
  for (const std::string& note : notes)
    run_file->add_note(format("resumed at frame %lld: %s", static_cast<long long>(checkpoint->frame), note.c_str()));

  Recorder recorder(description, std::move(*lock), std::move(*run_file), std::move(*stats), std::move(surfaces));
  recorder.frames_ = std::move(stock->frames);
  recorder.durable_frames_ = recorder.frames_.size();
  recorder.pvd_ = std::move(stock->pvd);
  if (Status status = recorder.cut_back(*checkpoint); !status) return status.error();
  return Resumed{std::move(recorder), std::move(*checkpoint), std::move(notes)};
}

void Recorder::set_up_topology() {
  for (const RecordedSurface& surface : surfaces_) surface_points_ += surface.vertices.size();
  const size_t tet_count = mesh_->tets.size();
  j_.assign(tet_count, 1);
  strain_.assign(tet_count, 0);

  // Tets around each surface vertex, weighted by rest volume.
  std::vector<int32_t> surface_point(mesh_->vertices.size(), -1);
  for (const RecordedSurface& surface : surfaces_)
    for (int32_t k = 0; k < surface.count(); ++k) surface_point[surface.vertices[k]] = surface.first + k;
  around_begin_.assign(surface_points_ + 1, 0);
  for (const Tet& tet : mesh_->tets)
    for (const int32_t v : tet)
      if (surface_point[v] >= 0) ++around_begin_[surface_point[v] + 1];
  for (size_t k = 0; k < surface_points_; ++k) around_begin_[k + 1] += around_begin_[k];
  around_.resize(static_cast<size_t>(around_begin_.back()));
  std::vector<int32_t> next(around_begin_.begin(), around_begin_.end() - 1);
  for (size_t e = 0; e < tet_count; ++e) {
    const Tet& tet = mesh_->tets[e];
    const auto& p = mesh_->vertices;
    const double volume = dot(p[tet[1]] - p[tet[0]], cross(p[tet[2]] - p[tet[0]], p[tet[3]] - p[tet[0]])) / 6;
    bool on_surface = false;
    for (const int32_t v : tet) {
      if (surface_point[v] < 0) continue;
      around_[next[surface_point[v]]++] = {static_cast<int32_t>(e), static_cast<float>(volume)};
      on_surface = true;
    }
    if (on_surface || options_.vtu == VtuFrames::volume) measured_tets_.push_back(static_cast<int32_t>(e));
  }
  for (size_t k = 0; k < surface_points_; ++k) {
    float sum = 0;
    for (int32_t i = around_begin_[k]; i < around_begin_[k + 1]; ++i) sum += around_[i].weight;
    for (int32_t i = around_begin_[k]; i < around_begin_[k + 1]; ++i) around_[i].weight /= sum;
  }

  if (options_.vtu == VtuFrames::volume) {
    std::vector<int32_t> object(tet_count, -1);
    for (size_t k = 0; k < objects_.size(); ++k)
      std::fill(object.begin() + objects_[k].first_tet, object.begin() + objects_[k].last_tet, static_cast<int32_t>(k));
    std::vector<VtuWriter::Label> labels{{"object", std::move(object)}};
    if (!mesh_->regions.empty()) labels.emplace_back("region", mesh_->regions);
    vtu_.emplace(std::span(mesh_->tets), mesh_->vertices.size(), labels);
  } else if (options_.vtu == VtuFrames::surface) {
    std::vector<Triangle> triangles;
    std::vector<int32_t> object;
    for (size_t k = 0; k < surfaces_.size(); ++k) {
      const int32_t first = surfaces_[k].first;
      for (const Triangle& t : surfaces_[k].triangles) triangles.push_back({first + t[0], first + t[1], first + t[2]});
      object.resize(triangles.size(), static_cast<int32_t>(k));
    }
    vtu_.emplace(std::span<const Triangle>(triangles), surface_points_,
                 std::vector<VtuWriter::Label>{{"object", object}});
  }
}

SurfaceFrame Recorder::surface_of(const FrameData& data) const {
  SurfaceFrame frame;
  frame.frame = data.frame;
  frame.time = data.time;
  frame.step = data.step;
  frame.positions.reserve(surface_points_);
  frame.strain.reserve(surface_points_);
  for (const RecordedSurface& surface : surfaces_) {
    for (const int32_t v : surface.vertices) {
      frame.positions.push_back(to_float(data.x[v]));
      if (!data.residual.empty()) frame.residual.push_back(static_cast<float>(data.residual[v]));
    }
  }
  for (size_t k = 0; k < surface_points_; ++k) {
    float mean = 0;
    for (int32_t i = around_begin_[k]; i < around_begin_[k + 1]; ++i)
      mean += around_[i].weight * strain_[around_[i].tet];
    frame.strain.push_back(mean);
  }
  return frame;
}

Status Recorder::write_vtu(const FrameData& data, const SurfaceFrame& surface) {
  const bool volume = options_.vtu == VtuFrames::volume;
  const size_t count = volume ? data.x.size() : surface_points_;
  std::vector<Vec3f> points(count), displacement(count), velocity(count);
  std::vector<float> residual(data.residual.empty() ? 0 : count);
  const auto fill = [&](size_t k, size_t v) {
    points[k] = to_float(data.x[v]);
    displacement[k] = to_float(data.x[v] - mesh_->vertices[v]);
    velocity[k] = to_float(data.v[v]);
    if (!residual.empty()) residual[k] = static_cast<float>(data.residual[v]);
  };
  if (volume)
    for (size_t v = 0; v < count; ++v) fill(v, v);
  else
    for (const RecordedSurface& s : surfaces_)
      for (int32_t k = 0; k < s.count(); ++k)
        fill(static_cast<size_t>(s.first + k), static_cast<size_t>(s.vertices[k]));

  const auto floats = [](const std::vector<Vec3f>& a) {
    return std::span(reinterpret_cast<const float*>(a.data()), a.size() * 3);
  };
  std::vector<VtuField> point_fields{{"displacement", floats(displacement), 3}, {"velocity", floats(velocity), 3}};
  if (!residual.empty()) point_fields.push_back({"residual", residual});
  if (!volume) {
    point_fields.push_back({"strain", surface.strain});
    return vtu_->write(paths_.volume_frame(data.frame), data.time, points, point_fields, {});
  }
  std::vector<VtuField> cell_fields{{"det_F", j_}, {"strain", strain_}};
  const std::vector<float> energy(data.energy_density.begin(), data.energy_density.end());
  if (!energy.empty()) cell_fields.push_back({"energy_density", energy});
  return vtu_->write(paths_.volume_frame(data.frame), data.time, points, point_fields, cell_fields);
}

// What could not be written now may be written later.
Status Recorder::resumable(Status status) const {
  std::error_code code;
  if (status || !fs::exists(paths_.checkpoint(), code)) return status;
  Error error = status.error();
  error.remedy += error.remedy.empty() ? "" : "; ";
  error.remedy += "what is complete stays: then go on with --resume";
  return error;
}

Status Recorder::write_frame(const FrameData& data) {
  SINEW_ASSERT(data.x.size() == mesh_->vertices.size() && data.v.size() == data.x.size());
  if (const auto k = first_bad(data.x)) return not_finite(data, "position", objects_, *k, data.x[*k]);
  if (const auto k = first_bad(data.v)) return not_finite(data, "velocity", objects_, *k, data.v[*k]);

  return resumable(write_finite_frame(data));
}

Status Recorder::write_finite_frame(const FrameData& data) {
  const auto start = Clock::now();
  if (wants_frame(data.frame)) {
    measure_strain(*mesh_, data.x, measured_tets_, pool_, j_, strain_);
    const SurfaceFrame surface = surface_of(data);
    if (Status status = save_surface_frame(paths_.surface_frame(data.frame), surface); !status) return status;
    if (vtu_) {
      if (Status status = write_vtu(data, surface); !status) return status;
      // The list names a frame only once it is there.
      pvd_.push_back({data.time, OutputPaths::volume_frame_name(data.frame)});
      if (Status status = write_file_atomically(paths_.pvd(), encode_pvd(pvd_)); !status) return status;
    }
    frames_.push_back(data.frame);
  }
  progress_.last_frame = data.frame;
  progress_.frames_written = static_cast<int64_t>(frames_.size());
  progress_.time = data.time;
  progress_.step = data.step;
  if (Status status = run_file_.save(paths_.run_file(), progress_); !status) return status;
  stats_.add_milliseconds(Stage::write, milliseconds_since(start));
  return stats_.flush();
}

Status Recorder::write_checkpoint(Checkpoint checkpoint) {
  SINEW_ASSERT(checkpoint.x.size() == mesh_->vertices.size());
  const auto start = Clock::now();
  if (Status status = stats_.flush(); !status) return resumable(status);
  if (Status status = make_durable(); !status) return resumable(status);
  checkpoint.frames_written = static_cast<int64_t>(frames_.size());
  if (Status status = save_checkpoint(paths_.checkpoint(), checkpoint, identity_); !status) return resumable(status);
  // Each rewriting of the caches has twice the frames of the one before: together they cost no more than the last,
  // and a killed run leaves at least half of its frames there.
  if (frames_.size() >= 2 * cached_frames_)
    if (Status status = write_caches(); !status) return resumable(status);
  stats_.add_milliseconds(Stage::write, milliseconds_since(start));
  return {};
}

// A checkpoint is of use only with the surfaces and rows that lead up to it. The frames for ParaView, which are far
// larger, are left to the system.
Status Recorder::make_durable() {
  for (; durable_frames_ < frames_.size(); ++durable_frames_)
    if (Status status = bring_to_disk(paths_.surface_frame(frames_[durable_frames_])); !status) return status;
  for (const fs::path& path : {paths_.stats(), paths_.rest(), paths_.surface(), paths_.root})
    if (Status status = bring_to_disk(path); !status) return status;
  return {};
}

Status Recorder::finish(RunState state, const std::string& message) {
  Status first = stats_.flush();
  if (Status status = write_caches(); first && !status) first = status;
  if (state == RunState::failed) {
    run_file_.save_failure(paths_.run_file(), progress_, message);
    return first;
  }
  progress_.state = state;
  if (Status status = run_file_.save(paths_.run_file(), progress_); first && !status) first = status;
  return first;
}

Status Recorder::write_caches() {
  if (cached_frames_ == frames_.size()) return {};
  if (Status status = write_point_caches(paths_, surfaces_, frames_, options_.pc2, options_.mdd); !status)
    return status;
  cached_frames_ = frames_.size();
  return {};
}

Status Recorder::cut_back(const Checkpoint& checkpoint) {
  // First what tells of frames, so that it never names what is gone.
  progress_.last_frame = checkpoint.frame;
  progress_.frames_written = checkpoint.frames_written;
  progress_.time = checkpoint.time;
  progress_.step = checkpoint.step;
  if (Status status = run_file_.save(paths_.run_file(), progress_); !status) return status;
  std::error_code code;
  if (vtu_ || fs::exists(paths_.pvd(), code))
    if (Status status = write_file_atomically(paths_.pvd(), encode_pvd(pvd_)); !status) return status;

  for (const int64_t frame : list_frames(paths_.frames(), ".vtu"))
    if (frame > checkpoint.frame && !fs::remove(paths_.volume_frame(frame), code) && code)
      return file_error(paths_.volume_frame(frame), "cannot be removed", code.value());
  for (const int64_t frame : list_frames(paths_.surface(), ".bin"))
    if (frame > checkpoint.frame && !fs::remove(paths_.surface_frame(frame), code) && code)
      return file_error(paths_.surface_frame(frame), "cannot be removed", code.value());
  return {};
}

Status write_point_caches(const OutputPaths& paths, std::span<const RecordedSurface> surfaces,
                          std::span<const int64_t> frames, bool pc2, bool mdd) {
  if (frames.empty() || (!pc2 && !mdd)) return {};
  size_t point_count = 0;
  for (const RecordedSurface& surface : surfaces) point_count += surface.vertices.size();
  std::vector<double> times;
  for (const int64_t frame : frames) {
    const Result<double> time = load_frame_time(paths.surface_frame(frame), point_count);
    if (!time) return time.error();
    times.push_back(*time);
  }

  // Some objects at a time: each cache is an open file, of which a process may have about a thousand.
  constexpr size_t kBatch = 64;
  for (size_t first = 0; first < surfaces.size(); first += kBatch) {
    const auto batch = surfaces.subspan(first, std::min(kBatch, surfaces.size() - first));
    std::vector<PointCacheWriter> writers;
    std::vector<const RecordedSurface*> written;
    for (const RecordedSurface& surface : batch)
      for (const PointCacheFormat format : {PointCacheFormat::pc2, PointCacheFormat::mdd}) {
        if (format == PointCacheFormat::pc2 ? !pc2 : !mdd) continue;
        const char* suffix = format == PointCacheFormat::pc2 ? ".pc2" : ".mdd";
        Result<PointCacheWriter> writer =
            PointCacheWriter::create(paths.surface() / (surface.file + suffix), format, surface.vertices.size(), times);
        if (!writer) return writer.error();
        writers.push_back(std::move(*writer));
        written.push_back(&surface);
      }
    for (const int64_t frame : frames) {
      const Result<SurfaceFrame> data = load_surface_frame(paths.surface_frame(frame), point_count);
      if (!data) return data.error();
      for (size_t k = 0; k < writers.size(); ++k)
        if (Status status =
                writers[k].add(std::span(data->positions)
                                   .subspan(static_cast<size_t>(written[k]->first), written[k]->vertices.size()));
            !status)
          return status;
    }
    for (PointCacheWriter& writer : writers)
      if (Status status = writer.commit(); !status) return status;
  }
  return {};
}

}  // namespace sinew
