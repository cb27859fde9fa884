#include "dataset/dataset_folder.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

#include "base/format.h"
#include "base/hash.h"
#include "dataset/plan.h"
#include "dataset/sample_engine.h"
#include "dataset/sample_scene.h"
#include "drive/disk_files.h"
#include "files/atomic_file.h"
#include "files/read_file.h"
#include "record/durable.h"
#include "record/file_error.h"
#include "scene/json.h"
#include "sinew/folder.h"
#include "sinew/lanes.h"
#include "sinew/version.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

Status make_folders(const fs::path& path) {
  std::error_code code;
  fs::create_directories(path, code);
  return code ? Status(file_error(path, "the folder cannot be made", code.value())) : Status();
}

// Somebody else may be making the folder at this moment.
Result<FolderLock> lock_patiently(const fs::path& folder) {
  constexpr int most_seconds = 60;
  for (int tries = 0;; ++tries) {
    Result<FolderLock> lock = FolderLock::claim(folder);
    if (lock || tries == 20 * most_seconds || !FolderLock::is_held(lock.error())) return lock;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

// Beside those of this plan: of a process that was killed while it began, or of one that lost origin.json.
bool has_other_files(const fs::path& folder, const DatasetPlan& plan) {
  std::error_code code;
  const fs::path file = folder / "plan.json";
  if (fs::exists(file, code)) {
    const Result<DatasetPlan> held = read_dataset_plan(file);
    return !held || identity_of(*held) != identity_of(plan);
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, code)) {
    const std::string name = entry.path().filename().string();
    const bool is_empty_folder = (name == "samples" || name == "shards") && fs::is_empty(entry.path(), code);
    if (!name.starts_with('.') && !is_empty_folder) return true;
  }
  return false;
}

std::string restored_by_its_plan(const fs::path& folder) {
  return "`sinew dataset PLAN.json -o " + folder.string() + "` restores it";
}

// The error of a reader without the lines of the file that show the place, which are indented by four.
Error damaged(const Error& error, const std::string& remedy) {
  return {error.where, "is damaged: " + error.what.substr(0, error.what.find("\n    ")), remedy};
}

// Of the plan that a folder was begun with; none: origin.json is lost or damaged.
std::optional<std::string> begun_identity(const fs::path& folder) {
  const fs::path file = folder / "origin.json";
  const Result<std::string> text = read_file(file);
  if (!text) return std::nullopt;
  const Result<Json> json = parse_json(*text, file.string());
  const Json* identity = json ? json->find("plan_identity") : nullptr;
  return identity ? std::optional(identity->text) : std::nullopt;
}

Error of_another_plan(const fs::path& folder) {
  std::error_code code;
  const fs::path file = folder / "plan.json";
  return {folder.string(), "is the data set of another plan",
          "use another folder; its plan is " +
              (fs::exists(file, code) ? file.string() : std::string("lost, but every shard has it as \"plan\""))};
}

struct BaseMesh {
  DatasetOrigin origin;
  std::vector<double> rest;
  std::vector<int32_t> tets, middles;
};

// What the first sample's scene compiles to.
Result<BaseMesh> base_mesh(const DatasetPlan& plan, std::shared_ptr<ThreadPool> pool) {
  const Result<SampleScenes> scenes = SampleScenes::of(plan);
  if (!scenes) return scenes.error();
  const std::vector<double> table = dataset_parameters(plan);
  const Result<Scene> scene = scenes->scene(std::span(table).first(plan.parameters.size()));
  if (!scene) return scene.error();
  Result<std::unique_ptr<Engine>> engine = Engine::create(*scene, std::make_shared<DiskFiles>(), std::move(pool));
  if (!engine) return engine.error();
  const CompiledScene& compiled = (*engine)->compiled;
  BaseMesh base;
  for (const Vec3d& x : compiled.model.order.to_user(compiled.model.rest))
    base.rest.insert(base.rest.end(), {x.x, x.y, x.z});
  for (const Tet& tet : user_tets(compiled.model)) base.tets.insert(base.tets.end(), tet.begin(), tet.end());
  for (const Middles& middles : user_middles(compiled.model))
    base.middles.insert(base.middles.end(), middles.begin(), middles.end());
  for (const ProbePart& probe : compiled.probes) base.origin.probes.push_back(probe.name);
  base.origin.rest = Hash().bytes(base.rest.data(), base.rest.size() * sizeof(double)).value();
  base.origin.shape = shape_of(plan, **engine);
  base.origin.version = library_version();
  base.origin.commit = library_commit();
  base.origin.lanes = lanes_in_use();
  return base;
}

std::string origin_json(const DatasetOrigin& origin, uint64_t identity) {
  Json json = Json::object();
  json.add("format", "sinew dataset origin");
  json.add("plan_identity", hash_text(identity));
  json.add("sinew_version", origin.version);
  json.add("sinew_commit", origin.commit);
  json.add("lanes", origin.lanes);
  json.add("rest_hash", hash_text(origin.rest));
  json.add("tets_hash", hash_text(origin.shape.mesh));
  json.add("mesh_file_hash", hash_text(origin.mesh_file));
  json.add("vertices", origin.shape.vertices);
  json.add("frames", origin.shape.frames);
  Json& probes = json.add("probes", Json::array());
  for (const std::string& probe : origin.probes) probes.add(Json(probe));
  json.add("hash", hash_text(Hash().text(write_json(json)).value()));
  return write_json(json) + "\n";
}

}  // namespace

