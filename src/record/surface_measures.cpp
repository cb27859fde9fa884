#include "record/surface_measures.h"

#include "math/length.h"

namespace sinew {

std::vector<double> activation_at(const Model& model, double time) {
  std::vector<double> activation;
  for (const Activation& muscle : model.muscles) activation.push_back(muscle.at(time));
  return activation;
}

SurfaceMeasures::SurfaceMeasures(const Model& model, std::span<const RecordedSurface> surfaces,
                                 std::span<const RecordedObject> objects, std::span<const int32_t> fibre_tets)
    : points_(model, surfaces, objects), strain_(model, points_.carriers()), elements_(model, fibre_tets) {}

std::vector<Sym3<double>> SurfaceMeasures::stress(const Model& model, const FrameData& data, ThreadPool& pool) const {
  const std::vector<double> activation = activation_at(model, data.time);
  using S = Sym3<double>;
  const std::vector<S> mean =
      strain_.mean(model, pool, [&](const ElasticBlock& block, int32_t first, int32_t last, std::span<S> out) {
        elements_.measure(model, block, first, last, data.x, activation, out);
      });
  std::vector<S> stress(points_.count());
  pool.for_each(static_cast<int64_t>(points_.count()), [&](size_t k) {
    const auto of = [&](double S::*c) { return points_.mean(k, [&](size_t carrier) { return mean[carrier].*c; }); };
    stress[k] = {of(&S::xx), of(&S::xy), of(&S::xz), of(&S::yy), of(&S::yz), of(&S::zz)};
  });
  return stress;
}

template <class T>
SurfaceFrameOf<T> SurfaceMeasures::frame(const Model& model, const FrameData& data,
                                         std::span<const Sym3<double>> stress, bool von_mises, ThreadPool& pool) const {
  SurfaceFrameOf<T> frame;
  frame.frame = data.frame;
  frame.time = data.time;
  frame.step = data.step;
  frame.positions.resize(points_.count());
  frame.strain.resize(points_.count());
  for (const Vec3d& p : data.collider_points)
    frame.collider_points.push_back({static_cast<T>(p.x), static_cast<T>(p.y), static_cast<T>(p.z)});
  frame.collider_planes.assign(data.collider_planes.begin(), data.collider_planes.end());
  if (!data.forces.empty()) frame.residual.resize(points_.count());
  if (von_mises) frame.von_mises.resize(points_.count());
  const std::vector<double> strain = strain_.measure(model, data.x, pool);
  pool.for_each(static_cast<int64_t>(points_.count()), [&](size_t k) {
    const Vec3d p = points_.vector(k, data.x);
    frame.positions[k] = {static_cast<T>(p.x), static_cast<T>(p.y), static_cast<T>(p.z)};
    frame.strain[k] = static_cast<T>(points_.mean(k, [&](size_t carrier) { return strain[carrier]; }));
    if (von_mises) frame.von_mises[k] = static_cast<T>(von_mises_stress(stress[k]));
    if (!data.forces.empty())
      frame.residual[k] = static_cast<T>(
          points_.mean(k, [&](size_t carrier) { return length(data.forces[points_.carriers()[carrier]]); }));
  });
  return frame;
}

template SurfaceFrameOf<float> SurfaceMeasures::frame(const Model&, const FrameData&, std::span<const Sym3<double>>,
                                                      bool, ThreadPool&) const;
template SurfaceFrameOf<double> SurfaceMeasures::frame(const Model&, const FrameData&, std::span<const Sym3<double>>,
                                                       bool, ThreadPool&) const;

}  // namespace sinew
