// dataset.json, the index of a folder whose shards are all there: what each holds, and the hashes of all files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "dataset/dataset_folder.h"

namespace sinew {

// How the index is restored.
inline constexpr const char* merge_anew = "`sinew dataset merge` writes it anew";

struct IndexedShard {
  uint64_t checksum = 0;  // of its samples
  uint64_t file = 0;      // the hash of its file; 0: unknown, since it is made anew
  int64_t failed = 0;
};
struct DatasetIndex {
  std::vector<IndexedShard> shards;  // empty: there is no index
  uint64_t joined = 0;               // the hash of dataset.h5

  // Of all samples.
  uint64_t checksum() const;
};

// Errors: it is missing though there is a dataset.h5; altered.
Result<DatasetIndex> read_index(const DatasetFolder& folder);
// As the file has it.
std::string index_json(const DatasetFolder& folder, const DatasetIndex& index);

// Before a shard that the index knows is made anew: its file will have another hash.
Status forget_shard(const DatasetFolder& folder, int64_t shard);

}  // namespace sinew
