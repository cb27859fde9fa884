#include "dataset/shard_file.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <numeric>
#include <optional>

#include "base/format.h"
#include "base/hash.h"
#include "dataset/hdf5_handle.h"
#include "dataset/plan.h"
#include "files/atomic_file.h"
#include "files/read_file.h"
#include "record/durable.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr size_t reason_length = 256;
constexpr hsize_t largest_chunk = hsize_t{4} << 20;  // [bytes]

// The library of Debian may be used by one thread at a time. It reports to nobody: the callers do.
std::unique_lock<std::mutex> alone() {
  static std::mutex mutex;
  std::unique_lock lock(mutex);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  return lock;
}

// A column of the table of samples: a number or an array for each.
struct Column {
  const char* name;
  std::vector<hsize_t> extent;  // of a sample's part; empty: one number
  hid_t type;                   // in the file
  hid_t memory;                 // of the bytes
  const char* unit;
  std::function<void*(Sample&)> bytes;
  hsize_t count() const { return std::accumulate(extent.begin(), extent.end(), hsize_t{1}, std::multiplies<>()); }
};

struct Scalars {  // of a sample, as the columns refer to them
  int64_t number = 0, checksum = 0;
  int32_t status = 0;
};

std::vector<Column> columns_of(const DatasetPlan& plan, const SampleShape& shape) {
  const auto frames = static_cast<hsize_t>(shape.frames), vertices = static_cast<hsize_t>(shape.vertices);
  const hid_t real = plan.single_precision ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
  const auto per_frame = [&](std::vector<hsize_t> rest) {
    if (plan.kind == DatasetKind::trajectory) rest.insert(rest.begin(), frames);
    return rest;
  };
  std::vector<Column> columns = {
      {"parameters",
       {plan.parameters.size()},
       H5T_IEEE_F64LE,
       H5T_NATIVE_DOUBLE,
       "",
       [](Sample& s) { return s.parameters.data(); }},
      {"energy", per_frame({}), H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, "J", [](Sample& s) { return s.energy.data(); }},
      {"residual", per_frame({}), H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, "N", [](Sample& s) { return s.residual.data(); }},
      {"relative_residual", per_frame({}), H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, "",
       [](Sample& s) { return s.relative_residual.data(); }},
      {"min_j", per_frame({}), H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, "", [](Sample& s) { return s.min_j.data(); }},
      {"iterations", per_frame({}), H5T_STD_I64LE, H5T_NATIVE_INT64, "", [](Sample& s) { return s.iterations.data(); }},
      {"seconds", {}, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, "s", [](Sample& s) { return &s.seconds; }},
      {"attempts", {}, H5T_STD_I32LE, H5T_NATIVE_INT32, "", [](Sample& s) { return &s.attempts; }},
      {"steps", {}, H5T_STD_I32LE, H5T_NATIVE_INT32, "", [](Sample& s) { return &s.steps; }},
      {"positions", per_frame({vertices, 3}), real, H5T_NATIVE_DOUBLE, "m",
       [](Sample& s) { return s.positions.data(); }},
  };
  if (plan.kind == DatasetKind::trajectory)
    std::erase_if(columns, [](const Column& c) { return std::string_view(c.name) == "relative_residual"; });
  for (const DatasetField field : plan.fields) {
    switch (field) {
      case DatasetField::reactions:
        columns.push_back({"reactions", per_frame({vertices, 3}), real, H5T_NATIVE_DOUBLE, "N",
                           [](Sample& s) { return s.reactions.data(); }});
        break;
      case DatasetField::velocities:
        columns.push_back({"velocities", per_frame({vertices, 3}), real, H5T_NATIVE_DOUBLE, "m/s",
                           [](Sample& s) { return s.velocities.data(); }});
        break;
      case DatasetField::rest_positions:
        columns.push_back({"rest_positions", {vertices, 3}, real, H5T_NATIVE_DOUBLE, "m", [](Sample& s) {
                             return s.rest_positions.data();
                           }});
        break;
      case DatasetField::probes:
        columns.push_back({"probes", per_frame({static_cast<hsize_t>(shape.probes), 3}), real, H5T_NATIVE_DOUBLE, "m",
                           [](Sample& s) { return s.probes.data(); }});
        break;
    }
  }
  return columns;
}

