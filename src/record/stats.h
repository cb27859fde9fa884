// stats.csv: one row per step, units in the header (RFC 4180). Rows are appended at every frame in one write; a row cut
// off by a kill has no line end and is ignored by readers and by a resumed run.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "base/result.h"
#include "record/gaps.h"
#include "sinew/real3.h"
#include "sinew/report.h"

namespace sinew {

// The stages of a step, in the order of their columns.
enum class Stage { predict, solve, velocities, evaluate, write };
inline constexpr std::array<const char*, 5> stage_names = {"predict", "solve", "velocities", "evaluate", "write"};

// NaN: not evaluated; the field stays empty.
inline constexpr double not_evaluated = std::numeric_limits<double>::quiet_NaN();

// What a step says of contacts.
struct StatsOfContact {
  double detect = 0;  // [ms]
  ContactTimes times;
  int64_t detections = 0;  // StepReport
  int64_t candidates = 0, limited = 0, undivided = 0, unreached = 0;
  int64_t contacts = -1, penetrations = -1;  // Evaluation; -1: not evaluated
  // A gap that is infinite, as nothing is near, is an empty field too.
  double smallest_gap = not_evaluated, deepest = not_evaluated;          // [m]
  double contact_energy = not_evaluated, friction_work = not_evaluated;  // [J]
};

// What a step says of a grid.
struct StatsOfGrid {
  GridCounts counts;
  double vertex_residual = not_evaluated;  // [N]
};

struct StatsRow {
  int64_t step = 0;   // 1 is the first
  double time = 0;    // [s] at its end
  int64_t frame = 0;  // the frame it leads to
  int iterations = 0;
  SolveStatus status = SolveStatus::budget;
  double residual = not_evaluated;  // [N]
  double energy = not_evaluated;    // [J]
  int64_t inverted = -1;            // elements; -1: not evaluated
  double min_j = not_evaluated;     // [-]
  std::vector<Real3> probes;        // [m], as the file's columns
  std::vector<Real3> pins;          // [N], as the file's columns; empty: not evaluated
  std::array<double, stage_names.size()> milliseconds{};
  StatsOfContact contact;  // written if the file has columns for it, as is the grid
  StatsOfGrid grid;

  double& ms(Stage stage) { return milliseconds[static_cast<size_t>(stage)]; }
};

// The additional columns: of probes and pins three each, by their names.
struct StatsColumns {
  std::vector<std::string> probes{};  // NAME_x [m]: positions
  std::vector<std::string> pins{};    // NAME_force_x [N]: the forces that pins exert
  bool contact = false;               // those of contact, for scenes that have it: other files keep their width
  bool grid = false;                  // those of a grid, likewise
};

// How steps ended.
struct StepCounts {
  int64_t steps = 0, out_of_iterations = 0, stalled = 0, diverged = 0;
  double diverged_since = 0;  // [s] the end of the first that diverged

  void add(SolveStatus status, double time) {
    ++steps;
    out_of_iterations += status == SolveStatus::budget;
    stalled += status == SolveStatus::stalled;
    if (status == SolveStatus::diverged && diverged++ == 0) diverged_since = time;
  }
};

// What frames and steps said of contacts.
struct ContactTotals {
  int64_t frames = 0, penetrating = 0;  // frames that were evaluated, and those with penetrations
  double deepest = 0, deepest_at = 0;   // [m], [s]
  int64_t short_of = 0, undivided = 0;  // steps with unreached scripts, or undivided pairs
  int64_t most_unreached = 0, most_undivided = 0;
  double short_since = 0, undivided_since = 0;  // [s] the end of the first such step

  void add_frame(int64_t penetrations, double depth, double time) {
    ++frames;
    if (penetrations == 0) return;
    ++penetrating;
    if (!(depth > deepest)) return;
    deepest = depth;
    deepest_at = time;
  }
  void add_step(int64_t unreached, int64_t undivided_pairs, double time) {
    if (undivided_pairs > 0 && undivided++ == 0) undivided_since = time;
    most_undivided = std::max(most_undivided, undivided_pairs);
    if (unreached > 0 && short_of++ == 0) short_since = time;
    most_unreached = std::max(most_unreached, unreached);
  }
};

// The file of a run, open for appending.
class StatsFile {
 public:
  // Writes the header.
  static Result<StatsFile> create(const std::filesystem::path& path, const StatsColumns& columns = {});
  // Keeps the rows up to and including `last_step`, drops the others, and continues after them. missing() reports
  // missing rows or a missing file. Errors: other columns, not readable, cannot be written.
  static Result<StatsFile> resume(const std::filesystem::path& path, int64_t last_step,
                                  const StatsColumns& columns = {});

  // The steps without a row, up to the resumed one.
  const Gaps& missing() const { return missing_; }
  // Of the rows that were kept.
  const StepCounts& earlier() const { return earlier_; }
  const ContactTotals& earlier_contacts() const { return earlier_contacts_; }

  void add(const StatsRow& row) { pending_.push_back(row); }
  // Adds to the time of the latest row that is not flushed, or else of the next row.
  void add_milliseconds(Stage stage, double milliseconds);
  Status flush();
  // Drops the rows not yet flushed.
  void drop() { pending_.clear(); }

 private:
  StatsFile(std::filesystem::path path, const StatsColumns& columns)
      : path_(std::move(path)), pins_(columns.pins.size()), contact_(columns.contact), grid_(columns.grid) {}

  // is_last: of its frame
  void count(const std::vector<std::string>& row, bool is_last);

  std::filesystem::path path_;
  size_t pins_;          // that every row has
  bool contact_, grid_;  // whether it has these
  Gaps missing_;
  StepCounts earlier_;
  ContactTotals earlier_contacts_;
  std::vector<StatsRow> pending_;
  std::array<double, stage_names.size()> carried_{};  // for the next row
};

}  // namespace sinew
