// Checks that every file in an output folder is complete, whenever its writer stopped.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "files/read_file.h"
#include "io/csv.h"
#include "io/vtu.h"
#include "record/run_reader.h"

namespace sinew {

// Reads every file under a final name; hidden files are leftovers and do not count. `identity` is that of its
// checkpoint.
inline void expect_whole_files(const std::filesystem::path& folder, const CheckpointIdentity& identity,
                               size_t vertex_count) {
  namespace fs = std::filesystem;
  const OutputPaths paths(folder);
  if (!fs::exists(paths.run_file())) return;  // stopped before it began
  const Result<RunSummary> summary = read_run_file(paths.run_file());
  ASSERT_TRUE(summary) << summary.error().message();

  std::vector<RecordedSurface> surfaces;
  size_t point_count = 0;
  if (fs::exists(paths.rest())) {
    Result<std::vector<RecordedSurface>> rest = load_rest(paths.rest());
    ASSERT_TRUE(rest) << rest.error().message();
    surfaces = std::move(*rest);
    for (const RecordedSurface& surface : surfaces) point_count += static_cast<size_t>(surface.point_count);
  }
  const std::vector<int64_t> frames = list_frames(paths.surface(), ".bin");
  for (const int64_t frame : frames) {
    const Result<SurfaceFrame> data = load_surface_frame(paths.surface_frame(frame), point_count);
    EXPECT_TRUE(data) << data.error().message();
  }
  EXPECT_LE(summary->progress.frames_written, static_cast<int64_t>(frames.size()));

  for (const int64_t frame : list_frames(paths.frames(), ".vtu")) {
    const std::string file = read_file(paths.volume_frame(frame)).value();
    EXPECT_TRUE(file.ends_with("</VTKFile>\n")) << frame;
    const Result<MeshData> data = parse_vtu(file, "frame");
    ASSERT_TRUE(data) << data.error().message();
    EXPECT_EQ(data->vertices.size(), vertex_count);
  }
  if (fs::exists(paths.pvd())) {
    const std::string pvd = read_file(paths.pvd()).value();
    EXPECT_TRUE(pvd.ends_with("</VTKFile>\n"));
    for (size_t at = pvd.find("file=\""); at != std::string::npos; at = pvd.find("file=\"", at + 1)) {
      const std::string name = pvd.substr(at + 6, pvd.find('"', at + 6) - at - 6);
      EXPECT_TRUE(fs::exists(folder / name)) << name;
    }
  }
  for (const RecordedSurface& surface : surfaces) {
    const fs::path pc2 = paths.surface() / (surface.file + ".pc2");
    if (!fs::exists(pc2)) continue;
    const std::string bytes = read_file(pc2).value();
    ASSERT_GE(bytes.size(), 32u);
    int32_t points = 0, samples = 0;
    std::memcpy(&points, bytes.data() + 16, 4);
    std::memcpy(&samples, bytes.data() + 28, 4);
    EXPECT_EQ(points, surface.point_count);
    EXPECT_EQ(bytes.size(), 32u + 12u * static_cast<size_t>(points) * static_cast<size_t>(samples));
  }
  if (fs::exists(paths.checkpoint())) {
    const Result<Checkpoint> checkpoint = load_checkpoint(paths.checkpoint(), identity);
    ASSERT_TRUE(checkpoint) << checkpoint.error().message();
    // Everything it refers to exists.
    EXPECT_EQ(std::count_if(frames.begin(), frames.end(), [&](int64_t f) { return f <= checkpoint->frame; }),
              checkpoint->frames_written);
    const auto stats = parse_csv(read_file(paths.stats()).value());
    EXPECT_GT(static_cast<int64_t>(stats.size()), checkpoint->state.step);
  }
  if (!fs::exists(paths.stats())) return;
  for (const auto& record : parse_csv(read_file(paths.stats()).value())) EXPECT_EQ(record.size(), 14u);
}

}  // namespace sinew