// What has no room of its own in a sample: its number, status and checksum, and the reason.
struct Extra {
  const char* name;
  hid_t type, memory;
};
const std::array<Extra, 3>& extras() {
  static const std::array<Extra, 3> list = {{{"sample", H5T_STD_I64LE, H5T_NATIVE_INT64},
                                             {"status", H5T_STD_I32LE, H5T_NATIVE_INT32},
                                             {"checksum", H5T_STD_U64LE, H5T_NATIVE_UINT64}}};
  return list;
}

Hdf5Type reason_type() {
  Hdf5Type type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type, reason_length);
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

// Nothing of the time or of other writers gets into a file.
Hdf5Properties created_without_times() {
  Hdf5Properties properties(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_obj_track_times(properties, false);
  return properties;
}

Hdf5Properties without_locks() {
  Hdf5Properties access(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_file_locking(access, false, true);  // a shard is never written to
  return access;
}

// A file that this process has open in another way, as h5py does, cannot be opened again: then its bytes are.
Hdf5File opened(const fs::path& path) {
  const Hdf5Properties access = without_locks();
  Hdf5File file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access));
  if (file.good()) return file;
  Result<std::string> bytes = read_file(path);
  if (!bytes || bytes->empty()) return file;
  const Hdf5Properties image(H5Pcreate(H5P_FILE_ACCESS));
  constexpr size_t increment = size_t{1} << 20;
  H5Pset_fapl_core(image, increment, false);
  H5Pset_file_image(image, bytes->data(), bytes->size());
  return Hdf5File(H5Fopen((path.string() + " in memory").c_str(), H5F_ACC_RDONLY, image));
}

bool put_text(hid_t object, const char* name, const std::string& text) {
  const Hdf5Type type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type, std::max<size_t>(text.size(), 1));
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  const Hdf5Space space(H5Screate(H5S_SCALAR));
  const Hdf5Attribute attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
  return attribute.good() && H5Awrite(attribute, type, text.empty() ? "" : text.data()) >= 0;
}

template <class T>
bool put_number(hid_t object, const char* name, hid_t type, hid_t memory, T value) {
  const Hdf5Space space(H5Screate(H5S_SCALAR));
  const Hdf5Attribute attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
  return attribute.good() && H5Awrite(attribute, memory, &value) >= 0;
}

std::string parameter_names(const DatasetPlan& plan) {
  std::string names;
  for (const DatasetParameter& parameter : plan.parameters) names += (names.empty() ? "" : "\n") + parameter.name;
  return names;
}
std::string status_names() {
  std::string names;
  for (const std::string_view name : names_of<SampleStatus>()) names += (names.empty() ? "" : "\n") + std::string(name);
  return names;
}
std::string identity_text(const ShardHead& head) {
  return format("%016llx", static_cast<unsigned long long>(head.identity));
}

bool put_head(hid_t file, const ShardHead& head) {
  return put_text(file, "format", "sinew dataset") &&
         put_number(file, "format_version", H5T_STD_I32LE, H5T_NATIVE_INT32, int32_t{1}) &&
         put_text(file, "name", head.plan.name) && put_text(file, "kind", std::string(name_of(head.plan.kind))) &&
         put_text(file, "parameter_names", parameter_names(head.plan)) &&
         put_text(file, "status_names", status_names()) && put_text(file, "plan_identity", identity_text(head)) &&
         put_text(file, "sinew_version", head.version) && put_text(file, "sinew_commit", head.commit) &&
         put_number(file, "lanes", H5T_STD_I32LE, H5T_NATIVE_INT32, int32_t{head.lanes}) &&
         put_number(file, "first", H5T_STD_I64LE, H5T_NATIVE_INT64, head.first) &&
         put_number(file, "last", H5T_STD_I64LE, H5T_NATIVE_INT64, head.last);
}

