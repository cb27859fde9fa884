// The folder of a data set:
//
//   plan.json            the plan, with its scene and table inside
//   origin.json          what began it: version, lanes, the mesh's hash and sizes
//   mesh.h5              rest positions and tets
//   samples/0003/        the finished samples of a shard that is not written yet, one file each
//   shards/0003.h5       a shard
//   dataset.json, .h5    once all shards are there: their checksums, and one file through which they are read
//
// Files appear whole or not at all. Who works on a shard holds the lock of its folder in samples/; who begins or ends
// the data set that of the folder itself. Locks end with their process.
#pragma once

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/scene_files.h"
#include "dataset/shard_file.h"
#include "dataset/solve_sample.h"
#include "sinew/dataset.h"

namespace sinew {

struct DatasetOrigin {
  std::string version, commit;  // of Sinew
  int lanes = 0;
  uint64_t rest = 0;       // a hash of the first sample's rest positions
  uint64_t mesh_file = 0;  // of mesh.h5
  SampleShape shape;
  std::vector<std::string> probes;
};

class DatasetFolder {
 public:
  // Makes the folder, or opens it if it is of this plan, which restores plan.json and origin.json. Errors: other files,
  // another plan, those of the first sample's scene.
  static Result<std::unique_ptr<DatasetFolder>> begin(const std::filesystem::path& path, const DatasetPlan& plan,
                                                      std::shared_ptr<ThreadPool> pool);
  // Errors: no such folder, or one that is damaged.
  static Result<std::unique_ptr<DatasetFolder>> open(const std::filesystem::path& path);

  // Whether a shard can be put together in memory.
  Status check_memory() const;
  // Compiles the scene of the first sample again, and restores mesh.h5 where it is damaged. Errors: the mesh has
  // changed, or the lanes are others.
  Status check_origin(std::shared_ptr<ThreadPool> pool) const;

  const std::filesystem::path& path() const { return path_; }
  const DatasetPlan& plan() const { return plan_; }
  const DatasetOrigin& origin() const { return origin_; }
  uint64_t identity() const { return identity_; }

  int64_t shards() const { return (plan_.samples + plan_.shard - 1) / plan_.shard; }
  int64_t first(int64_t shard) const { return shard * plan_.shard; }
  int64_t last(int64_t shard) const { return std::min(plan_.samples, (shard + 1) * plan_.shard); }
  ShardHead head(int64_t shard) const;
  std::string shard_name(int64_t shard) const;  // relative to the folder
  std::filesystem::path shard_file(int64_t shard) const { return path_ / shard_name(shard); }
  std::filesystem::path samples_folder(int64_t shard) const;
  std::filesystem::path sample_file(int64_t number) const;
  std::filesystem::path mesh_file() const { return path_ / "mesh.h5"; }
  std::filesystem::path index_file() const { return path_ / "dataset.json"; }
  std::filesystem::path joined_file() const { return path_ / "dataset.h5"; }
  bool is_written(int64_t shard) const;

  // A finished sample of a shard that is not written. Errors: missing, damaged.
  Result<Sample> read_sample(int64_t number) const;
  Status write_sample(const Sample& sample) const;

 private:
  DatasetFolder() = default;
  Status create(std::shared_ptr<ThreadPool> pool);
  Status read_origin();

  std::filesystem::path path_;
  DatasetPlan plan_;
  DatasetOrigin origin_;
  uint64_t identity_ = 0;
};

// As it is written into files: sixteen digits.
std::string hash_text(uint64_t value);
// Of a file's content.
Result<uint64_t> hash_of_file(const std::filesystem::path& path);

// The same for equal plans, wherever their files lie.
uint64_t identity_of(const DatasetPlan& plan);

}  // namespace sinew
