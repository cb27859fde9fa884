// Expectations: what a data set holds depends on its plan alone; whatever ends or damages a folder, what is finished
// stays, and what is wrong is named.
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <thread>

#include "base/hash.h"
#include "dataset/dataset_folder.h"
#include "files/read_file.h"
#include "record/file_error.h"
#include "sinew/folder.h"
#include "small_plan.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

class Dataset : public SmallPlan {
 protected:
  DatasetPlan plan(const std::string& more) const {
    const Result<DatasetPlan> plan = read(plan_text(more));
    EXPECT_TRUE(plan) << (plan ? "" : plan.error().message());
    return plan ? *plan : DatasetPlan();
  }
  uint64_t checksum(const std::string& name) const {
    const Result<DatasetVerdict> verdict = verify_dataset(folder() / name, {.residuals = false});
    EXPECT_TRUE(verdict) << (verdict ? "" : verdict.error().message());
    if (!verdict) return 0;
    for (const Error& fault : verdict->faults) ADD_FAILURE() << fault.message();
    EXPECT_TRUE(verdict->checksum);
    return verdict->checksum.value_or(0);
  }
  std::string fault(const std::string& name) const {
    const Result<DatasetVerdict> verdict = verify_dataset(folder() / name, {.residuals = false});
    EXPECT_TRUE(verdict) << (verdict ? "" : verdict.error().message());
    return verdict && !verdict->faults.empty() ? verdict->faults[0].message() : "";
  }
  // A folder whose only shard is never finished: its samples are too many to be made before it is stopped.
  void start_and_stop(const std::string& name) const {
    (void)make_dataset(plan(R"(, "samples": 2000, "shard": 2000)"), {.folder = folder() / name, .workers = 1},
                       [](const DatasetProgress& now) { return now.finished < 3; });
  }
  void flip(const fs::path& file, size_t at) const {
    std::string bytes = read_file(file).value();
    bytes[at] ^= 0x10;
    std::ofstream(file, std::ios::binary) << bytes;
  }
  const std::string some = R"(, "samples": 22, "shard": 5)";
};

TEST_F(Dataset, HasTheSameBitsForAnyNumberOfWorkersAndProcesses) {
  for (const std::string& start : {std::string("rest"), std::string("nearest")}) {
    const DatasetPlan plan = this->plan(some + ", \"start\": \"" + start + "\"");
    std::vector<uint64_t> sums;
    for (const int workers : {1, 2, 4}) {
      const std::string name = start + std::to_string(workers);
      ASSERT_TRUE(make_dataset(plan, {.folder = folder() / name, .workers = workers})->complete);
      sums.push_back(checksum(name));
    }
    std::vector<std::thread> processes;
    for (int p = 0; p < 3; ++p)
      processes.emplace_back([&, p] {
        const DatasetOptions options{
            .folder = folder() / (start + "-shared"), .workers = 1, .process = p, .processes = 3};
        const Result<DatasetOutcome> made = make_dataset(plan, options);
        EXPECT_TRUE(made) << made.error().message();
      });
    for (std::thread& process : processes) process.join();
    ASSERT_TRUE(resume_dataset({.folder = folder() / (start + "-shared")})->complete);
    sums.push_back(checksum(start + "-shared"));
    EXPECT_EQ(sums, std::vector<uint64_t>(4, sums[0]));
  }
}

// The BLAS under Newton's method has one number of threads for the whole process.
TEST_F(Dataset, OfNewtonsMethodHasTheSameBitsForAnyNumberOfWorkers) {
  const Result<DatasetPlan> plan =
      read(plan_text(R"(, "samples": 16, "set": ["objects.bar.mesh.box.cells=[12, 6, 6]"])"),
           {R"(solver={"type": "newton"})"});
  ASSERT_TRUE(plan) << plan.error().message();
  std::vector<uint64_t> sums;
  for (const int workers : {1, 4, 4}) {
    const std::string name = "newton" + std::to_string(sums.size());
    ASSERT_TRUE(make_dataset(*plan, {.folder = folder() / name, .workers = workers})->complete);
    sums.push_back(checksum(name));
  }
  EXPECT_EQ(sums, std::vector<uint64_t>(3, sums[0]));
}