bool put_list(hid_t file, const char* name, hid_t type, hid_t memory, const std::vector<hsize_t>& dims,
              const void* bytes) {
  const Hdf5Space space(dims.empty() ? H5Screate(H5S_SCALAR)
                                     : H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr));
  const Hdf5Properties properties = created_without_times();
  const Hdf5Set set(H5Dcreate2(file, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT));
  return set.good() && (std::find(dims.begin(), dims.end(), 0) != dims.end() ||
                        H5Dwrite(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) >= 0);
}

// The plan as one text.
bool put_plan(hid_t file, const std::string& plan) {
  const Hdf5Type type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type, plan.size());
  H5Tset_cset(type, H5T_CSET_UTF8);
  return put_list(file, "plan", type, type, {}, plan.data());
}

std::vector<hsize_t> with_samples(hsize_t samples, const std::vector<hsize_t>& extent) {
  std::vector<hsize_t> dims{samples};
  dims.insert(dims.end(), extent.begin(), extent.end());
  return dims;
}

// Large arrays are stored sample by sample, compressed.
Hdf5Set create_column(hid_t file, const Column& column, hsize_t samples, int compression) {
  const std::vector<hsize_t> dims = with_samples(samples, column.extent);
  const Hdf5Space space(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr));
  const Hdf5Properties properties = created_without_times();
  const bool is_empty = std::find(dims.begin(), dims.end(), 0) != dims.end();
  if (column.extent.size() > 1 && !is_empty) {
    std::vector<hsize_t> chunk = dims;
    for (size_t k = 0; k + 1 < chunk.size(); ++k) {
      hsize_t bytes = H5Tget_size(column.type);
      for (const hsize_t n : chunk) bytes *= n;
      if (k == 0 || bytes > largest_chunk) chunk[k] = 1;
      if (k + 2 == chunk.size() && bytes > largest_chunk) chunk[k] = largest_chunk / 32;
    }
    H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data());
    if (compression > 0 && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) {
      H5Pset_shuffle(properties);
      H5Pset_deflate(properties, static_cast<unsigned>(compression));
    }
    H5Pset_fletcher32(properties);
  }
  Hdf5Set set(H5Dcreate2(file, column.name, column.type, space, H5P_DEFAULT, properties, H5P_DEFAULT));
  if (set.good() && *column.unit) put_text(set, "unit", column.unit);
  return set;
}

bool has_text(hid_t object, const char* name, const std::string& text) {
  const Hdf5Attribute attribute(H5Aopen(object, name, H5P_DEFAULT));
  if (!attribute.good()) return false;
  const Hdf5Type type(H5Aget_type(attribute));
  if (!type.good() || H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0) return false;
  std::string found(H5Tget_size(type), '\0');
  if (H5Aread(attribute, type, found.data()) < 0) return false;
  return found.c_str() == text;
}
bool has_number(hid_t object, const char* name, int64_t number) {
  const Hdf5Attribute attribute(H5Aopen(object, name, H5P_DEFAULT));
  int64_t found = 0;
  return attribute.good() && H5Aread(attribute, H5T_NATIVE_INT64, &found) >= 0 && found == number;
}

// Whether a file is that shard of that data set. It may have been made by another process, of another name.
bool has_head(hid_t file, const ShardHead& head) {
  return has_text(file, "parameter_names", parameter_names(head.plan)) &&
         has_text(file, "status_names", status_names()) && has_text(file, "plan_identity", identity_text(head)) &&
         has_number(file, "first", head.first) && has_number(file, "last", head.last);
}

