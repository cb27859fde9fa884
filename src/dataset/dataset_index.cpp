#include "dataset/dataset_index.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "base/hash.h"
#include "files/atomic_file.h"
#include "files/read_file.h"
#include "scene/json.h"
#include "sinew/folder.h"

namespace sinew {

namespace fs = std::filesystem;

uint64_t DatasetIndex::checksum() const {
  Hash all;
  for (const IndexedShard& shard : shards) all.bytes(&shard.checksum, sizeof shard.checksum);
  return all.value();
}

Result<DatasetIndex> read_index(const DatasetFolder& folder) {
  DatasetIndex index;
  std::error_code code;
  const fs::path path = folder.index_file();
  if (!fs::exists(path, code)) {
    // Of the two it is the one that is written last.
    if (fs::exists(folder.joined_file(), code)) return Error{path.string(), "is missing", merge_anew};
    return index;
  }
  const Error altered{path.string(), "is altered or cut short", merge_anew};
  const Result<std::string> text = read_file(path);
  if (!text) return text.error();
  const Result<Json> json = parse_json(*text, path.string());
  if (!json) return altered;
  const auto hash = [](const Json& object, const char* key) {
    const Json* found = object.find(key);
    return found ? std::strtoull(found->text.c_str(), nullptr, 16) : 0;
  };
  const Json* list = json->find("shards");
  if (!list || static_cast<int64_t>(list->items.size()) != folder.shards()) return altered;
  for (const Json& item : list->items) {
    const Json* failed = item.find("failed");
    index.shards.push_back({hash(item, "checksum"), hash(item, "file_hash"),
                            failed && failed->is_number() ? static_cast<int64_t>(failed->number) : 0});
  }
  index.joined = hash(*json, "index_hash");
  // All that it says follows from the folder and from these.
  if (*text != index_json(folder, index)) return altered;
  return index;
}

std::string index_json(const DatasetFolder& folder, const DatasetIndex& index) {
  Json json = Json::object();
  json.add("format", "sinew dataset");
  json.add("version", 1);
  json.add("name", folder.plan().name);
  json.add("samples", folder.plan().samples);
  json.add("plan_identity", hash_text(folder.identity()));
  json.add("sinew_version", folder.origin().version);
  json.add("sinew_commit", folder.origin().commit);
  json.add("lanes", folder.origin().lanes);
  int64_t failed = 0;
  Json shards = Json::array();
  for (int64_t shard = 0; shard < folder.shards(); ++shard) {
    const IndexedShard& of = index.shards[static_cast<size_t>(shard)];
    failed += of.failed;
    Json item = Json::object();
    item.add("file", folder.shard_name(shard));
    item.add("first", folder.first(shard));
    item.add("last", folder.last(shard));
    item.add("failed", of.failed);
    item.add("checksum", hash_text(of.checksum));
    item.add("file_hash", of.file ? hash_text(of.file) : std::string());
    shards.add(std::move(item));
  }
  json.add("failed", failed);
  json.add("index_hash", hash_text(index.joined));
  json.add("checksum", hash_text(index.checksum()));
  json.add("shards", std::move(shards));
  return write_json(json) + "\n";
}

Status forget_shard(const DatasetFolder& folder, int64_t shard) {
  std::error_code code;
  if (!fs::exists(folder.index_file(), code)) return {};
  // Others may forget theirs at this moment.
  constexpr int most_tries = 200;
  Result<FolderLock> lock = FolderLock::acquire(folder.path());
  for (int tries = 0; !lock && FolderLock::is_held(lock.error()) && tries < most_tries; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    lock = FolderLock::acquire(folder.path());
  }
  if (!lock) return lock.error();
  Result<DatasetIndex> index = read_index(folder);
  if (!index || index->shards.empty()) return {};  // it is written anew in the end
  index->shards[static_cast<size_t>(shard)].file = 0;
  return write_file_atomically(folder.index_file(), index_json(folder, *index));
}

}  // namespace sinew
