#include "record/recorder.h"

#include <algorithm>
#include <fstream>

#include "base/clock.h"
#include "base/format.h"
#include "base/hash.h"
#include "files/atomic_file.h"
#include "files/obj_file.h"
#include "files/point_cache.h"
#include "record/durable.h"
#include "record/file_error.h"
#include "record/gaps.h"
#include "record/origin.h"

namespace sinew {

namespace fs = std::filesystem;

namespace {

Status write_rest(const OutputPaths& paths, std::span<const RecordedSurface> surfaces,
                  std::span<const RecordedCollider> colliders) {
  if (Status status = save_rest(paths.rest(), surfaces); !status) return status;
  const Vec3d origin = origin_of(surfaces);
  if (Status status = write_file_atomically(paths.origin(), encode_origin(origin)); !status) return status;
  for (const RecordedSurface& surface : surfaces)
    if (Status status = write_obj(paths.surface() / (surface.file + ".obj"), surface.rest, surface.triangles, origin);
        !status)
      return status;
  if (colliders.empty()) return {};
  if (Status status = save_colliders(paths.colliders(), colliders); !status) return status;
  for (const RecordedCollider& collider : colliders) {
    if (collider.file.empty()) continue;
    if (Status status =
            write_obj(paths.surface() / (collider.file + ".obj"), collider.rest, collider.triangles, origin);
        !status)
      return status;
  }
  return {};
}

// The names of a run's files other than frames.
std::vector<std::string> names_of(std::span<const RecordedSurface> surfaces,
                                  std::span<const RecordedCollider> colliders, const RecorderOptions& options) {
  std::vector<std::string> names{"run.json",         "stats.csv",          "checkpoint.bin", "checkpoint.next.bin",
                                 "surface/rest.bin", "surface/origin.json"};
  if (options.vtu != VtuFrames::none) names.emplace_back("frames.pvd");
  if (options.contacts) names.emplace_back("contacts.pvd");
  const auto add = [&](const std::string& file, bool moves) {
    names.push_back("surface/" + file + ".obj");
    if (moves && options.pc2) names.push_back("surface/" + file + ".pc2");
    if (moves && options.mdd) names.push_back("surface/" + file + ".mdd");
  };
  for (const RecordedSurface& surface : surfaces) add(surface.file, true);
  if (!colliders.empty()) names.emplace_back("surface/colliders.bin");
  for (const RecordedCollider& collider : colliders)
    if (!collider.file.empty()) add(collider.file, collider.moves);
  return names;
}

// Checks that only the run's own files are in the way of the frames that it will write after frame `taken`.
Status check_frames(const Manifest& manifest, const RunDescription& run, int64_t taken) {
  const OutputPaths paths(manifest.folder());
  const auto check = [&](const fs::path& folder, const char* suffix, std::string (*name_of)(int64_t)) -> Status {
    if (Status status = manifest.check_way(name_of(0)); !status) return status;
    for (const int64_t frame : list_frames(folder, suffix)) {
      if (frame <= taken || frame % run.options.every != 0 || (run.last_frame && frame > *run.last_frame)) continue;
      if (Status status = manifest.check(name_of(frame)); !status) return status;
    }
    return {};
  };
  if (Status status = check(paths.surface(), ".bin", OutputPaths::surface_frame_name); !status) return status;
  if (run.options.contacts)
    if (Status status = check(paths.contacts(), ".vtp", OutputPaths::contact_frame_name); !status) return status;
  if (run.options.vtu == VtuFrames::none) return {};
  return check(paths.frames(), ".vtu", OutputPaths::volume_frame_name);
}

// Creates folders and lists names, before the first file is written.
Status lay_out(Manifest& manifest, std::span<const std::string> names, const RecorderOptions& options) {
  if (Status status = manifest.claim(names); !status) return status;
  for (const char* folder : {"frames", "surface"})
    if (Status status = manifest.make_folder(folder); !status) return status;
  if (options.contacts) return manifest.make_folder("contacts");
  return {};
}

// Frames for ParaView are not synced individually: a power failure may leave one empty or truncated.
bool is_whole_vtk(const fs::path& path) {
  constexpr std::string_view end = "</VTKFile>\n";
  std::ifstream stream(path, std::ios::binary);
  char bytes[end.size()];
  return stream.seekg(-static_cast<std::streamoff>(end.size()), std::ios::end) && stream.read(bytes, end.size()) &&
         std::string_view(bytes, end.size()) == end;
}

// The existing frames up to a checkpoint.
struct Stock {
  std::vector<int64_t> frames;
  std::vector<PvdEntry> pvd, contacts_pvd;
  Gaps missing_vtu, missing_contacts;
};
Result<Stock> take_stock(const OutputPaths& paths, const RecorderOptions& options,
                         std::span<const RecordedSurface> surfaces, const Checkpoint& checkpoint) {
  size_t points = 0;
  for (const RecordedSurface& surface : surfaces) points += static_cast<size_t>(surface.point_count);
  Stock stock;
  Gaps missing;
  for (int64_t frame = 0; frame <= checkpoint.frame; frame += options.every) {
    const Result<double> time = load_frame_time(paths.surface_frame(frame), points);
    if (!time) {
      missing.add(frame);
      continue;
    }
    stock.frames.push_back(frame);
    if (is_whole_vtk(paths.volume_frame(frame)))
      stock.pvd.push_back({*time, OutputPaths::volume_frame_name(frame)});
    else if (options.vtu != VtuFrames::none)
      stock.missing_vtu.add(frame);
    if (is_whole_vtk(paths.contact_frame(frame)))
      stock.contacts_pvd.push_back({*time, OutputPaths::contact_frame_name(frame)});
    else if (options.contacts)
      stock.missing_contacts.add(frame);
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
  const Model& model = *description.model;
  Hash hash;
  if (description.info.scene_hash != 0)
    hash.bytes(&description.info.scene_hash, sizeof(uint64_t));
  else
    hash.text(description.info.scene_json);
  hash.bytes(model.rest.data(), model.rest.size() * sizeof(Vec3d));
  hash.bytes(model.tets.data(), model.tets.size() * sizeof(Tet));
  // Frames before and after a resume have the same surfaces.
  for (const RecordedObject& object : description.objects) {
    if (!object.skin) continue;
    const Skin& skin = *object.skin;
    hash.bytes(skin.triangles.data(), skin.triangles.size() * sizeof(Triangle));
    hash.bytes(skin.carriers.data(), skin.carriers.size() * sizeof(int32_t));
    hash.bytes(skin.corners.data(), skin.corners.size() * sizeof(skin.corners[0]));
    hash.bytes(skin.weights.data(), skin.weights.size() * sizeof(skin.weights[0]));
    hash.bytes(skin.middles.data(), skin.middles.size() * sizeof(skin.middles[0]));
    hash.bytes(skin.middle_weights.data(), skin.middle_weights.size() * sizeof(skin.middle_weights[0]));
  }
  return {description.info.version, hash.value(), model.order.vertex_count(), model.slot_count()};
}

Recorder::Recorder(const RunDescription& description, Manifest manifest, FolderLock lock, RunFile run_file,
                   StatsFile stats, std::vector<RecordedSurface> surfaces, std::vector<RecordedCollider> colliders)
    : paths_(description.folder),
      options_(description.options),
      identity_(identity_of(description)),
      model_(description.model),
      pool_(description.pool),
      manifest_(std::move(manifest)),
      lock_(std::move(lock)),
      run_file_(std::move(run_file)),
      stats_(std::move(stats)),
      surfaces_(std::move(surfaces)),
      colliders_(std::move(colliders)),
      origin_(origin_of(surfaces_)) {
  for (const RecordedObject& object : description.objects)
    objects_.push_back(
        {object.name, object.first_vertex, object.last_vertex, object.first_tet, object.last_tet, {}, {}});
  set_up_topology(description);
}

Result<Recorder> Recorder::create(const RunDescription& description) {
  SINEW_ASSERT(description.model && description.pool && description.options.every >= 1);
  const OutputPaths paths(description.folder);
  const Result<FolderContent> content = inspect_output_folder(description.folder);
  if (!content) return content.error();
  const bool holds_run = content->kind == FolderContent::Kind::run;
  if (content->being_written || (holds_run && !description.overwrite))
    return refuse_existing_run(description.folder, *content);

  std::vector<RecordedSurface> surfaces = make_surfaces(*description.model, description.objects);
  std::vector<RecordedCollider> colliders = description.colliders;
  place_in_run(colliders, surfaces);
  Result<RunFile> run_file = RunFile::make(description.info, surfaces, description.objects, colliders);
  if (!run_file) return run_file.error();

  const std::vector<std::string> names = names_of(surfaces, colliders, description.options);
  if (Status status = check_folder(description.folder, FolderKind::run, names); !status) return status.error();
  Result<Manifest> manifest = Manifest::open(description.folder, FolderKind::run);
  if (!manifest) return manifest.error();
  if (Status status = check_frames(*manifest, description, -1); !status) return status.error();

  std::error_code code;
  fs::create_directories(paths.root, code);
  if (code || !fs::is_directory(paths.root, code))
    return file_error(paths.root, "cannot be created", code ? code.value() : ENOTDIR);
  Result<FolderLock> lock = FolderLock::acquire(paths.root);
  if (!lock) return lock.error();
  if (description.on_write) description.on_write();
  if (holds_run)
    if (Status status = clear_run(*manifest); !status) return status.error();

  // The list first: from then on the folder is recognized as a run.
  if (Status status = lay_out(*manifest, names, description.options); !status) return status.error();
  if (Status status = run_file->save(paths.run_file(), RunProgress{}); !status) return status.error();
  const auto fail = [&](const Error& error) {
    run_file->save_failure(paths.run_file(), RunProgress{}, error.message());
    return error;
  };
  if (Status status = write_rest(paths, surfaces, colliders); !status) return fail(status.error());
  Result<StatsFile> stats = StatsFile::create(paths.stats(), description.columns);
  if (!stats) return fail(stats.error());
  return Recorder(description, std::move(*manifest), std::move(*lock), std::move(*run_file), std::move(*stats),
                  std::move(surfaces), std::move(colliders));
}

Result<Recorder::Resumed> Recorder::resume(const RunDescription& description) {
  SINEW_ASSERT(description.model && description.pool && description.options.every >= 1);
  const OutputPaths paths(description.folder);
  const Result<FolderContent> content = inspect_output_folder(description.folder);
  if (!content) return content.error();
  if (content->kind != FolderContent::Kind::run)
    return Error{description.folder.string(),
                 std::string("holds no run to resume") +
                     (content->kind == FolderContent::Kind::empty ? "" : ": there is no manifest.txt of Sinew"),
                 "run without --resume, or give the folder of a run with -o"};
  if (content->being_written) return refuse_existing_run(description.folder, *content);

  // Nothing is changed until everything is known to match.
  Result<Checkpoint> checkpoint = load_checkpoint(paths.checkpoint(), identity_of(description));
  if (!checkpoint && description.checkpoint_in_other_order)
    if (Result<Checkpoint> other = description.checkpoint_in_other_order()) checkpoint = std::move(other);
  if (!checkpoint) return checkpoint.error();
  std::vector<RecordedSurface> surfaces = make_surfaces(*description.model, description.objects);
  std::vector<RecordedCollider> colliders = description.colliders;
  place_in_run(colliders, surfaces);
  Result<RunFile> run_file = RunFile::make(description.info, surfaces, description.objects, colliders);
  if (!run_file) return run_file.error();
  if (Status status = run_file->continue_from(paths.run_file()); !status) return status.error();
  const std::vector<std::string> names = names_of(surfaces, colliders, description.options);
  if (Status status = check_folder(description.folder, FolderKind::run, names); !status) return status.error();
  Result<Manifest> manifest = Manifest::open(description.folder, FolderKind::run);
  if (!manifest) return manifest.error();
  if (Status status = check_frames(*manifest, description, checkpoint->frame); !status) return status.error();
  Result<FolderLock> lock = FolderLock::acquire(paths.root);
  if (!lock) return lock.error();

  Result<Stock> stock = take_stock(paths, description.options, surfaces, *checkpoint);
  if (!stock) return stock.error();
  Result<StatsFile> stats = StatsFile::resume(paths.stats(), checkpoint->state.step, description.columns);
  if (!stats) return stats.error();
  if (description.on_write) description.on_write();
  manifest->remove_abandoned();
  if (Status status = manifest->remove("checkpoint.next.bin"); !status) return status.error();
  if (Status status = lay_out(*manifest, names, description.options); !status) return status.error();
  if (Status status = write_rest(paths, surfaces, colliders); !status) return status.error();

  std::vector<std::string> notes = description.changes;
  if (!stock->missing_vtu.empty())
    notes.push_back("frames/ has no whole .vtu of frames " + stock->missing_vtu.text() +
                    ": frames.pvd goes on without them");
  if (!stock->missing_contacts.empty())
    notes.push_back("contacts/ has no whole .vtp of frames " + stock->missing_contacts.text() +
                    ": contacts.pvd goes on without them");
  if (!stats->missing().empty()) notes.push_back("stats.csv has no rows of steps " + stats->missing().text());
  for (const std::string& note : notes)
    run_file->add_note(format("resumed at frame %lld: %s", static_cast<long long>(checkpoint->frame), note.c_str()));

  Recorder recorder(description, std::move(*manifest), std::move(*lock), std::move(*run_file), std::move(*stats),
                    std::move(surfaces), std::move(colliders));
  recorder.frames_ = std::move(stock->frames);
  recorder.durable_frames_ = recorder.frames_.size();
  recorder.pvd_ = std::move(stock->pvd);
  recorder.contacts_pvd_ = std::move(stock->contacts_pvd);
  if (Status status = recorder.cut_back(*checkpoint); !status) return status.error();
  return Resumed{std::move(recorder), std::move(*checkpoint), std::move(notes)};
}

// A failed write may succeed later, after a resume.
Status Recorder::resumable(Status status) const {
  std::error_code code;
  if (status || !fs::exists(paths_.checkpoint(), code)) return status;
  Error error = status.error();
  error.remedy += error.remedy.empty() ? "" : "; ";
  error.remedy += "what is complete stays: then go on with --resume";
  return error;
}

Status Recorder::write_checkpoint(const State& state, std::string_view contacts, int64_t frame) {
  const auto start = Clock::now();
  if (Status status = stats_.flush(); !status) return resumable(status);
  if (Status status = make_durable(); !status) return resumable(status);
  if (Status status =
          save_checkpoint(paths_.checkpoint(), state, contacts, frame, static_cast<int64_t>(frames_.size()), identity_);
      !status)
    return resumable(status);
  // Each rewrite of the caches has twice the frames of the previous one: together they cost no more than the last, and
  // a killed run leaves caches of at least half its frames.
  if (frames_.size() >= 2 * cached_frames_)
    if (Status status = write_caches(); !status) return resumable(status);
  stats_.add_milliseconds(Stage::write, milliseconds_since(start));
  return {};
}

// A checkpoint is useful only with the surfaces and rows before it. The frames for ParaView, which are far larger, are
// left to the system.
Status Recorder::make_durable() {
  for (; durable_frames_ < frames_.size(); ++durable_frames_)
    if (Status status = bring_to_disk(paths_.surface_frame(frames_[durable_frames_])); !status) return status;
  for (const fs::path& path :
       {paths_.stats(), paths_.rest(), paths_.root / Manifest::file_name, paths_.surface(), paths_.root})
    if (Status status = bring_to_disk(path); !status) return status;
  return colliders_.empty() ? Status() : bring_to_disk(paths_.colliders());
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
  if (Status status = write_point_caches(paths_, surfaces_, colliders_, frames_, origin_, options_.pc2, options_.mdd);
      !status)
    return status;
  cached_frames_ = frames_.size();
  return {};
}

Status Recorder::cut_back(const Checkpoint& checkpoint) {
  // First the files that refer to frames, so that they never name missing files.
  progress_.last_frame = checkpoint.frame;
  progress_.frames_written = checkpoint.frames_written;
  progress_.time = checkpoint.state.time;
  progress_.step = checkpoint.state.step;
  if (Status status = run_file_.save(paths_.run_file(), progress_); !status) return status;
  // Even without new frames it lists the earlier ones.
  if (vtu_ || manifest_.names("frames.pvd"))
    if (Status status = write_file_atomically(paths_.pvd(), encode_pvd(pvd_)); !status) return status;

  if (options_.contacts || manifest_.names("contacts.pvd"))
    if (Status status = write_file_atomically(paths_.contacts_pvd(), encode_pvd(contacts_pvd_)); !status) return status;

  for (const int64_t frame : list_frames(paths_.contacts(), ".vtp"))
    if (frame > checkpoint.frame)
      if (Status status = manifest_.remove(OutputPaths::contact_frame_name(frame)); !status) return status;
  for (const int64_t frame : list_frames(paths_.frames(), ".vtu"))
    if (frame > checkpoint.frame)
      if (Status status = manifest_.remove(OutputPaths::volume_frame_name(frame)); !status) return status;
  for (const int64_t frame : list_frames(paths_.surface(), ".bin"))
    if (frame > checkpoint.frame)
      if (Status status = manifest_.remove(OutputPaths::surface_frame_name(frame)); !status) return status;
  return {};
}

Status write_point_caches(const OutputPaths& paths, std::span<const RecordedSurface> surfaces,
                          std::span<const RecordedCollider> colliders, std::span<const int64_t> frames,
                          const Vec3d& origin, bool pc2, bool mdd) {
  if (frames.empty() || (!pc2 && !mdd)) return {};
  // What moves: points of a frame under the name of a file.
  struct Track {
    const std::string* file;
    size_t first, count;
    bool collider;
  };
  std::vector<Track> tracks;
  size_t point_count = 0;
  for (const RecordedSurface& surface : surfaces) {
    tracks.push_back({&surface.file, point_count, static_cast<size_t>(surface.point_count), false});
    point_count += static_cast<size_t>(surface.point_count);
  }
  for (const RecordedCollider& collider : colliders)
    if (collider.moves && !collider.file.empty())
      tracks.push_back({&collider.file, static_cast<size_t>(collider.first_point), collider.rest.size(), true});
  std::vector<double> times;
  for (const int64_t frame : frames) {
    const Result<double> time = load_frame_time(paths.surface_frame(frame), point_count);
    if (!time) return time.error();
    times.push_back(*time);
  }

  // In batches: each cache is an open file, and a process may have about a thousand.
  constexpr size_t kBatch = 64;
  for (size_t first = 0; first < tracks.size(); first += kBatch) {
    const auto batch = std::span(tracks).subspan(first, std::min(kBatch, tracks.size() - first));
    std::vector<PointCacheWriter> writers;
    std::vector<const Track*> written;
    for (const Track& track : batch)
      for (const PointCacheFormat format : {PointCacheFormat::pc2, PointCacheFormat::mdd}) {
        if (format == PointCacheFormat::pc2 ? !pc2 : !mdd) continue;
        const char* suffix = format == PointCacheFormat::pc2 ? ".pc2" : ".mdd";
        Result<PointCacheWriter> writer =
            PointCacheWriter::create(paths.surface() / (*track.file + suffix), format, track.count, times);
        if (!writer) return writer.error();
        writers.push_back(std::move(*writer));
        written.push_back(&track);
      }
    for (const int64_t frame : frames) {
      const Result<SurfaceFrame> data = load_surface_frame(paths.surface_frame(frame), point_count);
      if (!data) return data.error();
      if (!has_places_of(*data, colliders))
        return Error{paths.surface_frame(frame).string(), "has other colliders than the run",
                     "run again with --overwrite"};
      for (size_t k = 0; k < writers.size(); ++k) {
        const Track& track = *written[k];
        const std::span<const Vec3d> all = track.collider ? data->collider_points : data->positions;
        std::vector<Vec3f> near;
        near.reserve(track.count);
        for (const Vec3d& p : all.subspan(track.first, track.count)) {
          const Vec3d d = p - origin;
          near.push_back({static_cast<float>(d.x), static_cast<float>(d.y), static_cast<float>(d.z)});
        }
        if (Status status = writers[k].add(near); !status) return status;
      }
    }
    for (PointCacheWriter& writer : writers)
      if (Status status = writer.commit(); !status) return status;
  }
  return {};
}

}  // namespace sinew