// The part of one sample in a dataset. The others of its dimensions are whole.
Hdf5Space part_of(hid_t set, hsize_t row) {
  Hdf5Space space(H5Dget_space(set));
  const int rank = H5Sget_simple_extent_ndims(space);
  if (rank < 1) return Hdf5Space();
  std::vector<hsize_t> start(static_cast<size_t>(rank), 0), count(static_cast<size_t>(rank));
  H5Sget_simple_extent_dims(space, count.data(), nullptr);
  if (row >= count[0]) return Hdf5Space();
  start[0] = row, count[0] = 1;
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
  return space;
}

bool move_part(bool writes, hid_t set, hid_t memory, hsize_t row, void* bytes) {
  const Hdf5Space part = part_of(set, row);
  if (!part.good()) return false;
  const auto count = static_cast<hsize_t>(H5Sget_select_npoints(part));
  if (count == 0) return true;
  const Hdf5Space all(H5Screate_simple(1, &count, nullptr));
  return (writes ? H5Dwrite(set, memory, all, part, H5P_DEFAULT, bytes)
                 : H5Dread(set, memory, all, part, H5P_DEFAULT, bytes)) >= 0;
}

Error not_written(const fs::path& path) {
  return {path.string(), "cannot be put together in memory", "give the plan a smaller \"shard\""};
}

// A file that is filled by `fill` in memory, and then written: on a full disk HDF5 itself would crash at its end.
Status write_whole(const fs::path& path, const std::function<Status(hid_t file)>& fill) {
  std::vector<std::byte> image;
  {
    const auto lock = alone();
    constexpr size_t increment = size_t{1} << 20;
    const Hdf5Properties access(H5Pcreate(H5P_FILE_ACCESS));
    H5Pset_fapl_core(access, increment, false);
    const Hdf5Properties creation(H5Pcreate(H5P_FILE_CREATE));
    H5Pset_obj_track_times(creation, false);
    const Hdf5File file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access));
    if (!file.good()) return not_written(path);
    if (const Status s = fill(file); !s) return s;
    const ssize_t size = H5Fflush(file, H5F_SCOPE_GLOBAL) < 0 ? -1 : H5Fget_file_image(file, nullptr, 0);
    if (size <= 0) return not_written(path);
    image.resize(static_cast<size_t>(size));
    if (H5Fget_file_image(file, image.data(), image.size()) != size) return not_written(path);
  }
  if (const Status s = write_file_atomically(path, image); !s) return s;
  if (const Status s = bring_to_disk(path); !s) return s;
  return bring_to_disk(path.parent_path());
}

}  // namespace

Result<uint64_t> write_shard(const fs::path& path, const ShardHead& head,
                             const std::function<Result<Sample>(int64_t)>& sample) {
  const auto samples = static_cast<hsize_t>(head.last - head.first);
  Hash all;
  const Status written = write_whole(path, [&](hid_t file) -> Status {
    const std::vector<Column> columns = columns_of(head.plan, head.shape);
    std::vector<Hdf5Set> sets;
    for (const Column& column : columns) {
      sets.push_back(create_column(file, column, samples, head.plan.compression));
      if (!sets.back().good()) return not_written(path);
    }
    std::vector<int64_t> numbers;
    std::vector<int32_t> statuses;
    std::vector<uint64_t> checksums;
    std::string reasons;
    for (int64_t k = head.first; k < head.last; ++k) {
      Result<Sample> s = sample(k);
      if (!s) return s.error();
      for (size_t c = 0; c < columns.size(); ++c)
        if (!move_part(true, sets[c], columns[c].memory, static_cast<hsize_t>(k - head.first), columns[c].bytes(*s)))
          return not_written(path);
      numbers.push_back(k);
      statuses.push_back(static_cast<int32_t>(s->status));
      s->reason.resize(reason_length);
      reasons += s->reason;
      s->reason.resize(std::strlen(s->reason.c_str()));
      checksums.push_back(s->checksum(head.plan.single_precision));
      all.bytes(&checksums.back(), sizeof(uint64_t));
    }
    const void* lists[] = {numbers.data(), statuses.data(), checksums.data()};
    for (size_t e = 0; e < extras().size(); ++e)
      if (!put_list(file, extras()[e].name, extras()[e].type, extras()[e].memory, {samples}, lists[e]))
        return not_written(path);
    const Hdf5Type text = reason_type();
    if (!put_list(file, "reason", text, text, {samples}, reasons.data()) || !put_head(file, head) ||
        !put_plan(file, plan_json(head.plan)))
      return not_written(path);
    return {};
  });
  if (!written) return written.error();
  return all.value();
}