TEST_F(Dataset, GoesOnWhereItWasInterrupted) {
  const DatasetPlan plan = this->plan(some + R"(, "start": "nearest")");
  ASSERT_TRUE(make_dataset(plan, {.folder = folder() / "whole"})->complete);
  int64_t made = 0;
  for (int64_t enough : {1, 3, 9, 14}) {
    const Result<DatasetOutcome> part =
        make_dataset(plan, {.folder = folder() / "parts", .workers = 1},
                     [&](const DatasetProgress& now) { return now.made == 0 || now.finished < enough; });
    ASSERT_TRUE(part) << part.error().message();
    made += part->made;
    const Result<DatasetState> state = dataset_state(folder() / "parts");
    ASSERT_TRUE(state) << state.error().message();
    EXPECT_EQ(state->finished, made) << "nothing is lost";
  }
  const Result<DatasetOutcome> rest = resume_dataset({.folder = folder() / "parts"});
  ASSERT_TRUE(rest) << rest.error().message();
  EXPECT_TRUE(rest->complete);
  EXPECT_EQ(made + rest->made, 22) << "nothing is made twice";
  EXPECT_EQ(checksum("parts"), checksum("whole"));
  EXPECT_FALSE(fs::exists(folder() / "parts" / "samples"));
}

TEST_F(Dataset, ResidualsAreWhatTheFilesSay) {
  ASSERT_TRUE(make_dataset(plan(some), {.folder = folder() / "d"})->complete);
  const Result<DatasetVerdict> verdict = verify_dataset(folder() / "d");
  ASSERT_TRUE(verdict);
  EXPECT_TRUE(verdict->faults.empty());
  EXPECT_EQ(verdict->samples, 22);
  EXPECT_EQ(verdict->residuals, 22);
  EXPECT_EQ(verdict->worst, 0);
}

TEST_F(Dataset, RefusesFoldersThatAreNotItsOwn) {
  const DatasetPlan one = plan(some), other = plan(R"(, "samples": 22, "shard": 5, "seed": 3)");
  ASSERT_TRUE(make_dataset(one, {.folder = folder() / "d"}));
  const Result<DatasetOutcome> outcome = make_dataset(other, {.folder = folder() / "d"});
  ASSERT_FALSE(outcome);
  EXPECT_TRUE(says(outcome.error().message(), "another plan"));
  fs::create_directory(folder() / "full");
  write("full/letter.txt", "dear");
  const Result<DatasetOutcome> full = make_dataset(one, {.folder = folder() / "full"});
  ASSERT_FALSE(full);
  EXPECT_TRUE(says(full.error().message(), "has files, but no data set"));
  EXPECT_EQ(read_file(folder() / "full" / "letter.txt").value(), "dear");
  fs::create_directories(folder() / "alike" / "samples");
  fs::create_directories(folder() / "alike" / "shards");
  write("alike/plan.json", "mine");
  write("alike/mesh.h5", "mine too");
  EXPECT_FALSE(make_dataset(one, {.folder = folder() / "alike"}));
  EXPECT_EQ(read_file(folder() / "alike" / "plan.json").value(), "mine");
  EXPECT_EQ(read_file(folder() / "alike" / "mesh.h5").value(), "mine too");
  EXPECT_FALSE(resume_dataset({.folder = folder() / "nowhere"}));
  EXPECT_FALSE(dataset_state(folder() / "full"));
}

