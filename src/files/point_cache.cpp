#include "files/point_cache.h"

#include <limits>
#include <utility>

#include "base/format.h"
#include "io/bytes.h"

namespace sinew {

namespace {

template <class T>
void append_ordered(std::string& bytes, T value, bool swap) {
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  append_bytes(bytes, load<T>(raw, swap));
}

bool must_swap(PointCacheFormat format) {
  return (format == PointCacheFormat::pc2) != machine_is_little;
}

}  // namespace

Result<PointCacheWriter> PointCacheWriter::create(const std::filesystem::path& path, PointCacheFormat format,
                                                  size_t point_count, std::span<const double> times) {
  constexpr size_t kMost = std::numeric_limits<int32_t>::max();
  if (point_count > kMost || times.size() > kMost)
    return Error{path.string(),
                 sinew::format("%zu points in %zu frames: the format counts to %zu", point_count, times.size(), kMost),
                 "write fewer frames"};
  Result<AtomicFile> file = AtomicFile::create(path);
  if (!file) return file.error();

  std::string head;
  const bool swap = must_swap(format);
  if (format == PointCacheFormat::pc2) {
    head.append("POINTCACHE2\0", 12);
    append_ordered<int32_t>(head, 1, swap);
    append_ordered(head, static_cast<int32_t>(point_count), swap);
    append_ordered(head, 0.0f, swap);  // start
    append_ordered(head, 1.0f, swap);  // sampling: one sample per frame
    append_ordered(head, static_cast<int32_t>(times.size()), swap);
  } else {
    append_ordered(head, static_cast<int32_t>(times.size()), swap);
    append_ordered(head, static_cast<int32_t>(point_count), swap);
    for (const double time : times) append_ordered(head, static_cast<float>(time), swap);
  }
  if (Status status = file->write(head); !status) return status.error();
  return PointCacheWriter(std::move(*file), format, point_count, times.size());
}

Status PointCacheWriter::add(std::span<const Vec3f> points) {
  SINEW_ASSERT(points.size() == point_count_ && missing_ > 0);
  --missing_;
  if (!must_swap(format_)) return file_.write(std::as_bytes(points));
  bytes_.clear();
  for (const Vec3f& p : points)
    for (const float value : {p.x, p.y, p.z}) append_ordered(bytes_, value, true);
  return file_.write(bytes_);
}

Status PointCacheWriter::commit() {
  SINEW_ASSERT(missing_ == 0);
  return file_.commit();
}

}  // namespace sinew
