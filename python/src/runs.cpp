// Runs of scenes into folders, and pictures of them.
#include "runs.h"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "errors.h"
#include "interrupt.h"
#include "scenes.h"
#include "sinew/render.h"
#include "sinew/run.h"
#include "sinew/text.h"
#include "text.h"

namespace sinew::python {
namespace {

RunOutcome run(const py::object& scene, const std::filesystem::path& output, std::optional<int64_t> frames, int threads,
               bool resume, bool overwrite, const py::object& overrides, const py::object& folder) {
  check_threads(threads);
  if (frames && *frames < 0)
    fail("frames", "= " + std::to_string(*frames) + ": must not be negative", "leave it out for the scene's duration");
  const Scene taken = scene_from(scene, overrides, folder);
  RunOptions options;
  options.folder = output;
  options.frames = frames;
  options.threads = threads;
  options.resume = resume;
  options.overwrite = overwrite;
  return interruptible<RunOutcome>([&](auto&& watch) {
    RunObserver observer;
    observer.on_setup = Listener<Progress>(watch);
    observer.on_step = [&watch](const StepReport&) { return watch(Progress{}); };
    return run_scene(taken, options, observer);
  });
}

FilmOutcome render(const std::filesystem::path& output, std::optional<int64_t> frame, std::optional<int> width,
                   std::optional<int> height, std::optional<int> samples, const std::optional<std::string>& color_by,
                   std::optional<bool> smooth, std::optional<bool> wireframe, std::optional<bool> contacts, int every,
                   int threads) {
  check_threads(threads);
  if (every < 1) fail("every", "= " + std::to_string(every) + ": must be at least 1", "1: every frame");
  FilmOptions options{.width = width, .height = height, .samples = samples};
  if (color_by) {
    options.color_by = named<ColorBy>(*color_by);
    if (!options.color_by)
      fail("color_by", "= \"" + *color_by + "\": is not known", did_you_mean(*color_by, names_of<ColorBy>()));
  }
  options.smooth = smooth;
  options.wireframe = wireframe;
  options.contacts = contacts;
  options.frame = frame;
  options.every = every;
  options.threads = threads;
  return value_of(interruptible_within([&](const std::atomic<bool>* interrupt) {
    options.interrupt = interrupt;
    return render_run(output, options);
  }));
}

}  // namespace

void bind_runs(py::module_& m) {
  py::class_<RunOutcome>(m, "RunOutcome", "A run that was written into a folder.")
      .def_readonly("last_frame", &RunOutcome::last_frame)
      .def_readonly("steps", &RunOutcome::steps, "Taken now, not those before a resume.")
      .def_readonly("missed", &RunOutcome::missed, "Steps that did not reach their tolerance in time.")
      .def_readonly("stalled", &RunOutcome::stalled, "Steps that came to a standstill before it.")
      .def_readonly("diverged", &RunOutcome::diverged, "The frames from the first such step on are not to be trusted.")
      .def_property_readonly(
          "warnings", [](const RunOutcome& r) { return texts_of(r.warnings); },
          "What makes the result doubtful, with a remedy.")
      .def_property_readonly(
          "notes", [](const RunOutcome& r) { return texts_of(r.notes); }, "What can be improved.")
      .def_readonly("files", &RunOutcome::files, "Of the run, that are in the folder.")
      .def_property_readonly(
          "hash", [](const RunOutcome& r) { return hash_text(r.hash); }, "Of the final state, as Simulation.hash.")
      .def("__repr__", [](const RunOutcome& r) {
        return "<sinew.RunOutcome to frame " + std::to_string(r.last_frame) + ", " + std::to_string(r.steps) +
               " steps, " + hash_text(r.hash) + ">";
      });

  py::class_<FilmOutcome>(m, "FilmOutcome", "Pictures of a run, and a film of them.")
      .def_readonly("pictures", &FilmOutcome::pictures, "Their folder, or the single picture.")
      .def_property_readonly(
          "film",
          [](const FilmOutcome& f) { return f.film.empty() ? py::object(py::none()) : py::object(py::cast(f.film)); },
          "None: there is none.")
      .def_readonly("picture_count", &FilmOutcome::picture_count)
      .def_property_readonly(
          "no_film",
          [](const FilmOutcome& f) {
            return f.no_film ? py::object(text_of(f.no_film->message())) : py::object(py::none());
          },
          "Why there is none although one was asked for, or None.")
      .def("__repr__", [](const FilmOutcome& f) {
        return text_of("<sinew.FilmOutcome " + f.pictures.string() + ", " + std::to_string(f.picture_count) +
                       " pictures" + (f.film.empty() ? "" : " and a film") + ">");
      });

  const RunOptions usual;
  const FilmOptions plain;
  const auto none = py::none();
  m.def("run", &run, py::arg("scene"), py::arg("output"), py::kw_only(), py::arg("frames") = none,
        py::arg("threads") = usual.threads, py::arg("resume") = usual.resume, py::arg("overwrite") = usual.overwrite,
        py::arg("overrides") = none, py::arg("folder") = none,
        "Runs a scene into a folder, as `sinew run` does: frames for ParaView, caches for Blender, statistics. After "
        "Ctrl-C it can be resumed, bit for bit.");
  m.def("render", &render, py::arg("output"), py::kw_only(), py::arg("frame") = none, py::arg("width") = none,
        py::arg("height") = none, py::arg("samples") = none, py::arg("color_by") = none, py::arg("smooth") = none,
        py::arg("wireframe") = none, py::arg("contacts") = none, py::arg("every") = plain.every,
        py::arg("threads") = plain.threads,
        "Makes pictures and a film of the run in a folder, or a picture of one frame. What is given replaces the "
        "scene's settings.");
}

}  // namespace sinew::python