TEST_F(Dataset, FindsWhatIsCutShortAlteredOrMissing) {
  const DatasetPlan plan = this->plan(some);
  ASSERT_TRUE(make_dataset(plan, {.folder = folder() / "d"})->complete);
  const fs::path shard = folder() / "d" / "shards" / "0002.h5";
  const std::string good = read_file(shard).value();
  EXPECT_EQ(fault("d"), "");
  for (const size_t share : {1, 3, 5, 7}) {
    flip(shard, good.size() * share / 8);
    EXPECT_TRUE(says(fault("d"), "0002.h5"));
    std::ofstream(shard, std::ios::binary) << good;
  }
  fs::resize_file(shard, good.size() / 2);
  EXPECT_TRUE(says(fault("d"), "cut short"));
  const Result<DatasetOutcome> refused = resume_dataset({.folder = folder() / "d"});
  ASSERT_FALSE(refused);
  EXPECT_TRUE(says(refused.error().message(), "remove it"));

  fs::remove(shard);
  EXPECT_TRUE(says(fault("d"), "is missing"));
  const Status merged = merge_dataset(folder() / "d");
  ASSERT_FALSE(merged);
  EXPECT_TRUE(says(merged.error().message(), "lacks 1 of 5 shards: 2"));
  const Result<DatasetOutcome> resumed = resume_dataset({.folder = folder() / "d"});
  ASSERT_TRUE(resumed);
  EXPECT_EQ(resumed->made, 5);
  EXPECT_EQ(fault("d"), "");
}

TEST_F(Dataset, RestoresWhatFollowsFromThePlan) {
  const DatasetPlan plan = this->plan(some);
  const fs::path d = folder() / "d";
  ASSERT_TRUE(make_dataset(plan, {.folder = d})->complete);
  const uint64_t whole = checksum("d");
  for (const char* name : {"mesh.h5", "dataset.h5"}) {
    const std::string good = read_file(d / name).value();
    for (const size_t share : {0, 3, 7}) {
      flip(d / name, good.size() * share / 8);
      EXPECT_TRUE(says(fault("d"), name));
      std::ofstream(d / name, std::ios::binary) << good.substr(0, good.size() * share / 8);
      EXPECT_TRUE(says(fault("d"), name));
      std::ofstream(d / name, std::ios::binary) << good;
    }
    fs::remove(d / name);
    EXPECT_TRUE(says(fault("d"), "is missing"));
    ASSERT_TRUE(resume_dataset({.folder = d}));
    EXPECT_EQ(read_file(d / name).value(), good);
  }
  for (const char* name : {"plan.json", "origin.json", "dataset.json"}) {
    const std::string good = read_file(d / name).value();
    fs::remove(d / name);
    ASSERT_TRUE(make_dataset(plan, {.folder = d})) << name;
    EXPECT_EQ(read_file(d / name).value(), good);
  }
  EXPECT_EQ(checksum("d"), whole);
  fs::remove(d / "shards" / "0001.h5");
  EXPECT_FALSE(dataset_state(d)->indexed);
}

TEST_F(Dataset, RestoresWhatIsDamagedBesideTheShards) {
  const DatasetPlan plan = this->plan(some);
  const fs::path d = folder() / "d";
  ASSERT_TRUE(make_dataset(plan, {.folder = d})->complete);
  const uint64_t whole = checksum("d");
  for (const char* name : {"plan.json", "origin.json"}) {
    const std::string good = read_file(d / name).value();
    for (const std::string& bad : {std::string(), good.substr(0, good.size() / 2), "!" + good}) {
      std::ofstream(d / name, std::ios::binary) << bad;
      const Result<DatasetState> state = dataset_state(d);
      ASSERT_FALSE(state);
      EXPECT_TRUE(says(state.error().where, name));
      EXPECT_TRUE(says(state.error().what, "damaged"));
      EXPECT_TRUE(says(state.error().remedy, "`sinew dataset PLAN.json -o " + d.string() + "` restores it"));
      const Result<DatasetOutcome> restored = make_dataset(plan, {.folder = d});
      ASSERT_TRUE(restored) << restored.error().message();
      EXPECT_EQ(read_file(d / name).value(), good);
    }
  }
  EXPECT_EQ(checksum("d"), whole);
  // Of another plan.
  const std::string good = read_file(d / "plan.json").value();
  std::string other = good;
  other.replace(other.find("\"seed\": 0"), 9, "\"seed\": 1");
  write("d/plan.json", other);
  const Result<DatasetState> state = dataset_state(d);
  ASSERT_FALSE(state);
  EXPECT_TRUE(says(state.error().message(), "plan.json: is altered, or the plan of another folder"));
  ASSERT_TRUE(make_dataset(plan, {.folder = d}));
  EXPECT_EQ(read_file(d / "plan.json").value(), good);
}

