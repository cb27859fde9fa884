#include "record/checkpoint.h"

#include <system_error>

#include "base/format.h"
#include "files/read_file.h"
#include "record/durable.h"
#include "record/envelope_file.h"

namespace sinew {

namespace fs = std::filesystem;

namespace {

constexpr FileKind kKind{"SINEWCKP", 5, "a checkpoint"};
const char* const kStartOver = "start over with --overwrite, or give a new output folder with -o";

}  // namespace

Result<Checkpoint> decode_checkpoint(std::string_view file, const CheckpointIdentity& identity,
                                     const std::string& where) {
  const Result<std::string_view> payload = open_envelope(file, kKind, where, kStartOver);
  if (!payload) return payload.error();

  const Error broken{where, "is damaged: its content is not that of a checkpoint", kStartOver};
  Unpacker unpacker(*payload);
  std::string version;
  uint64_t scene_hash = 0;
  int64_t vertices = 0, slots = 0;
  if (!unpacker.take_text(version) || !unpacker.take(scene_hash) || !unpacker.take(vertices) || !unpacker.take(slots))
    return broken;
  if (version != identity.version)
    return Error{where,
                 "was written by Sinew " + version + "; this is " + identity.version +
                     ", which may not continue it with the same bits",
                 "resume with the version that wrote it, or " + std::string(kStartOver)};
  if (vertices != identity.vertex_count)
    return Error{where,
                 format("has %lld vertices; the scene has %d", static_cast<long long>(vertices), identity.vertex_count),
                 "resume with the meshes of the run, or " + std::string(kStartOver)};
  if (scene_hash != identity.scene_hash || slots != identity.slot_count)
    return Error{where, "belongs to another scene than the one given, or the scene or its meshes have changed since",
                 "resume with the scene and settings of the run (see run.json), or " + std::string(kStartOver)};

  Checkpoint checkpoint;
  State& state = checkpoint.state;
  const auto count = static_cast<uint64_t>(slots);
  const bool complete = unpacker.take(state.time) && unpacker.take(state.step) && unpacker.take(checkpoint.frame) &&
                        unpacker.take(checkpoint.frames_written) && unpacker.take_all(state.x, count) &&
                        unpacker.take_all(state.v, count) && unpacker.take_all(state.fall, count) &&
                        unpacker.take_list(state.pressures) && unpacker.take_list(state.affine) &&
                        unpacker.take_list(state.grid_colors) && unpacker.take_text(checkpoint.contacts) &&
                        unpacker.at_end();
  if (!complete) return broken;
  return checkpoint;
}

Status save_checkpoint(const fs::path& path, const State& state, std::string_view contacts, int64_t frame,
                       int64_t frames_written, const CheckpointIdentity& identity) {
  SINEW_ASSERT(static_cast<int32_t>(state.x.size()) == identity.slot_count);
  SINEW_ASSERT(state.v.size() == state.x.size() && state.fall.size() == state.x.size());
  const std::string head = Packer()
                               .put_text(identity.version)
                               .put(identity.scene_hash)
                               .put<int64_t>(identity.vertex_count)
                               .put<int64_t>(identity.slot_count)
                               .put(state.time)
                               .put(state.step)
                               .put(frame)
                               .put(frames_written)
                               .take();
  const std::string pressures = Packer().put<uint64_t>(state.pressures.size()).take();
  const std::string affine = Packer().put<uint64_t>(state.affine.size()).take();
  const std::string colors = Packer().put<uint64_t>(state.grid_colors.size()).take();
  const std::string length = Packer().put<uint64_t>(contacts.size()).take();
  const std::string_view parts[] = {head,
                                    bytes_of(state.x),
                                    bytes_of(state.v),
                                    bytes_of(state.fall),
                                    pressures,
                                    bytes_of(state.pressures),
                                    affine,
                                    bytes_of(state.affine),
                                    colors,
                                    bytes_of(state.grid_colors),
                                    length,
                                    contacts};
  const fs::path next = path.parent_path() / (path.stem().string() + ".next" + path.extension().string());
  if (Status status = write_envelope(next, kKind, parts); !status) return status;
  if (Status status = bring_to_disk(next); !status) return status;
  std::error_code code;
  fs::rename(next, path, code);
  if (code) return Error{path.string(), "cannot be put in place (" + code.message() + ")", ""};
  return bring_to_disk(path.parent_path());
}

Result<Checkpoint> load_checkpoint(const fs::path& path, const CheckpointIdentity& identity) {
  std::error_code code;
  if (!fs::exists(path, code))
    return Error{path.string(), "is not there: the run was stopped before its first checkpoint", kStartOver};
  const Result<std::string> file = read_file(path);
  if (!file) return file.error();
  return decode_checkpoint(*file, identity, path.string());
}

}  // namespace sinew
