#include "pictures.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "errors.h"
#include "interrupt.h"
#include "scenes.h"
#include "sinew/render.h"

namespace sinew::python {
namespace {

using Given = const py::object&;

// A sinew.Picture, which keeps the bytes.
py::object array_from(Picture picture) {
  using Bytes = std::vector<uint8_t>;
  auto bytes = std::make_unique<Bytes>(std::move(picture.rgb));
  uint8_t* const first = bytes->data();
  const py::capsule owner(bytes.release(), [](void* kept) { delete static_cast<Bytes*>(kept); });
  const py::array_t<uint8_t> array({picture.height, picture.width, 3}, first, owner);
  return array.attr("view")(py::module_::import("sinew._picture").attr("Picture"));
}

PictureOptions options_from(Given width, Given height, Given samples, Given color_by, Given smooth, Given wireframe,
                            Given contacts, Given ground, Given ground_pattern, Given camera, int threads) {
  using namespace py::literals;
  check_threads(threads);
  PictureOptions options;
  options.set =
      assignments_from(py::dict("width"_a = width, "height"_a = height, "samples"_a = samples, "color_by"_a = color_by,
                                "smooth"_a = smooth, "wireframe"_a = wireframe, "contacts"_a = contacts,
                                "ground"_a = ground, "ground_pattern"_a = ground_pattern, "camera"_a = camera));
  options.threads = threads;
  return options;
}

// Calls define(function, arguments of pictures...).
template <class Define>
void with_looks(const Define& define) {
  const auto none = py::none();
  define(py::arg("width") = none, py::arg("height") = none, py::arg("samples") = none, py::arg("color_by") = none,
         py::arg("smooth") = none, py::arg("wireframe") = none, py::arg("contacts") = none, py::arg("ground") = none,
         py::arg("ground_pattern") = none, py::arg("camera") = none, py::arg("threads") = PictureOptions{}.threads);
}

}  // namespace

void bind_pictures(py::module_& m, py::class_<Session>& simulation) {
  m.def("encode_png", [](const py::array_t<uint8_t, py::array::c_style>& picture) {
    return py::bytes(value_of(encode_png(static_cast<int>(picture.shape(1)), static_cast<int>(picture.shape(0)),
                                         std::span(picture.data(), static_cast<size_t>(picture.size())))));
  });
  with_looks([&](const auto&... looks) {
    simulation.def(
        "picture",
        [](Session& s, Given width, Given height, Given samples, Given color_by, Given smooth, Given wireframe,
           Given contacts, Given ground, Given ground_pattern, Given camera, int threads) {
          PictureOptions options = options_from(width, height, samples, color_by, smooth, wireframe, contacts, ground,
                                                ground_pattern, camera, threads);
          Signals signals;
          Result<Picture> picture = s.work([&](const Simulation& e) {
            return interrupted_by(signals, [&](const std::atomic<bool>* interrupt) {
              options.interrupt = interrupt;
              return draw_picture(e, options);
            });
          });
          signals.rethrow();
          return array_from(value_of(std::move(picture), "arguments"));
        },
        py::kw_only(), looks...,
        "A picture of the state, by path tracing: an array that notebooks show. The arguments are keys of `render` in "
        "scenes, `camera` a dict of those below it; what is left out is as the scene has it.");
    m.def(
        "picture",
        [](const std::filesystem::path& output, std::optional<int64_t> frame, Given width, Given height, Given samples,
           Given color_by, Given smooth, Given wireframe, Given contacts, Given ground, Given ground_pattern,
           Given camera, int threads) {
          PictureOptions options = options_from(width, height, samples, color_by, smooth, wireframe, contacts, ground,
                                                ground_pattern, camera, threads);
          Result<Picture> picture = interruptible_within([&](const std::atomic<bool>* interrupt) {
            options.interrupt = interrupt;
            return draw_picture(output, frame, options);
          });
          return array_from(value_of(std::move(picture), "arguments"));
        },
        py::arg("output"), py::kw_only(), py::arg("frame") = py::none(), looks...,
        "A picture of a frame of the run in a folder, by default the last, as Simulation.picture makes one. Of a "
        "comparison that was recorded it shows all runs side by side. The folder stays as it is.");
  });
}

}  // namespace sinew::python