TEST_F(Dataset, SaysHowALostPlanComesBack) {
  const fs::path d = folder() / "d";
  ASSERT_TRUE(make_dataset(plan(some), {.folder = d})->complete);
  fs::remove(d / "plan.json");
  const Result<DatasetVerdict> verdict = verify_dataset(d);
  ASSERT_FALSE(verdict);
  EXPECT_TRUE(says(verdict.error().message(), "has lost its plan.json; `sinew dataset PLAN.json -o " + d.string()));
  const Result<DatasetOutcome> made = make_dataset(plan(R"(, "samples": 22, "shard": 5, "seed": 3)"), {.folder = d});
  ASSERT_FALSE(made);
  EXPECT_TRUE(says(made.error().message(), "another plan"));
  EXPECT_TRUE(says(made.error().message(), "every shard has it"));
  EXPECT_FALSE(fs::exists(d / "plan.json"));
}

TEST_F(Dataset, FindsDamageToItsIndex) {
  const fs::path d = folder() / "d";
  ASSERT_TRUE(make_dataset(plan(some), {.folder = d})->complete);
  const std::string good = read_file(d / "dataset.json").value();
  const auto damage = [&](const std::string& bad) {
    write("d/dataset.json", bad);
    const std::string found = fault("d");
    EXPECT_TRUE(says(found, "dataset.json")) << bad;
    EXPECT_TRUE(says(found, "`sinew dataset merge` writes it anew")) << bad;
    ASSERT_TRUE(merge_dataset(d));
    EXPECT_EQ(read_file(d / "dataset.json").value(), good);
  };
  damage(good.substr(0, good.size() / 2));
  std::string sum = good;
  char& digit = sum[sum.find("\"checksum\": \"") + 13];
  digit = digit == '0' ? '1' : '0';
  damage(sum);
  fs::remove(d / "dataset.json");
  EXPECT_TRUE(says(fault("d"), "dataset.json: is missing"));
}

// Whatever is changed in dataset.json and origin.json is noticed.
TEST_F(Dataset, FindsEveryAlterationOfItsJson) {
  const fs::path d = folder() / "d";
  ASSERT_TRUE(make_dataset(plan(R"(, "samples": 3, "shard": 2)"), {.folder = d})->complete);
  for (const char* file : {"dataset.json", "origin.json"}) {
    const std::string good = read_file(d / file).value();
    for (size_t k = 0; k < good.size(); k += 3) {
      if (good[k] == ' ' || good[k] == '\n') continue;
      std::string bad = good;
      bad[k] ^= 1;
      write(std::string("d/") + file, bad);
      const Result<DatasetVerdict> verdict = verify_dataset(d, {.residuals = false});
      EXPECT_TRUE(!verdict || !verdict->faults.empty()) << file << ", byte " << k << ": " << good.substr(k, 20);
    }
    write(std::string("d/") + file, good);
  }
  EXPECT_EQ(fault("d"), "");
}