std::string hash_text(uint64_t value) {
  return format("%016llx", static_cast<unsigned long long>(value));
}

Result<uint64_t> hash_of_file(const fs::path& path) {
  const Result<std::string> bytes = read_file(path);
  if (!bytes) return bytes.error();
  return Hash().text(*bytes).value();
}

uint64_t identity_of(const DatasetPlan& plan) {
  DatasetPlan anywhere = plan;
  anywhere.name.clear();
  anywhere.base_folder = "/";
  return Hash().text(plan_json(anywhere)).value();
}

ShardHead DatasetFolder::head(int64_t shard) const {
  return {plan_, origin_.shape, identity_, origin_.version, origin_.commit, origin_.lanes, first(shard), last(shard)};
}
std::string DatasetFolder::shard_name(int64_t shard) const {
  return format("shards/%04lld.h5", static_cast<long long>(shard));
}
fs::path DatasetFolder::samples_folder(int64_t shard) const {
  return path_ / "samples" / format("%04lld", static_cast<long long>(shard));
}
fs::path DatasetFolder::sample_file(int64_t number) const {
  return samples_folder(number / plan_.shard) / format("%08lld.bin", static_cast<long long>(number));
}
bool DatasetFolder::is_written(int64_t shard) const {
  std::error_code code;
  return fs::exists(shard_file(shard), code);
}

Result<Sample> DatasetFolder::read_sample(int64_t number) const {
  const fs::path file = sample_file(number);
  const Result<std::string> bytes = read_file(file);
  if (!bytes) return bytes.error();
  Result<Sample> sample = decode_sample(*bytes, identity_, file.string());
  if (sample && sample->number != number) return Error{file.string(), "is another sample", "remove it"};
  return sample;
}

Status DatasetFolder::write_sample(const Sample& sample) const {
  return write_file_atomically(sample_file(sample.number), encode_sample(sample, identity_));
}

Status DatasetFolder::check_memory() const {
  const double bytes = static_cast<double>(std::min(plan_.shard, plan_.samples)) * origin_.shape.frames *
                       origin_.shape.vertices * 24.0 * static_cast<double>(1 + plan_.fields.size());
  const std::optional<int64_t> available = DiskFiles().available_memory();
  if (!available || 2 * bytes < static_cast<double>(*available)) return {};
  return Error{plan_.file,
               format("shard = %lld: may take %.1f GB, twice while it is written", static_cast<long long>(plan_.shard),
                      bytes / 1e9),
               "use a smaller one"};
}

Status DatasetFolder::create(std::shared_ptr<ThreadPool> pool) {
  const Result<BaseMesh> base = base_mesh(plan_, std::move(pool));
  if (!base) return base.error();
  origin_ = base->origin;
  if (const Status s = check_memory(); !s) return s;
  for (const char* folder : {"samples", "shards"})
    if (const Status s = make_folders(path_ / folder); !s) return s;
  if (const Status s = write_file_atomically(path_ / "plan.json", plan_json(plan_)); !s) return s;
  if (const Status s = write_mesh(mesh_file(), base->rest, base->tets, base->middles, origin_.probes); !s) return s;
  const Result<uint64_t> hash = hash_of_file(mesh_file());
  if (!hash) return hash.error();
  origin_.mesh_file = *hash;
  // The last: from here on it is a data set.
  return write_file_atomically(path_ / "origin.json", origin_json(origin_, identity_));
}

