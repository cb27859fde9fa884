#include "record/checkpoint.h"

#include <system_error>

#include "base/format.h"
#include "io/atomic_file.h"
#include "io/read_file.h"
#include "record/durable.h"
#include "record/envelope.h"

namespace sinew {

namespace fs = std::filesystem;

namespace {

constexpr FileKind kKind{"SINEWCKP", 1, "a checkpoint"};
const char* const kStartOver = "start over with --overwrite, or give a new output folder with -o";

}  // namespace

std::string encode_checkpoint(const Checkpoint& checkpoint, const CheckpointIdentity& identity) {
  const size_t count = checkpoint.x.size();
  SINEW_ASSERT(checkpoint.v.size() == count && checkpoint.v_before.size() == count);
  Packer packer;
  packer.reserve(count * 3 * sizeof(Vec3d) + checkpoint.solver_state.size() + 256);
  packer.put_text(identity.version);
  packer.put(identity.scene_hash);
  packer.put<uint64_t>(count);
  packer.put(checkpoint.time);
  packer.put(checkpoint.step);
  packer.put(checkpoint.frame);
  packer.put(checkpoint.frames_written);
  packer.put_all(std::span(checkpoint.x));
  packer.put_all(std::span(checkpoint.v));
  packer.put_all(std::span(checkpoint.v_before));
  packer.put_text(checkpoint.solver_state);
  return std::move(packer).seal(kKind);
}

Result<Checkpoint> decode_checkpoint(std::string_view file, const CheckpointIdentity& identity, size_t vertex_count,
                                     const std::string& where) {
  const Result<std::string_view> payload = open_envelope(file, kKind, where, kStartOver);
  if (!payload) return payload.error();

  const Error broken{where, "is damaged: its content is not that of a checkpoint", kStartOver};
  Unpacker unpacker(*payload);
  std::string version;
  uint64_t scene_hash = 0, count = 0;
  if (!unpacker.take_text(version) || !unpacker.take(scene_hash) || !unpacker.take(count)) return broken;
  if (version != identity.version)
    return Error{where,
                 "was written by Sinew " + version + "; this is " + identity.version +
                     ", which may not continue it with the same bits",
                 "resume with the version that wrote it, or " + std::string(kStartOver)};
  if (count != vertex_count)
    return Error{where,
                 format("has %llu vertices; the scene has %zu", static_cast<unsigned long long>(count), vertex_count),
                 "resume with the meshes of the run, or " + std::string(kStartOver)};
  if (scene_hash != identity.scene_hash)
    return Error{where, "belongs to another scene than the one given, or the scene or its meshes have changed since",
                 "resume with the scene and settings of the run (see run.json), or " + std::string(kStartOver)};

  Checkpoint checkpoint;
  const bool complete = unpacker.take(checkpoint.time) && unpacker.take(checkpoint.step) &&
                        unpacker.take(checkpoint.frame) && unpacker.take(checkpoint.frames_written) &&
                        unpacker.take_all(checkpoint.x, count) && unpacker.take_all(checkpoint.v, count) &&
                        unpacker.take_all(checkpoint.v_before, count) && unpacker.take_text(checkpoint.solver_state) &&
                        unpacker.at_end();
  if (!complete) return broken;
  return checkpoint;
}

Status save_checkpoint(const fs::path& path, const Checkpoint& checkpoint, const CheckpointIdentity& identity) {
  const fs::path next = path.parent_path() / (path.stem().string() + ".next" + path.extension().string());
  if (Status status = write_file_atomically(next, encode_checkpoint(checkpoint, identity)); !status) return status;
  if (Status status = bring_to_disk(next); !status) return status;
  std::error_code code;
  fs::rename(next, path, code);
  if (code) return Error{path.string(), "cannot be put in place (" + code.message() + ")", ""};
  return bring_to_disk(path.parent_path());
}

Result<Checkpoint> load_checkpoint(const fs::path& path, const CheckpointIdentity& identity, size_t vertex_count) {
  std::error_code code;
  if (!fs::exists(path, code))
    return Error{path.string(), "is not there: the run was stopped before its first checkpoint", kStartOver};
  const Result<std::string> file = read_file(path);
  if (!file) return file.error();
  return decode_checkpoint(*file, identity, vertex_count, path.string());
}

}  // namespace sinew