// A shard of another data set, or one with other bytes than the index knows, is no part of this one, before as after a
// resume; and one that is made anew is.
TEST_F(Dataset, TakesNoOtherShards) {
  const fs::path d = folder() / "d", other = folder() / "other";
  ASSERT_TRUE(make_dataset(plan(some), {.folder = d})->complete);
  ASSERT_TRUE(make_dataset(plan(some + R"(, "seed": 7)"), {.folder = other})->complete);
  const fs::path shard = d / "shards/0001.h5", spare = folder() / "spare.h5";
  fs::rename(shard, spare);
  fs::copy_file(other / "shards/0001.h5", shard);
  const char* const foreign = "0001.h5: is altered, or belongs to another data set; remove it";
  EXPECT_TRUE(says(fault("d"), foreign));
  EXPECT_TRUE(says(resume_dataset({.folder = d}).error().message(), foreign));
  fs::remove(d / "dataset.json");
  EXPECT_TRUE(says(merge_dataset(d).error().message(), foreign));

  fs::remove(shard);
  fs::rename(spare, shard);
  ASSERT_TRUE(merge_dataset(d));
  const std::string index = read_file(d / "dataset.json").value();
  // Times are in no checksum.
  const std::string bytes = read_file(shard).value();
  write("d/shards/0001.h5", bytes + std::string(16, '\0'));
  const char* const altered = "0001.h5: is altered: dataset.json has another hash of it; remove it";
  EXPECT_TRUE(says(fault("d"), altered));
  EXPECT_TRUE(says(resume_dataset({.folder = d}).error().message(), altered));
  EXPECT_EQ(read_file(d / "dataset.json").value(), index);
  fs::remove(shard);
  // It is made before the damage of another one ends the process.
  write("d/shards/0003.h5", "");
  EXPECT_FALSE(resume_dataset({.folder = d}));
  fs::remove(d / "shards/0003.h5");
  ASSERT_TRUE(resume_dataset({.folder = d})->complete);
  EXPECT_EQ(fault("d"), "");
  fs::remove(d / "dataset.h5");
  EXPECT_FALSE(dataset_state(d)->indexed);
}

// As with another version of HDF5.
TEST_F(Dataset, RemembersAMeshInOtherBytes) {
  const fs::path d = folder() / "d";
  ASSERT_TRUE(make_dataset(plan(some), {.folder = d})->complete);
  std::string origin = read_file(d / "origin.json").value();
  char& digit = origin[origin.find("\"mesh_file_hash\": \"") + 19];
  digit = digit == '0' ? '1' : '0';
  origin.resize(origin.find(",\n  \"hash\""));
  const uint64_t hash = Hash().text(origin + "\n}\n").value();
  origin += ",\n  \"hash\": \"" + hash_text(hash) + "\"\n}\n\n";
  write("d/origin.json", origin);
  EXPECT_TRUE(says(fault("d"), "mesh.h5"));
  ASSERT_TRUE(resume_dataset({.folder = d}));
  EXPECT_EQ(fault("d"), "");
}

// Nothing is told to be written that was not: by one who may not write, or while somebody else does.
TEST_F(Dataset, IsMergedOrSaysWhyNot) {
  const fs::path d = folder() / "d";
  ASSERT_TRUE(make_dataset(plan(some), {.folder = d})->complete);
  fs::remove(d / "dataset.json");
  {
    const Result<FolderLock> lock = FolderLock::acquire(d);
    ASSERT_TRUE(lock);
    const Status merged = merge_dataset(d);
    ASSERT_FALSE(merged);
    EXPECT_TRUE(says(merged.error().message(), "is being written by another run; merge it again"));
  }
  fs::create_directory(d / ".sinew.lock");  // which cannot be opened as a file, whoever asks
  const Status merged = merge_dataset(d);
  ASSERT_FALSE(merged);
  EXPECT_TRUE(says(merged.error().message(), "cannot be written to"));
  EXPECT_FALSE(fs::exists(d / "dataset.json"));
}

// `sinew dataset merge` and `resume` have no -o.
TEST_F(Dataset, HasRemediesForFoldersThatAreThere) {
  for (const int reason : {ENOSPC, EACCES, EROFS, EEXIST}) {
    const Error error = file_error("d", "cannot be written to", reason);
    EXPECT_FALSE(error.remedy.empty());
    EXPECT_FALSE(says(error.remedy, "-o"));
  }
}

TEST_F(Dataset, SaysWhatToDoWhereSlurmDoesNotAnswer) {
  write("sbatch", "#!/bin/sh\n[ \"$1\" = --version ] && exit 0\necho 'sbatch: error: no controller' >&2\nexit 1\n");
  fs::permissions(folder() / "sbatch", fs::perms::owner_all);
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", (folder().string() + ":" + path).c_str(), 1);
  const Result<SlurmJob> job = submit_dataset(plan(some), folder() / "d", {.program = "sinew"});
  ::setenv("PATH", path.c_str(), 1);
  ASSERT_FALSE(job);
  EXPECT_TRUE(says(job.error().what, "no controller"));
  EXPECT_TRUE(says(job.error().remedy, "`sinfo` says whether Slurm answers"));
  EXPECT_TRUE(says(job.error().remedy, "`sinew dataset resume " + (folder() / "d").string() + "` makes it here"));
}

