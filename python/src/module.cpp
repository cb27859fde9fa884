// The module sinew._sinew, over the published headers. The package sinew, in python/sinew/, is what users import.
#include <pybind11/pybind11.h>

#include "comparison.h"
#include "datasets.h"
#include "errors.h"
#include "lists.h"
#include "meshes.h"
#include "pictures.h"
#include "reports.h"
#include "reproduction.h"
#include "runs.h"
#include "scenes.h"
#include "simulation.h"
#include "sinew/version.h"

PYBIND11_MODULE(_sinew, m) {
  using namespace sinew::python;
  m.attr("version") = sinew::library_version();
  bind_errors(m);
  bind_scenes(m);
  bind_reports(m);
  bind_live(m);
  py::class_<Session> simulation = bind_simulation(m);
  bind_pictures(m, simulation);
  bind_meshes(m);
  bind_comparison(m);
  bind_reproduction(m);
  bind_lists(m);
  bind_runs(m);
  bind_datasets(m);
}
