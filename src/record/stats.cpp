#include "record/stats.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "files/atomic_file.h"
#include "files/read_file.h"
#include "io/csv.h"
#include "io/scanner.h"
#include "record/file_error.h"

namespace sinew {

namespace fs = std::filesystem;

namespace {

std::string header(const StatsColumns& columns) {
  CsvWriter csv;
  for (const char* name : {"step [-]", "time [s]", "frame [-]", "iterations [-]", "status", "residual [N]",
                           "energy [J]", "inverted [-]", "min_j [-]"})
    csv.field(name);
  for (const char* name : stage_names) csv.field(std::string(name) + " [ms]");
  if (columns.contact)
    for (const char* name :
         {"detect [ms]", "broad [ms]", "narrow [ms]", "limits [ms]", "detections [-]", "candidates [-]", "contacts [-]",
          "penetrations [-]", "smallest_gap [m]", "deepest [m]", "contact_energy [J]", "friction_work [J]",
          "limited [-]", "undivided [-]", "unreached [-]"})
      csv.field(name);
  if (columns.grid)
    for (const char* name : {"grid_parts [-]", "grid_nodes [-]", "grid_colors [-]", "vertex_residual [N]"})
      csv.field(name);
  for (const std::string& probe : columns.probes)
    for (const char axis : {'x', 'y', 'z'}) csv.field(probe + "_" + axis + " [m]");
  for (const std::string& pin : columns.pins)
    for (const char axis : {'x', 'y', 'z'}) csv.field(pin + "_force_" + axis + " [N]");
  csv.end_record();
  return csv.take();
}

// Microseconds: more digits would be meaningless.
double rounded(double milliseconds) {
  return std::round(milliseconds * 1000) / 1000;
}

// Empty if it was not evaluated.
void append_count(CsvWriter& csv, int64_t count) {
  if (count < 0)
    csv.field("");
  else
    csv.field(count);
}

void append_contact(CsvWriter& csv, const StatsOfContact& of) {
  for (const double ms : {of.detect, of.times.broad, of.times.narrow, of.times.limits}) csv.field(rounded(ms));
  for (const int64_t count : {of.detections, of.candidates, of.contacts, of.penetrations}) append_count(csv, count);
  for (const double value : {of.smallest_gap, of.deepest, of.contact_energy, of.friction_work}) csv.field(value);
  for (const int64_t count : {of.limited, of.undivided, of.unreached}) append_count(csv, count);
}

void append_grid(CsvWriter& csv, const StatsOfGrid& of) {
  for (const int64_t count : {of.counts.parts, of.counts.nodes, int64_t{of.counts.colors}}) csv.field(count);
  csv.field(of.vertex_residual);
}

void append_row(CsvWriter& csv, const StatsRow& row, size_t pins, bool contact, bool grid) {
  csv.field(row.step);
  csv.field(row.time);
  csv.field(row.frame);
  csv.field(row.iterations);
  csv.field(name_of(row.status));
  csv.field(row.residual);
  csv.field(row.energy);
  append_count(csv, row.inverted);
  csv.field(row.min_j);
  for (const double ms : row.milliseconds) csv.field(rounded(ms));
  if (contact) append_contact(csv, row.contact);
  if (grid) append_grid(csv, row.grid);
  for (const Real3& place : row.probes)
    for (const double coordinate : place) csv.field(coordinate);
  for (size_t k = 0; k < pins; ++k)
    for (size_t c = 0; c < 3; ++c) csv.field(k < row.pins.size() ? row.pins[k][c] : not_evaluated);
  csv.end_record();
}

}  // namespace

Result<StatsFile> StatsFile::create(const fs::path& path, const StatsColumns& columns) {
  if (Status status = write_file_atomically(path, header(columns)); !status) return status.error();
  return StatsFile(path, columns);
}

Result<StatsFile> StatsFile::resume(const fs::path& path, int64_t last_step, const StatsColumns& columns) {
  std::error_code code;
  if (!fs::exists(path, code)) {
    Result<StatsFile> fresh = create(path, columns);
    if (fresh) fresh->missing_.add(1, last_step);
    return fresh;
  }
  const Result<std::string> text = read_file(path);
  if (!text) return text.error();
  StatsFile file(path, columns);
  std::vector<size_t> ends;
  const auto records = parse_csv(*text, &ends);
  if (records.empty() || text->substr(0, ends[0]) != header(columns))
    return Error{
        path.string(),
        "does not begin with the columns that this version writes for the scene's probes, pins, contact and grid",
        "put the file, or the probes and pins of the run back, or start over with --overwrite"};
  size_t keep = ends[0];
  int64_t last = 0;
  for (size_t k = 1; k < records.size(); ++k) {
    int64_t step = 0;
    if (records[k].size() != records[0].size() || !to_whole(records[k][0], step) || step <= last || step > last_step)
      break;
    file.missing_.add(last + 1, step - 1);
    constexpr size_t frame_column = 2;
    file.count(records[k], k + 1 == records.size() || records[k + 1].size() != records[0].size() ||
                               records[k + 1][frame_column] != records[k][frame_column]);
    last = step;
    keep = ends[k];
  }
  file.missing_.add(last + 1, last_step);
  if (Status status = write_file_atomically(path, std::string_view(*text).substr(0, keep)); !status)
    return status.error();
  return file;
}

void StatsFile::count(const std::vector<std::string>& row, bool is_last) {
  constexpr size_t time_column = 1, status_column = 4, first_stage = 9;
  double time = 0;
  if (!to_real(row[time_column], time)) return;
  for (const SolveStatus status :
       {SolveStatus::converged, SolveStatus::stalled, SolveStatus::diverged, SolveStatus::budget})
    if (row[status_column] == name_of(status)) earlier_.add(status, time);
  if (!contact_) return;
  // As append_contact has them; what was not evaluated is empty.
  const std::string* const contact = &row[first_stage + stage_names.size()];
  int64_t penetrations = 0, undivided = 0, unreached = 0;
  double deepest = 0;
  if (to_whole(contact[13], undivided) && to_whole(contact[14], unreached))
    earlier_contacts_.add_step(unreached, undivided, time);
  if (is_last && to_whole(contact[7], penetrations) && to_real(contact[9], deepest))
    earlier_contacts_.add_frame(penetrations, deepest, time);
}

void StatsFile::add_milliseconds(Stage stage, double milliseconds) {
  if (pending_.empty())
    carried_[static_cast<size_t>(stage)] += milliseconds;
  else
    pending_.back().ms(stage) += milliseconds;
}

Status StatsFile::flush() {
  if (pending_.empty()) return {};
  for (size_t k = 0; k < carried_.size(); ++k) pending_.front().milliseconds[k] += carried_[k];
  carried_ = {};
  CsvWriter csv;
  for (const StatsRow& row : pending_) append_row(csv, row, pins_, contact_, grid_);
  pending_.clear();

  const std::string text = csv.take();
  const int descriptor = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return file_error(path_, "cannot be opened for writing", errno);
  const off_t before = ::lseek(descriptor, 0, SEEK_END);
  size_t done = 0;
  int code = 0;
  while (done < text.size() && code == 0) {
    const ssize_t count = ::write(descriptor, text.data() + done, text.size() - done);
    if (count >= 0)
      done += static_cast<size_t>(count);
    else if (errno != EINTR)
      code = errno;
  }
  // A full disk may have stored part of a row.
  if (code != 0 && before >= 0 && ::ftruncate(descriptor, before) != 0) code = errno;
  if (::close(descriptor) != 0 && code == 0) code = errno;
  if (code != 0) return file_error(path_, "cannot be written", code);
  return {};
}

}  // namespace sinew