Status DatasetFolder::read_origin() {
  const fs::path file = path_ / "origin.json";
  const Result<std::string> text = read_file(file);
  if (!text) return text.error();
  const Result<Json> json = parse_json(*text, file.string());
  if (!json) return damaged(json.error(), restored_by_its_plan(path_));
  const auto number = [&](const char* key) {
    const Json* found = json->find(key);
    return found && found->is_number() ? found->number : -1;
  };
  const auto word = [&](const char* key) {
    const Json* found = json->find(key);
    return found ? found->text : std::string();
  };
  origin_.version = word("sinew_version");
  origin_.commit = word("sinew_commit");
  origin_.lanes = static_cast<int>(number("lanes"));
  origin_.rest = std::strtoull(word("rest_hash").c_str(), nullptr, 16);
  origin_.mesh_file = std::strtoull(word("mesh_file_hash").c_str(), nullptr, 16);
  origin_.shape.mesh = std::strtoull(word("tets_hash").c_str(), nullptr, 16);
  origin_.shape.vertices = static_cast<int32_t>(number("vertices"));
  origin_.shape.frames = static_cast<int32_t>(number("frames"));
  origin_.probes.clear();
  if (const Json* probes = json->find("probes"))
    for (const Json& probe : probes->items) origin_.probes.push_back(probe.text);
  origin_.shape.probes = static_cast<int32_t>(origin_.probes.size());
  if (word("plan_identity") != hash_text(identity_))
    return Error{(path_ / "plan.json").string(),
                 "is altered, or the plan of another folder: origin.json has another one", restored_by_its_plan(path_)};
  if (*text != origin_json(origin_, identity_) || origin_.shape.vertices < 1 || origin_.shape.frames < 1)
    return Error{file.string(), "is altered or damaged", "remove it; " + restored_by_its_plan(path_)};
  return {};
}

Status DatasetFolder::check_origin(std::shared_ptr<ThreadPool> pool) const {
  const Result<BaseMesh> base = base_mesh(plan_, std::move(pool));
  if (!base) return base.error();
  if (base->origin.rest != origin_.rest || base->origin.shape != origin_.shape)
    return Error{path_.string(), "was begun with another mesh than the scene has now",
                 "restore the mesh, or begin the data set in another folder"};
  if (base->origin.lanes != origin_.lanes)
    return Error{path_.string(),
                 format("was begun with %d lanes, and this run has %d: its last digits would differ", origin_.lanes,
                        base->origin.lanes),
                 format("use --lanes %d", origin_.lanes)};
  std::error_code code;
  const Result<uint64_t> hash =
      fs::exists(mesh_file(), code) ? hash_of_file(mesh_file()) : Result<uint64_t>(uint64_t{0});
  if (hash && *hash == origin_.mesh_file) return {};
  if (const Status s = write_mesh(mesh_file(), base->rest, base->tets, base->middles, origin_.probes); !s) return s;
  const Result<uint64_t> written = hash_of_file(mesh_file());
  if (!written || *written == origin_.mesh_file) return written ? Status() : written.error();
  // Another version of HDF5 may write the same mesh in other bytes.
  DatasetOrigin now = origin_;
  now.mesh_file = *written;
  return write_file_atomically(path_ / "origin.json", origin_json(now, identity_));
}

Result<std::unique_ptr<DatasetFolder>> DatasetFolder::begin(const fs::path& path, const DatasetPlan& plan,
                                                            std::shared_ptr<ThreadPool> pool) {
  const Result<FolderLock> lock = lock_patiently(path);
  if (!lock) return lock.error();
  const std::optional<std::string> begun = begun_identity(path);
  if (!begun) {
    if (has_other_files(path, plan))
      return Error{path.string(), "has files, but no data set", "use another folder, or empty this one"};
    std::unique_ptr<DatasetFolder> folder(new DatasetFolder());
    folder->path_ = path;
    folder->plan_ = plan;
    folder->identity_ = identity_of(plan);
    if (const Status s = folder->create(std::move(pool)); !s) return s.error();
    return folder;
  }
  if (*begun != hash_text(identity_of(plan))) return of_another_plan(path);
  Result<std::unique_ptr<DatasetFolder>> folder = open(path);
  if (folder) return folder;
  // Its plan may be lost or damaged, and origin.json says that it was this one.
  if (const Status s = write_file_atomically(path / "plan.json", plan_json(plan)); !s) return s.error();
  return open(path);
}

Result<std::unique_ptr<DatasetFolder>> DatasetFolder::open(const fs::path& path) {
  std::error_code code;
  const fs::path file = path / "plan.json";
  const bool has_plan = fs::exists(file, code);
  if (!fs::exists(path / "origin.json", code)) {
    if (has_plan && fs::exists(path / "shards", code))
      return Error{path.string(), "has no origin.json", restored_by_its_plan(path)};
    return Error{path.string(), fs::exists(path, code) ? "holds no data set" : "there is no such folder",
                 "`sinew dataset PLAN.json -o FOLDER` makes one"};
  }
  const std::string remedy = restored_by_its_plan(path) + "; every shard has it too, as \"plan\"";
  if (!has_plan) return Error{path.string(), "has lost its plan.json", remedy};
  Result<DatasetPlan> plan = read_dataset_plan(file);
  if (!plan) return damaged(plan.error(), remedy);
  std::unique_ptr<DatasetFolder> folder(new DatasetFolder());
  folder->path_ = path;
  folder->plan_ = std::move(*plan);
  folder->identity_ = identity_of(folder->plan_);
  if (const Status s = folder->read_origin(); !s) return s.error();
  return folder;
}

}  // namespace sinew
