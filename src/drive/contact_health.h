// What a run says of contact at its end, one warning for each:
//   penetrations   frames in which contacts have found surfaces inside each other, where no law of the scene begins at
//                  that only. Thin parts that have crossed deeper than contacts look are not among them
//   unreached      steps that ended with scripted vertices not where their pin or collider has them, as something was
//                  in the way (only with the guarantee that nothing intersects)
//   undivided      steps with pairs that touched or intersected, so that their vertices stayed where they were (only
//                  with the guarantee)
//   ignored        pairs that met at the start, where that is allowed: since when they are apart, or that they still
//   meet
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "record/stats.h"
#include "sinew/report.h"

namespace sinew {

class ContactHealth {
 public:
  // After what a run that is resumed had said before.
  void go_on(int64_t steps, const ContactTotals& totals) {
    steps_ = steps;
    totals_ = totals;
  }
  // Of a frame after the first.
  void look(const Engine& engine, const Evaluation& evaluation);
  // Of a step that was just taken.
  void count(const Engine& engine, const StepReport& step);
  // At the end. Sentences without a full stop.
  std::vector<std::string> warnings(const Engine& engine) const;

 private:
  void find_unreached(const Engine& engine);
  void look_at_ignored(const Engine& engine, double time);

  int64_t steps_ = 0;
  ContactTotals totals_;
  std::set<std::string> unreached_;  // "colliders.press", "pins.grip"
  struct Parted {
    IgnoredPair pair;
    double time = 0;  // [s] the end of the step in which they were apart
  };
  std::optional<std::vector<IgnoredPair>> ignored_;  // after the last step; none: before the first
  std::vector<Parted> parted_;
};

}  // namespace sinew
