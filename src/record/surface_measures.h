// What is measured of a state at the points of surfaces.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "exec/thread_pool.h"
#include "model/model.h"
#include "objective/stress.h"
#include "record/frame_data.h"
#include "record/surface_points.h"
#include "record/surface_store.h"
#include "record/surface_strain.h"

namespace sinew {

class SurfaceMeasures {
 public:
  SurfaceMeasures() = default;
  // surfaces: made from the objects (make_surfaces). fibre_tets: as for ElementStress.
  SurfaceMeasures(const Model& model, std::span<const RecordedSurface> surfaces,
                  std::span<const RecordedObject> objects, std::span<const int32_t> fibre_tets);

  const SurfacePoints& points() const { return points_; }
  const ElementStress& elements() const { return elements_; }
  // The mean stress [Pa] at every point.
  std::vector<Sym3<double>> stress(const Model& model, const FrameData& data, ThreadPool& pool) const;
  // von_mises: whether the frame has it, of the stress at every point.
  template <class T>
  SurfaceFrameOf<T> frame(const Model& model, const FrameData& data, std::span<const Sym3<double>> stress,
                          bool von_mises, ThreadPool& pool) const;

 private:
  SurfacePoints points_;
  SurfaceStrain strain_;
  ElementStress elements_;
};

// Of each muscle.
std::vector<double> activation_at(const Model& model, double time);

}  // namespace sinew
