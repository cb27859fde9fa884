#include "report_numbers.h"

namespace sinew::web {
namespace {

template <class Visit>
void visit_evaluation(const Evaluation& e, const Visit& visit) {
  visit("evaluation.energy", e.energy);
  visit("evaluation.residual", e.residual);
  visit("evaluation.residualMax", e.residual_max);
  visit("evaluation.inverted", e.inverted);
  visit("evaluation.minJ", e.min_j);
  visit("evaluation.finite", e.finite);
  visit("evaluation.contactEnergy", e.contact_energy);
  visit("evaluation.frictionWork", e.friction_work);
  visit("evaluation.contacts", e.contacts);
  visit("evaluation.penetrations", e.penetrations);
  visit("evaluation.smallestGap", e.smallest_gap);
  visit("evaluation.deepest", e.deepest);
}

template <class Visit>
void visit_report(const StepReport& r, const Visit& visit) {
  visit("step", r.step);
  visit("time", r.time);
  visit("iterations", r.iterations);
  visit("status", static_cast<int>(r.status));
  visit("evaluated", r.evaluated);
  visit_evaluation(r.evaluation, visit);
  visit("milliseconds.predict", r.milliseconds.predict);
  visit("milliseconds.solve", r.milliseconds.solve);
  visit("milliseconds.evaluate", r.milliseconds.evaluate);
  visit("milliseconds.velocities", r.milliseconds.velocities);
  visit("milliseconds.detect", r.milliseconds.detect);
  visit("milliseconds.total", r.milliseconds.total());
  visit("corrections.nodes", r.corrections.nodes);
  visit("corrections.matrices", r.corrections.matrices);
  visit("corrections.lengths", r.corrections.lengths);
  visit("contactTimes.broad", r.contact_times.broad);
  visit("contactTimes.narrow", r.contact_times.narrow);
  visit("contactTimes.limits", r.contact_times.limits);
  visit("detections", r.detections);
  visit("candidates", r.candidates);
  visit("limited", r.limited);
  visit("undivided", r.undivided);
  visit("unreached", r.unreached);
  visit("firstResidual", r.first_residual);
}

}  // namespace

std::string report_fields() {
  std::string names;
  visit_report({}, [&](const char* name, auto) { names.append(names.empty() ? "" : "\n").append(name); });
  return names;
}
void put_report(const StepReport& report, std::vector<double>& numbers) {
  visit_report(report, [&](const char*, auto value) { numbers.push_back(static_cast<double>(value)); });
}
void put_evaluation(const Evaluation& evaluation, std::vector<double>& numbers) {
  visit_evaluation(evaluation, [&](const char*, auto value) { numbers.push_back(static_cast<double>(value)); });
}

}  // namespace sinew::web