Status write_index(const fs::path& path, const ShardHead& head, const std::vector<std::string>& shards,
                   const std::vector<int64_t>& firsts) {
  return write_whole(path, [&](hid_t file) -> Status {
    std::vector<Column> columns = columns_of(head.plan, head.shape);
    for (const Extra& extra : extras()) columns.push_back({extra.name, {}, extra.type, extra.memory, "", {}});
    const Hdf5Type text = reason_type();
    columns.push_back({"reason", {}, text, text, "", {}});
    const auto samples = static_cast<hsize_t>(head.plan.samples);
    for (const Column& column : columns) {
      const std::vector<hsize_t> dims = with_samples(samples, column.extent);
      if (std::find(dims.begin(), dims.end(), 0) != dims.end()) continue;
      const Hdf5Space space(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr));
      const Hdf5Properties properties = created_without_times();
      for (size_t k = 0; k < shards.size(); ++k) {
        const auto first = static_cast<hsize_t>(firsts[k]);
        const hsize_t last = k + 1 < shards.size() ? static_cast<hsize_t>(firsts[k + 1]) : samples;
        std::vector<hsize_t> start(dims.size(), 0), count = dims;
        start[0] = first, count[0] = last - first;
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
        const Hdf5Space source(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr));
        H5Pset_virtual(properties, space, shards[k].c_str(), column.name, source);
      }
      H5Sselect_all(space);
      const Hdf5Set set(H5Dcreate2(file, column.name, column.type, space, H5P_DEFAULT, properties, H5P_DEFAULT));
      if (!set.good()) return not_written(path);
      if (*column.unit) put_text(set, "unit", column.unit);
    }
    if (!put_head(file, head)) return not_written(path);
    return {};
  });
}

Status write_mesh(const fs::path& path, const std::vector<double>& rest_positions, const std::vector<int32_t>& tets,
                  const std::vector<int32_t>& middles, const std::vector<std::string>& probes) {
  return write_whole(path, [&](hid_t file) -> Status {
    std::string names;
    for (const std::string& probe : probes) names += (names.empty() ? "" : "\n") + probe;
    const bool good = put_list(file, "rest_positions", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE,
                               {rest_positions.size() / 3, 3}, rest_positions.data()) &&
                      put_list(file, "tets", H5T_STD_I32LE, H5T_NATIVE_INT32, {tets.size() / 4, 4}, tets.data()) &&
                      (middles.empty() || put_list(file, "middles", H5T_STD_I32LE, H5T_NATIVE_INT32,
                                                   {middles.size() / 6, 6}, middles.data())) &&
                      put_text(file, "probe_names", names);
    if (!good) return not_written(path);
    return {};
  });
}

struct ShardReader::Content {
  fs::path path;
  const DatasetPlan* plan;
  SampleShape shape;
  int64_t first, last;
  Hdf5File file;
  std::vector<Column> columns;
  std::vector<Hdf5Set> sets;
  std::array<Hdf5Set, 3> of_extras;
  Hdf5Set reasons;

  Error damaged(const std::string& what) const {
    return {path.string(), what, "remove it; `sinew dataset resume` makes its samples anew"};
  }
};

ShardReader::ShardReader(std::unique_ptr<Content> content) : content_(std::move(content)) {}
ShardReader::ShardReader(ShardReader&&) noexcept = default;
ShardReader::~ShardReader() {
  if (!content_) return;
  const auto lock = alone();
  content_.reset();
}

