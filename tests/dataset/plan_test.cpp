// Expectations: the promises of sinew/dataset.h: strict plans, each fault with the path of its key and a remedy; a plan
// that is written reads back as the same plan.
#include "dataset/plan.h"

#include <gtest/gtest.h>

#include "dataset/dataset_folder.h"
#include "io/npy.h"
#include "small_plan.h"

namespace sinew {
namespace {

class Plan : public SmallPlan {
 protected:
  void fails(const std::string& text, const std::vector<std::string>& words) const {
    const Result<DatasetPlan> plan = read(text);
    ASSERT_FALSE(plan) << text;
    for (const std::string& word : words) EXPECT_TRUE(says(plan.error().message(), word)) << plan.error().message();
  }
  static std::string one(const std::string& parameter) { return "{ \"lift\": " + parameter + "}"; }
};

const std::string lift = R"("path": "pins.1.motion.keyframes.1.translate.1")";

TEST_F(Plan, ReadsBackAsItself) {
  write("table.csv", "a,b\n0.01,1e4\n-0.02,2e4\n");
  const std::vector<std::string> texts = {
      plan_text(R"(, "samples": 20, "seed": 7, "start": "nearest", "fields": ["probes", "velocities"])"),
      plan_text(R"(, "sampling": "grid", "residual": 0.01)",
                "{ \"lift\": {" + lift + R"(, "range": [0, 0.1], "count": 3 },
                  "both": { "path": { "gravity.0": 1, "gravity.2": -1 }, "values": [1, 2] } })"),
      plan_text(R"(, "table": "table.csv")",
                "{ \"lift\": {" + lift +
                    R"(, "column": "a" }, "e": { "path": "materials.rubber.youngs_modulus", "column": "b" } })"),
      plan_text(R"(, "samples": 3, "kind": "trajectory", "single_precision": true, "compression": 0, "shard": 2)",
                one("{" + lift + R"(, "normal": [0, 0.1], "range": [-0.1, 0.1] })")),
  };
  for (const std::string& text : texts) {
    const Result<DatasetPlan> plan = read(text);
    ASSERT_TRUE(plan) << plan.error().message();
    const Result<DatasetPlan> again = read(plan_json(*plan));
    ASSERT_TRUE(again) << again.error().message();
    EXPECT_EQ(plan_json(*again), plan_json(*plan));
    EXPECT_EQ(identity_of(*again), identity_of(*plan));
    EXPECT_EQ(dataset_parameters(*again), dataset_parameters(*plan));
  }
}

TEST_F(Plan, NamesTheFaultAndItsPlace) {
  const std::string some = R"(, "samples": 3)";
  fails("", {"plan.json"});
  fails("{}", {"is no plan of a data set", "\"dataset\": 1"});
  fails(plan_text(R"(, "samples": 0)"), {"samples", "1 to"});
  fails(plan_text(""), {"samples: missing"});
  fails(plan_text(R"(, "samples": 3, "sampels": 4)"), {"sampels", "unknown key", "samples"});
  fails(plan_text(R"(, "samples": 3, "sampling": "sobl")"), {"sampling", "sobl", "sobol"});
  fails(plan_text(some, one(R"({ "path": "pins.7.release", "range": [0, 1] })")), {"parameters.lift.path", "pins.7"});
  fails(plan_text(some, one(R"({ "path": "materials.rubber.youngs_modulos", "range": [1, 2] })")),
        {"youngs_modulos", "youngs_modulus"});
  fails(plan_text(some, one("{" + lift + R"(, "range": [1, 1] })")), {"parameters.lift.range", "is empty"});
  fails(plan_text(some, one("{" + lift + R"(, "range": [2, 1] })")), {"parameters.lift.range", "is empty"});
  fails(plan_text(some, one("{" + lift + R"(, "range": [0, 1], "scale": "log" })")), {"lift.scale", "above 0"});
  fails(plan_text(some, one("{" + lift + R"(, "range": [0, 1], "values": [1] })")), {"lift", "two ways"});
  fails(plan_text(some, one("{" + lift + "}")), {"lift", "no values"});
  fails(plan_text(some, one("{" + lift + R"(, "column": "a" })")), {"lift.column", "no table"});
  fails(plan_text(some, one("{" + lift + R"(, "normal": [0, 0] })")), {"lift.normal", "above 0"});
  fails(plan_text(some, "{}"), {"parameters: there are none"});
  fails(plan_text(some, R"({ "a": {)" + lift + R"(, "range": [0, 1] }, "b": {)" + lift + R"(, "range": [0, 1] } })"),
        {"another parameter sets it too"});
  fails(plan_text(R"(, "sampling": "grid")"), {"count", "missing"});
  fails(plan_text(R"(, "samples": 3, "kind": "trajectory", "start": "nearest")"), {"start", "trajectories"});
  fails(plan_text(R"(, "samples": 3, "residual": 1, "relative_residual": 0.1)"), {"residual", "only one"});
  fails(plan_text(R"(, "samples": 3, "relative_residual": 0)"), {"relative_residual", "above 0"});
  fails(plan_text(some, parameters(), "\"missing.json\""), {"missing.json"});
  fails(plan_text(R"(, "samples": 3, "fields": ["probes", "probes"])"), {"fields", "twice"});
  fails(plan_text(some, one(R"({ "path": { "gravity.1": 0 }, "range": [0, 1] })")), {"a factor other than 0"});
  // Line ends, tab, escape, delete; the same of Unicode: next line, line and paragraph separator.
  for (const char* name : {"", " ", "a\\nb", "a\\rb", "a\\tb", "a\\u001bb", "a\\u0000b", "a\\u007fb", "a\\u0085b",
                           "a\\u009bb", "a\\u2028b", "a\\u2029b"}) {
    fails(plan_text(some, "{ \"" + std::string(name) + "\": {" + lift + R"(, "range": [0, 1] } })"), {"is no name"});
    if (std::string_view(name).size() > 1)
      fails(plan_text(some + ", \"name\": \"" + name + "\""), {"name: has line ends or control characters"});
  }
  fails(plan_text(some, one("{" + lift + R"(, "normal": [0, 1], "range": [100, 101] })")), {"has nothing there"});
  // A scene that is wrong for some values only.
  fails(plan_text(some, R"({ "nu": { "path": "materials.rubber.poisson_ratio", "range": [0.3, 0.5] } })"),
        {"nu = 0.5", "below 0.5"});
}

TEST_F(Plan, ReadsTables) {
  const std::string by_column = one("{" + lift + R"(, "column": "lift" })");
  const std::string text = plan_text(R"(, "table": "table.csv")", by_column);
  write("table.csv", "\xef\xbb\xbfnumber, lift\r\n1, +0.05\r\n2,-0.03");
  const Result<DatasetPlan> plan = read(text);
  ASSERT_TRUE(plan) << plan.error().message();
  EXPECT_EQ(plan->samples, 2);
  EXPECT_EQ(dataset_parameters(*plan), (std::vector<double>{0.05, -0.03}));
  const std::string by_number = one("{" + lift + R"(, "column": 1 })");
  const Result<DatasetPlan> numbered = read(plan_text(R"(, "table": "table.csv")", by_number));
  ASSERT_TRUE(numbered) << numbered.error().message();
  EXPECT_EQ(dataset_parameters(*numbered), dataset_parameters(*plan));
  // What no parameter needs may be text.
  write("table.csv", "name,number,lift,note\nup,1,0.05,\ndown,2,-0.03,x\n");
  const std::string third = one("{" + lift + R"(, "column": 2 })");
  const Result<DatasetPlan> with_text = read(plan_text(R"(, "table": "table.csv")", third));
  ASSERT_TRUE(with_text) << with_text.error().message();
  EXPECT_EQ(dataset_parameters(*with_text), dataset_parameters(*plan));
  EXPECT_EQ(with_text->table_columns, (std::vector<std::string>{"number", "lift"}));
  fails(plan_text(R"(, "table": "table.csv")", one("{" + lift + R"(, "column": "note" })")),
        {"table.csv:2: column 3 (\"note\"): \"\" is not a finite number"});
  write("table.csv", "number,lift\n1,0.05\n2,-0.03\n");
  fails(plan_text(R"(, "table": "table.csv")", one("{" + lift + R"(, "range": [0, 1] })")), {"no parameter uses it"});
  const std::string numbers_of = R"(, "table": "table.csv")";
  fails(plan_text(numbers_of, one("{" + lift + R"(, "column": 2 })")),
        {"lift.column = \"2\": the table has no such column", "the numbers 0 to 1"});
  fails(plan_text(numbers_of, one("{" + lift + R"(, "column": "lifd" })")), {"lift.column = \"lifd\"", "'lift'"});
  const Result<DatasetPlan> negative = read(plan_text(numbers_of, one("{" + lift + R"(, "column": -1 })")));
  ASSERT_FALSE(negative);
  EXPECT_FALSE(says(negative.error().message(), "2 faults"));

  const std::vector<double> numbers = {1, 0.05, 2, -0.03, 3, 0.01};
  write("table.npy", encode_npy(numbers, 2));
  const Result<DatasetPlan> of_array =
      read(plan_text(R"(, "table": "table.npy", "samples": 2)", one("{" + lift + R"(, "column": 1 })")));
  ASSERT_TRUE(of_array) << of_array.error().message();
  EXPECT_EQ(dataset_parameters(*of_array), (std::vector<double>{0.05, -0.03}));
  fails(plan_text(R"(, "table": "table.npy", "samples": 4)", one("{" + lift + R"(, "column": 1 })")), {"has 3 rows"});
}

TEST_F(Plan, NamesTheColumnOfAFaultyTable) {
  const std::string text = plan_text(R"(, "table": "table.csv")", one("{" + lift + R"(, "column": "lift" })"));
  const auto wrong = [&](const std::string& table, const std::vector<std::string>& words) {
    write("table.csv", table);
    fails(text, words);
  };
  wrong("number,lift\n1,0.05\n2,nan\n", {"table.csv:3: column 1 (\"lift\"): \"nan\" is not a finite number"});
  wrong("number,lift\n1,\n", {"table.csv:2: column 1 (\"lift\"): \"\" is not"});
  wrong("\"a\nb\",lift\n1,2\n3,y\n", {"table.csv:4: column 1 (\"lift\")"});
  wrong("number,lift\n1,0.05\n2\n", {"table.csv:3: 1 fields under 2 names: column 1 (\"lift\") has none"});
  wrong("number,lift\n1,0,05\n", {"table.csv:2: 3 fields under 2 names: column 2 has no name"});
  wrong("lift,number,lift\n1,2,3\n", {"table.csv:1: columns 0 and 2 have the same name, \"lift\""});
  wrong("lift;number\n1;2\n", {"column 0 (\"lift;number\"): \"1;2\"", "separate columns by commas"});
  wrong("number,lift\n1,\"2\n", {"table.csv:2: a quote is opened and not closed"});
  wrong("number,lift\n", {"has no rows"});
  wrong("", {"is empty"});
  wrong("\xff\xfel\0i\0", {"is not text in UTF-8"});
  wrong(std::string("l\0i\0", 4), {"is not text in UTF-8"});
  for (const char* bytes : {"\xff", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xc3", "\x80"})
    wrong("lift," + std::string(bytes) + "\n1,2\n", {"is not text in UTF-8"});
  for (const char* name : {"Kraft \xc3\xa4", "\xe0\xa4\x85", "\xed\x9f\xbf", "\xf0\x9f\x98\x80"}) {
    write("table.csv", "lift," + std::string(name) + "\n1,2\n");
    EXPECT_TRUE(read(text)) << name;
  }
  for (const char* header : {"lift,b", "\"lift\",b"}) {  // the byte order mark is no part of a name
    write("table.csv", "\xef\xbb\xbf" + std::string(header) + "\n0.05,2\n");
    EXPECT_TRUE(read(text)) << header;
  }
}

TEST_F(Plan, NamesItsOwnOverrides) {
  fails(plan_text(R"(, "set": ["solver.type"])"), {": set: --set solver.type: must be path=value"});
}

TEST_F(Plan, TakesOverrides) {
  const Result<DatasetPlan> plan =
      read(plan_text(R"(, "samples": 3, "set": ["gravity=[0, 0, 0]"])"), {"solver.type=newton"});
  ASSERT_TRUE(plan) << plan.error().message();
  EXPECT_TRUE(says(plan->scene, "\"newton\""));
  EXPECT_TRUE(says(plan->scene, "\"gravity\": [0, 0, 0]"));
}

}  // namespace
}  // namespace sinew
