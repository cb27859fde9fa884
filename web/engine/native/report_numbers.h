// Reports as rows of numbers, with the names that JavaScript gives them.
#pragma once

#include <string>
#include <vector>

#include "sinew/report.h"

namespace sinew::web {

// One a line; "a.b" is member b of a.
std::string report_fields();
void put_report(const StepReport& report, std::vector<double>& numbers);
// As they are in a report, after their name "evaluation.".
void put_evaluation(const Evaluation& evaluation, std::vector<double>& numbers);

}  // namespace sinew::web
