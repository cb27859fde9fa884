// What steps report, as objects with attributes.
#include "reports.h"

#include <pybind11/stl.h>

#include <cstdio>

#include "pickled.h"
#include "session.h"

namespace sinew::python {

void bind_reports(py::module_& m) {
  py::class_<Evaluation>(m, "Evaluation",
                         "The objective at one iterate, in double precision, the same for all solvers.")
      .def_readonly("energy", &Evaluation::energy, "[J]")
      .def_readonly("residual", &Evaluation::residual, "[N] 2-norm of the gradient over vertices that are not held.")
      .def_readonly("residual_max", &Evaluation::residual_max, "[N] largest force out of balance on one vertex.")
      .def_readonly("vertex_residual", &Evaluation::vertex_residual,
                    "[N] With a grid: 2-norm of the forces out of balance on vertices, as if these were the unknowns.")
      .def_readonly("inverted", &Evaluation::inverted, "Elements with det F <= 0.")
      .def_readonly("min_j", &Evaluation::min_j, "Smallest det F.")
      .def_readonly("finite", &Evaluation::finite, "False: energy or gradient is not finite.")
      .def_readonly("contact_energy", &Evaluation::contact_energy, "[J] part of the energy.")
      .def_readonly("friction_work", &Evaluation::friction_work, "[J] of friction in this step; never positive.")
      .def_readonly("contacts", &Evaluation::contacts, "Contacts within their radius.")
      .def_readonly("penetrations", &Evaluation::penetrations, "Contacts with a negative distance.")
      .def_readonly("smallest_gap", &Evaluation::smallest_gap, "[m] negative: a depth.")
      .def_readonly("deepest", &Evaluation::deepest, "[m] the deepest penetration.")
      .def(pickled<Evaluation>(&Evaluation::energy, &Evaluation::residual, &Evaluation::residual_max,
                               &Evaluation::vertex_residual, &Evaluation::inverted, &Evaluation::min_j,
                               &Evaluation::finite, &Evaluation::bad_slot, &Evaluation::contact_energy,
                               &Evaluation::friction_work, &Evaluation::contacts, &Evaluation::penetrations,
                               &Evaluation::smallest_gap, &Evaluation::deepest))
      .def("__repr__", [](const Evaluation& e) {
        char text[160];
        std::snprintf(text, sizeof text, "<sinew.Evaluation residual %.6g N, energy %.6g J, inverted %d>", e.residual,
                      e.energy, e.inverted);
        return std::string(text);
      });

  py::class_<Energies>(m, "Energies", "What a state holds of energy, by kind [J].")
      .def_readonly("kinetic", &Energies::kinetic)
      .def_readonly("elastic", &Energies::elastic, "Relative to rest.")
      .def_readonly("ties", &Energies::ties, "Of springs, bindings and muscle fibres.")
      .def_readonly("gravity", &Energies::gravity)
      .def_readonly("loads", &Energies::loads)
      .def_readonly("grabs", &Energies::grabs)
      .def_readonly("contact", &Energies::contact)
      .def(pickled<Energies>(&Energies::kinetic, &Energies::elastic, &Energies::ties, &Energies::gravity,
                             &Energies::loads, &Energies::grabs, &Energies::contact));

  py::class_<StageTimes>(m, "StageTimes", "Milliseconds spent in the stages of a step.")
      .def_readonly("predict", &StageTimes::predict, "Pins, inertial target, initial guess.")
      .def_readonly("solve", &StageTimes::solve, "Solver and accelerator.")
      .def_readonly("evaluate", &StageTimes::evaluate, "Residuals, where they are asked for.")
      .def_readonly("velocities", &StageTimes::velocities)
      .def_readonly("detect", &StageTimes::detect, "What may touch.")
      .def_property_readonly("total", &StageTimes::total)
      .def(pickled<StageTimes>(&StageTimes::predict, &StageTimes::solve, &StageTimes::evaluate, &StageTimes::velocities,
                               &StageTimes::detect));

  py::class_<ContactTimes>(m, "ContactTimes", "Milliseconds that contact took, within `detect` and `solve`.")
      .def_readonly("broad", &ContactTimes::broad)
      .def_readonly("narrow", &ContactTimes::narrow)
      .def_readonly("limits", &ContactTimes::limits)
      .def(pickled<ContactTimes>(&ContactTimes::broad, &ContactTimes::narrow, &ContactTimes::limits));

  py::class_<CorrectionCounts>(m, "CorrectionCounts", "Corrections on a lattice, of the solver multilevel.")
      .def_readonly("nodes", &CorrectionCounts::nodes)
      .def_readonly("matrices", &CorrectionCounts::matrices)
      .def_readonly("lengths", &CorrectionCounts::lengths)
      .def(
          pickled<CorrectionCounts>(&CorrectionCounts::nodes, &CorrectionCounts::matrices, &CorrectionCounts::lengths));

  py::class_<GridCounts>(m, "GridCounts", "Of a grid that bodies are embedded in.")
      .def_readonly("parts", &GridCounts::parts, "In which the step was taken, so that no vertex is too fast.")
      .def_readonly("nodes", &GridCounts::nodes, "In use.")
      .def_readonly("colors", &GridCounts::colors, "Of elements that share no node.")
      .def(pickled<GridCounts>(&GridCounts::parts, &GridCounts::nodes, &GridCounts::colors));

  py::class_<IterationReport>(m, "IterationReport", "An iterate of a step.")
      .def_readonly("step", &IterationReport::step, "The step that is taken, from 1.")
      .def_readonly("iteration", &IterationReport::iteration, "0 is the initial guess.")
      .def_readonly("milliseconds", &IterationReport::milliseconds, "In the solver since the start of the step.")
      .def_readonly("evaluation", &IterationReport::evaluation)
      .def_property_readonly(
          "positions",
          [](const IterationReport& r) { return r.positions ? py::object(array_of(*r.positions)) : py::none(); },
          "[m] (N, 3), a copy, while an observer is called; else None.")
      .def(pickled<IterationReport>(&IterationReport::step, &IterationReport::iteration, &IterationReport::milliseconds,
                                    &IterationReport::evaluation));

  py::class_<Step>(m, "StepReport", "What a step did.")
      .def_readonly("step", &Step::step, "Steps taken so far.")
      .def_readonly("time", &Step::time, "[s] simulated time at its end.")
      .def_readonly("iterations", &Step::iterations)
      .def_property_readonly(
          "status", [](const Step& s) { return name_of(s.status); },
          "Why it ended: \"converged\", \"stalled\", \"diverged\", or \"budget\": iterations or time were used up.")
      .def_readonly("evaluated", &Step::evaluated, "Whether `evaluation` is of the final iterate.")
      .def_readonly("evaluation", &Step::evaluation)
      .def_readonly("first_residual", &Step::first_residual, "[N] of the initial guess; NaN: not evaluated.")
      .def_readonly("milliseconds", &Step::milliseconds)
      .def_readonly("contact_milliseconds", &Step::contact_times)
      .def_readonly("corrections", &Step::corrections)
      .def_readonly("grid", &Step::grid, "Of the last part of the step; zeros without a grid.")
      .def_readonly("detections", &Step::detections, "Looks for what may touch.")
      .def_readonly("candidates", &Step::candidates, "Pairs that may touch, the most of any detection.")
      .def_readonly("limited", &Step::limited, "With the guarantee: moves of vertices that were shortened.")
      .def_readonly("undivided", &Step::undivided, "With the guarantee: pairs whose vertices stayed where they were.")
      .def_readonly("unreached", &Step::unreached,
                    "With the guarantee: scripted vertices that something was in the way of.")
      .def_readonly("curve", &Step::curve, "The iterates, where `Simulation.curves` is on; else empty.")
      .def_property_readonly(
          "residuals",
          [](const Step& s) {
            Numbers residuals;
            for (const IterationReport& r : s.curve) residuals.push_back(r.evaluation.residual);
            return array_of(residuals);
          },
          "[N] of each iterate of the curve, from the initial guess on.")
      .def(pickled<Step>(&Step::step, &Step::time, &Step::iterations, &Step::status, &Step::evaluated,
                         &Step::evaluation, &Step::milliseconds, &Step::corrections, &Step::contact_times,
                         &Step::detections, &Step::candidates, &Step::limited, &Step::undivided, &Step::unreached,
                         &Step::grid, &Step::first_residual, &Step::curve))
      .def("__repr__", [](const Step& s) {
        char text[120];
        std::snprintf(text, sizeof text, "<sinew.StepReport step %lld, %g s, %d iterations, %s>",
                      static_cast<long long>(s.step), s.time, s.iterations, name_of(s.status));
        return std::string(text);
      });
}

}  // namespace sinew::python
