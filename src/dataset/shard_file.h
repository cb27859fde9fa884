// The files of a data set in HDF5: shards, the mesh, and the index through which all shards read as one. Equal samples
// give equal bytes, but for `seconds`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "dataset/sample.h"

namespace sinew {

// What a file says of the data set it belongs to.
struct ShardHead {
  const DatasetPlan& plan;
  SampleShape shape;
  uint64_t identity = 0;        // of the plan
  std::string version, commit;  // of Sinew
  int lanes = 0;
  int64_t first = 0, last = 0;  // samples
};

// Writes the samples [first, last), as `sample` returns them one after the other. The file appears whole or not at all.
// Returns the checksum of all. Errors: those of `sample`, a full disk.
Result<uint64_t> write_shard(const std::filesystem::path& path, const ShardHead& head,
                             const std::function<Result<Sample>(int64_t number)>& sample);

// The datasets of shards, relative to `folder`, joined to one file.
Status write_index(const std::filesystem::path& path, const ShardHead& head, const std::vector<std::string>& shards,
                   const std::vector<int64_t>& firsts);

// The mesh that all samples share: rest positions [m] as the plan's scene has them, tets, and if there are any the
// middles of quadratic ones, six a tet.
Status write_mesh(const std::filesystem::path& path, const std::vector<double>& rest_positions,
                  const std::vector<int32_t>& tets, const std::vector<int32_t>& middles,
                  const std::vector<std::string>& probes);

class ShardReader {
 public:
  // Errors: no such file, one that is cut short, of another data set or of other samples.
  static Result<ShardReader> open(const std::filesystem::path& path, const ShardHead& head);
  ShardReader(ShardReader&&) noexcept;
  ~ShardReader();

  // Errors: it is cut short or altered, so that its checksum is another than stored.
  Result<Sample> sample(int64_t number) const;
  // How each of its samples ended, and why those that failed did.
  Result<std::vector<SampleStatus>> statuses() const;
  Result<std::string> reason(int64_t number) const;

 private:
  struct Content;
  explicit ShardReader(std::unique_ptr<Content> content);
  std::unique_ptr<Content> content_;
};

}  // namespace sinew
