#include "record/run_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "files/atomic_file.h"
#include "files/read_file.h"
#include "record/machine.h"
#include "scene/run_format.h"

namespace sinew {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormatVersion = 1;
constexpr const char* kStates[] = {"running", "complete", "interrupted", "failed"};

// Replaces bytes that are not UTF-8 (in a command line, say) instead of throwing.
std::string dump(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

Json parse(const std::string& text) {
  return Json::parse(text, nullptr, false, true);
}

template <class T>
T value_or(const Json& json, const char* key, T fallback) {
  const auto found = json.find(key);
  if (found == json.end()) return fallback;
  if constexpr (std::is_same_v<T, std::string>)
    return found->is_string() ? found->get<std::string>() : fallback;
  else
    return found->is_number() ? found->get<T>() : fallback;
}

std::vector<std::string> texts(const Json& json, const char* key) {
  std::vector<std::string> result;
  const auto found = json.find(key);
  if (found == json.end() || !found->is_array()) return result;
  for (const Json& text : *found)
    if (text.is_string()) result.push_back(text.get<std::string>());
  return result;
}

}  // namespace

const char* name_of(RunState state) {
  return kStates[static_cast<int>(state)];
}

Result<RunFile> RunFile::make(const RunInfo& info, std::span<const RecordedSurface> surfaces,
                              std::span<const RecordedObject> objects, std::span<const RecordedCollider> colliders) {
  const Json scene = parse(info.scene_json);
  if (!scene.is_object()) return Error{"run.json", "the scene as resolved is not a JSON object", ""};

  Json body;
  body["sinew"] = {{"version", info.version}, {"commit", info.commit}, {"compiler", compiler_name()}};
  const Machine machine = this_machine();
  body["machine"] = {{"cpu", machine.cpu},       {"cores", machine.cores},  {"memory_bytes", machine.memory_bytes},
                     {"system", machine.system}, {"threads", info.threads}, {"lanes", info.lanes}};
  body["command"] = info.command;
  body["units"] = {{"length", "m"}, {"mass", "kg"}, {"time", "s"}, {"force", "N"}, {"energy", "J"}, {"stress", "Pa"}};
  body["up"] = std::string(1, info.up);
  body["frame_dt"] = info.frame_dt;
  body["numbers"] = Json::object();
  for (const auto& [name, number] : info.numbers) body["numbers"][name] = number;
  body["setup_milliseconds"] = Json::object();
  for (const auto& [stage, milliseconds] : info.setup_milliseconds) body["setup_milliseconds"][stage] = milliseconds;
  body["objects"] = Json::array();
  for (size_t k = 0; k < surfaces.size(); ++k) {
    body["objects"].push_back({{"name", surfaces[k].name},
                               {"surface", "surface/" + surfaces[k].file + ".obj"},
                               {"vertices", objects[k].last_vertex - objects[k].first_vertex},
                               {"tets", objects[k].last_tet - objects[k].first_tet},
                               {"surface_vertices", surfaces[k].point_count},
                               {"triangles", surfaces[k].triangles.size()}});
    if (const Skin* skin = objects[k].skin.get())
      body["objects"].back()["skin"] = {{"vertices_outside", skin->outside}, {"farthest", skin->farthest}};
  }
  if (!colliders.empty()) body["colliders"] = Json::array();
  for (const RecordedCollider& collider : colliders) {
    Json entry = {{"name", collider.name}, {"moves", collider.moves}};
    if (!collider.file.empty()) {
      entry["surface"] = "surface/" + collider.file + ".obj";
      entry["vertices"] = collider.rest.size();
      entry["triangles"] = collider.triangles.size();
    }
    if (!collider.planes.empty()) entry["planes"] = collider.planes.size();
    body["colliders"].push_back(std::move(entry));
  }
  body["scene_folder"] = info.scene_folder;
  body["scene"] = scene;

  RunFile file;
  file.started_ = utc_now();
  file.body_ = dump(body).substr(2);  // without "{\n"
  return file;
}

Status RunFile::continue_from(const std::filesystem::path& path) {
  const Result<RunSummary> before = read_run_file(path);
  if (!before) return before.error();
  resumed_ = before->resumed;
  resumed_.push_back(started_);
  started_ = before->started;
  notes_ = before->notes;
  return {};
}

void RunFile::add_note(const std::string& note) {
  if (std::find(notes_.begin(), notes_.end(), note) == notes_.end()) notes_.push_back(note);
}

Status RunFile::save(const std::filesystem::path& path, const RunProgress& progress) const {
  Json head;
  head["format"] = run_file_format;
  head["format_version"] = kFormatVersion;
  head["state"] = name_of(progress.state);
  if (!progress.message.empty()) head["message"] = progress.message;
  head["last_frame"] = progress.last_frame;
  head["frames_written"] = progress.frames_written;
  head["time"] = progress.time;
  head["step"] = progress.step;
  head["started"] = started_;
  head["resumed"] = resumed_;
  if (!notes_.empty()) head["notes"] = notes_;
  if (progress.state != RunState::running) head["ended"] = utc_now();
  std::string text = dump(head);
  text.resize(text.size() - 2);  // without "\n}"
  return write_file_atomically(path, text + ",\n" + body_ + "\n");
}

void RunFile::save_failure(const std::filesystem::path& path, RunProgress progress, const std::string& message) const {
  progress.state = RunState::failed;
  progress.message = message;
  if (save(path, progress)) return;
  const Result<std::string> text = read_file(path);
  if (!text) return;
  // Of equal length; JSON ignores blanks between values.
  constexpr std::string_view running = "\"state\": \"running\",", failed = "\"state\": \"failed\" ,";
  static_assert(running.size() == failed.size());
  const size_t at = text->find(running);
  if (at == std::string::npos) return;
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return;
  // If even this fails, the file says "running" but the lock is free, which reads as killed.
  [[maybe_unused]] const ssize_t written = ::pwrite(descriptor, failed.data(), failed.size(), static_cast<off_t>(at));
  ::close(descriptor);
}

Result<RunSummary> read_run_file(const std::filesystem::path& path) {
  const char* const remedy = "give the output folder of `sinew run`";
  std::error_code code;
  if (!std::filesystem::exists(path, code))
    return Error{path.parent_path().string(), "holds no run: there is no run.json", remedy};
  Result<std::string> text = read_file(path);
  if (!text) return text.error();
  const Json json = parse(*text);
  if (!json.is_object() || value_or<std::string>(json, "format", "") != run_file_format)
    return Error{path.string(), "is not the run.json of a run of Sinew", remedy};
  if (value_or(json, "format_version", 0) != kFormatVersion)
    return Error{path.string(), "was written by another version of Sinew", "read it with the version that wrote it"};

  RunSummary summary;
  const std::string state = value_or<std::string>(json, "state", "");
  const auto known = std::find(std::begin(kStates), std::end(kStates), state);
  if (known == std::end(kStates)) return Error{path.string(), "has no known state: '" + state + "'", remedy};
  summary.progress.state = static_cast<RunState>(known - std::begin(kStates));
  summary.progress.last_frame = value_or<int64_t>(json, "last_frame", -1);
  summary.progress.frames_written = value_or<int64_t>(json, "frames_written", 0);
  summary.progress.time = value_or(json, "time", 0.0);
  summary.progress.step = value_or<int64_t>(json, "step", 0);
  summary.progress.message = value_or<std::string>(json, "message", "");
  summary.started = value_or<std::string>(json, "started", "");
  summary.resumed = texts(json, "resumed");
  summary.notes = texts(json, "notes");
  if (const auto sinew = json.find("sinew"); sinew != json.end() && sinew->is_object())
    summary.version = value_or<std::string>(*sinew, "version", "");
  if (const auto machine = json.find("machine"); machine != json.end() && machine->is_object())
    summary.lanes = value_or(*machine, "lanes", 0);
  summary.up = value_or<std::string>(json, "up", "y") == "z" ? 'z' : 'y';
  summary.frame_dt = value_or(json, "frame_dt", 0.0);
  if (const auto scene = json.find("scene"); scene != json.end()) summary.scene_json = dump(*scene);
  summary.text = std::move(*text);
  return summary;
}

}  // namespace sinew
