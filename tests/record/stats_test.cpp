// Source: the promises of record/stats.h; the format is that of RFC 4180.
#include "record/stats.h"

#include <gtest/gtest.h>

#include <fstream>

#include "files/read_file.h"
#include "io/csv.h"
#include "io/says.h"
#include "io/temporary_folder.h"

namespace sinew {
namespace {

class StatsTest : public TemporaryFolder {
 protected:
  std::filesystem::path path() const { return folder() / "stats.csv"; }
  std::string text() const { return read_file(path()).value(); }
};

StatsRow row(int64_t step) {
  StatsRow r;
  r.step = step;
  r.time = 0.25 * static_cast<double>(step);
  r.frame = (step + 1) / 2;
  r.iterations = 40;
  r.status = SolveStatus::converged;
  r.residual = 1e-3;
  r.energy = 12.5;
  r.inverted = 0;
  r.min_j = 0.75;
  r.milliseconds = {1, 2.00049, 0.5, 0, 0};
  return r;
}

TEST_F(StatsTest, HasUnitsInTheHeaderAndARowPerStep) {
  Result<StatsFile> stats = StatsFile::create(path());
  ASSERT_TRUE(stats);
  stats->add(row(1));
  StatsRow unevaluated = row(2);
  unevaluated.residual = unevaluated.energy = unevaluated.min_j = not_evaluated;
  unevaluated.inverted = -1;
  stats->add(unevaluated);
  stats->add_milliseconds(Stage::write, 7);
  ASSERT_TRUE(stats->flush());
  stats->add_milliseconds(Stage::write, 3);  // of a checkpoint: counted with the next step
  stats->add(row(3));
  ASSERT_TRUE(stats->flush());
  EXPECT_EQ(text(),
            "step [-],time [s],frame [-],iterations [-],status,residual [N],energy [J],inverted [-],min_j [-],"
            "predict [ms],solve [ms],velocities [ms],evaluate [ms],write [ms]\r\n"
            "1,0.25,1,40,converged,0.001,12.5,0,0.75,1,2,0.5,0,0\r\n"
            "2,0.5,1,40,converged,,,,,1,2,0.5,0,7\r\n"
            "3,0.75,2,40,converged,0.001,12.5,0,0.75,1,2,0.5,0,3\r\n");
}

TEST_F(StatsTest, TellsOfPlacesBehindTheTimes) {
  {
    Result<StatsFile> stats = StatsFile::create(path(), {{"tip", "end"}, {}});
    ASSERT_TRUE(stats);
    StatsRow r = row(1);
    r.probes = {{1, 2, 3}, {-0.5, 0, 0.25}};
    stats->add(r);
    ASSERT_TRUE(stats->flush());
  }
  EXPECT_NE(text().find("write [ms],tip_x [m],tip_y [m],tip_z [m],end_x [m],end_y [m],end_z [m]\r\n"),
            std::string::npos);
  EXPECT_NE(text().find(",0,1,2,3,-0.5,0,0.25\r\n"), std::string::npos) << text();
  EXPECT_TRUE(StatsFile::resume(path(), 1, {{"tip", "end"}, {}}).ok());
  const auto others = StatsFile::resume(path(), 1, {{"tip"}, {}});
  ASSERT_FALSE(others.ok());
  EXPECT_NE(others.error().message().find("probes"), std::string::npos) << others.error().message();
}

TEST_F(StatsTest, TellsTheForcesOfPinsWhereTheyWereMeasured) {
  const StatsColumns columns{{"tip"}, {"grip", "pin_1"}};
  {
    Result<StatsFile> stats = StatsFile::create(path(), columns);
    ASSERT_TRUE(stats);
    StatsRow r = row(1);
    r.probes = {{1, 2, 3}};
    stats->add(r);
    r.step = 2;
    r.pins = {{4, 5, 6}, {-7, 0, 0.5}};
    stats->add(r);
    ASSERT_TRUE(stats->flush());
  }
  EXPECT_TRUE(says(text(),
                   ",tip_z [m],grip_force_x [N],grip_force_y [N],grip_force_z [N],pin_1_force_x [N],"
                   "pin_1_force_y [N],pin_1_force_z [N]\r\n"));
  EXPECT_TRUE(says(text(), ",0,1,2,3,,,,,,\r\n"));
  EXPECT_TRUE(says(text(), ",0,1,2,3,4,5,6,-7,0,0.5\r\n"));
  EXPECT_TRUE(StatsFile::resume(path(), 2, columns).ok());
  EXPECT_FALSE(StatsFile::resume(path(), 2, {{"tip"}, {"grip"}}).ok());
}

TEST_F(StatsTest, TellsOfContactBetweenTimesAndPlaces) {
  const StatsColumns columns{.probes = {"tip"}, .contact = true};
  {
    Result<StatsFile> stats = StatsFile::create(path(), columns);
    ASSERT_TRUE(stats);
    StatsRow r = row(1);
    r.probes = {{1, 2, 3}};
    r.contact = {.detect = 1.50049,
                 .times = {0.5, 0.25, 0},
                 .detections = 2,
                 .candidates = 70,
                 .limited = 5,
                 .undivided = 6,
                 .unreached = 7};
    stats->add(r);
    r.step = 2;
    r.contact.contacts = 8;
    r.contact.penetrations = 1;
    r.contact.smallest_gap = -0.25;
    r.contact.deepest = 0.25;
    r.contact.contact_energy = 0.5;
    r.contact.friction_work = -0.125;
    stats->add(r);
    ASSERT_TRUE(stats->flush());
  }
  EXPECT_TRUE(says(text(),
                   ",write [ms],detect [ms],broad [ms],narrow [ms],limits [ms],detections [-],candidates [-],contacts "
                   "[-],penetrations [-],"
                   "smallest_gap [m],deepest [m],contact_energy [J],friction_work [J],limited [-],undivided [-],"
                   "unreached [-],tip_x [m],"));
  EXPECT_TRUE(says(text(), ",0,1.5,0.5,0.25,0,2,70,,,,,,,5,6,7,1,2,3\r\n")) << text();
  EXPECT_TRUE(says(text(), ",0,1.5,0.5,0.25,0,2,70,8,1,-0.25,0.25,0.5,-0.125,5,6,7,1,2,3\r\n")) << text();
  EXPECT_TRUE(StatsFile::resume(path(), 2, columns).ok());
  const auto without = StatsFile::resume(path(), 2, {.probes = {"tip"}});
  ASSERT_FALSE(without.ok());
  EXPECT_TRUE(says(without.error().message(), "contact"));
}

TEST_F(StatsTest, ResumingDropsLaterRowsAndCutOffOnes) {
  {
    Result<StatsFile> stats = StatsFile::create(path());
    ASSERT_TRUE(stats);
    for (int64_t step = 1; step <= 6; ++step) stats->add(row(step));
    ASSERT_TRUE(stats->flush());
  }
  std::ofstream(path(), std::ios::app | std::ios::binary) << "7,1.7";
  Result<StatsFile> stats = StatsFile::resume(path(), 4);
  ASSERT_TRUE(stats);
  stats->add(row(5));
  ASSERT_TRUE(stats->flush());
  const auto records = parse_csv(text());
  ASSERT_EQ(records.size(), 6u);
  for (size_t step = 1; step <= 5; ++step) EXPECT_EQ(records[step][0], std::to_string(step));
}

TEST_F(StatsTest, ResumingTellsOfRowsThatAreMissing) {
  {
    Result<StatsFile> stats = StatsFile::create(path());
    ASSERT_TRUE(stats);
    for (const int64_t step : {1, 2, 5, 6}) stats->add(row(step));
    ASSERT_TRUE(stats->flush());
  }
  EXPECT_TRUE(StatsFile::resume(path(), 2)->missing().empty());
  std::filesystem::remove(path());
  {
    Result<StatsFile> stats = StatsFile::create(path());
    ASSERT_TRUE(stats);
    for (const int64_t step : {1, 2, 5, 6}) stats->add(row(step));
    ASSERT_TRUE(stats->flush());
  }
  EXPECT_EQ(StatsFile::resume(path(), 8)->missing().text(), "3 to 4, 7 to 8");
  std::filesystem::remove(path());
  EXPECT_EQ(StatsFile::resume(path(), 8)->missing().text(), "1 to 8");
  EXPECT_EQ(parse_csv(text()).size(), 1u);
}

TEST_F(StatsTest, ResumingCountsHowEarlierStepsEnded) {
  {
    Result<StatsFile> stats = StatsFile::create(path());
    ASSERT_TRUE(stats);
    using enum SolveStatus;
    const SolveStatus ended[] = {converged, budget, diverged, stalled, diverged, budget, diverged};
    for (int64_t step = 1; step <= 7; ++step) {
      StatsRow r = row(step);
      r.status = ended[step - 1];
      stats->add(r);
    }
    ASSERT_TRUE(stats->flush());
  }
  const StepCounts counts = StatsFile::resume(path(), 6)->earlier();
  EXPECT_EQ(counts.steps, 6);
  EXPECT_EQ(counts.out_of_iterations, 2);
  EXPECT_EQ(counts.stalled, 1);
  EXPECT_EQ(counts.diverged, 2);
  EXPECT_EQ(counts.diverged_since, 0.75);
}

TEST_F(StatsTest, ForeignColumnsAreNotContinued) {
  std::ofstream(path()) << "step,time\r\n1,2\r\n";
  const Result<StatsFile> stats = StatsFile::resume(path(), 4);
  ASSERT_FALSE(stats);
  EXPECT_TRUE(says(stats.error().message(), "columns"));
}

}  // namespace
}  // namespace sinew