Result<ShardReader> ShardReader::open(const fs::path& path, const ShardHead& head) {
  std::error_code code;
  if (!fs::exists(path, code)) return Error{path.string(), "is missing", "`sinew dataset resume` makes its samples"};
  const auto lock = alone();
  auto content = std::make_unique<Content>();
  Content& c = *content;
  c.path = path, c.plan = &head.plan, c.shape = head.shape, c.first = head.first, c.last = head.last;
  c.file = opened(path);
  if (!c.file.good()) return c.damaged("is cut short, altered or no HDF5 file");
  if (!has_head(c.file, head)) return c.damaged("is altered, or belongs to another data set");
  const auto open = [&](const char* name) { return Hdf5Set(H5Dopen2(c.file, name, H5P_DEFAULT)); };
  c.columns = columns_of(head.plan, head.shape);
  bool good = true;
  for (const Column& column : c.columns) {
    c.sets.push_back(open(column.name));
    if (!c.sets.back().good()) {
      good = false;
      continue;
    }
    const Hdf5Space space(H5Dget_space(c.sets.back()));
    std::vector<hsize_t> dims(static_cast<size_t>(std::max(H5Sget_simple_extent_ndims(space), 1)));
    H5Sget_simple_extent_dims(space, dims.data(), nullptr);
    good = good && dims == with_samples(static_cast<hsize_t>(c.last - c.first), column.extent);
  }
  for (size_t e = 0; e < extras().size(); ++e) {
    c.of_extras[e] = open(extras()[e].name);
    good = good && c.of_extras[e].good();
  }
  c.reasons = open("reason");
  if (!good || !c.reasons.good()) return c.damaged("lacks some of its content, or belongs to another plan");
  return ShardReader(std::move(content));
}

Result<Sample> ShardReader::sample(int64_t number) const {
  const Content& c = *content_;
  const auto row = static_cast<hsize_t>(number - c.first);
  const auto lock = alone();
  Sample sample;
  sample.fill(*c.plan, c.shape);
  sample.parameters.resize(c.plan->parameters.size());
  bool good = true;
  for (size_t k = 0; k < c.columns.size(); ++k)
    good = good && move_part(false, c.sets[k], c.columns[k].memory, row, c.columns[k].bytes(sample));
  int32_t status = 0;
  uint64_t checksum = 0;
  void* const values[] = {&sample.number, &status, &checksum};
  for (size_t e = 0; e < extras().size(); ++e)
    good = good && move_part(false, c.of_extras[e], extras()[e].memory, row, values[e]);
  std::string reason(reason_length, '\0');
  good = good && move_part(false, c.reasons, reason_type(), row, reason.data());
  if (!good) return c.damaged(format("sample %lld cannot be read", static_cast<long long>(number)));
  sample.reason = reason.c_str();
  sample.status = static_cast<SampleStatus>(status);
  if (sample.number != number || sample.checksum(c.plan->single_precision) != checksum)
    return c.damaged(format("sample %lld is altered: its checksum is another", static_cast<long long>(number)));
  return sample;
}

Result<std::vector<SampleStatus>> ShardReader::statuses() const {
  const Content& c = *content_;
  const auto lock = alone();
  std::vector<int32_t> numbers(static_cast<size_t>(c.last - c.first));
  if (H5Dread(c.of_extras[1], H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()) < 0)
    return c.damaged("cannot be read");
  std::vector<SampleStatus> statuses;
  for (const int32_t number : numbers) statuses.push_back(static_cast<SampleStatus>(number));
  return statuses;
}

Result<std::string> ShardReader::reason(int64_t number) const {
  const Content& c = *content_;
  const auto lock = alone();
  std::string reason(reason_length, '\0');
  if (!move_part(false, c.reasons, reason_type(), static_cast<hsize_t>(number - c.first), reason.data()))
    return c.damaged("cannot be read");
  return std::string(reason.c_str());
}

}  // namespace sinew