TEST_F(Dataset, IsNotInWorkWhereNobodyMayWrite) {
  const fs::path d = folder() / "d";
  start_and_stop("d");
  ASSERT_TRUE(fs::exists(d / "samples" / "0000"));
  fs::create_directory(d / "samples" / "0000" / ".sinew.lock");
  const Result<DatasetState> state = dataset_state(d);
  ASSERT_TRUE(state);
  EXPECT_FALSE(state->shards[0].being_written);
  const Result<DatasetOutcome> resumed = resume_dataset({.folder = d});
  ASSERT_FALSE(resumed);
  EXPECT_TRUE(says(resumed.error().message(), "cannot be written to"));
}

// A checksum is that of all samples.
TEST_F(Dataset, HasNoChecksumOfAPart) {
  const fs::path d = folder() / "d";
  ASSERT_TRUE(make_dataset(plan(some), {.folder = d})->complete);
  EXPECT_TRUE(verify_dataset(d)->checksum);
  const std::atomic<bool> interrupt = true;
  const Result<DatasetVerdict> interrupted = verify_dataset(d, {.interrupt = &interrupt});
  ASSERT_TRUE(interrupted);
  EXPECT_TRUE(interrupted->interrupted);
  EXPECT_FALSE(interrupted->checksum);
  const Result<DatasetVerdict> ended =
      verify_dataset(d, {.residuals = false, .workers = 1}, [](const Progress&) { return false; });
  ASSERT_TRUE(ended);
  EXPECT_TRUE(ended->interrupted);
  EXPECT_FALSE(ended->checksum);
  fs::remove(d / "shards" / "0003.h5");
  EXPECT_FALSE(verify_dataset(d)->checksum);
}

TEST_F(Dataset, NamesADamagedSample) {
  start_and_stop("d");
  bool damaged = false;
  for (const auto& entry : fs::recursive_directory_iterator(folder() / "d" / "samples"))
    if (entry.path().extension() == ".bin" && !damaged) flip(entry.path(), 200), damaged = true;
  ASSERT_TRUE(damaged);
  const Result<DatasetOutcome> outcome = resume_dataset({.folder = folder() / "d"});
  ASSERT_FALSE(outcome);
  EXPECT_TRUE(says(outcome.error().message(), ".bin"));
  EXPECT_TRUE(says(outcome.error().message(), "remove it"));
}

TEST_F(Dataset, NoticesAnotherMesh) {
  const std::string vertices =
      "MeshVersionFormatted 2\nDimension 3\nVertices 5\n0 0 0 0\n0.4 0 0 0\n0 0.1 0 0\n0 0 0.1 0\n0.4 0.1 0.1 0\n";
  write("bar.mesh", vertices + "Tetrahedra 2\n1 2 3 4 0\n2 3 4 5 0\nEnd\n");
  const Result<DatasetPlan> plan =
      read(plan_text(R"(, "samples": 4, "set": ["objects.bar.mesh={ \"file\": \"bar.mesh\" }", "probes={}"])"));
  ASSERT_TRUE(plan) << plan.error().message();
  const Result<DatasetOutcome> made = make_dataset(*plan, {.folder = folder() / "d"});
  ASSERT_TRUE(made) << made.error().message();
  std::string moved = vertices;
  moved.replace(moved.find("0.4 0 0"), 7, "0.5 0 0");
  for (const std::string& other :
       {vertices + "Tetrahedra 2\n1 2 3 4 0\n2 5 3 4 0\nEnd\n", moved + "Tetrahedra 2\n1 2 3 4 0\n2 3 4 5 0\nEnd\n"}) {
    write("bar.mesh", other);
    const Result<DatasetOutcome> again = resume_dataset({.folder = folder() / "d"});
    ASSERT_FALSE(again);
    EXPECT_TRUE(says(again.error().message(), "another mesh"));
  }
}

}  // namespace
}  // namespace sinew
