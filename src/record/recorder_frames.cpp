// What the frames of a run hold.
#include <algorithm>
#include <cmath>

#include "base/clock.h"
#include "base/format.h"
#include "files/atomic_file.h"
#include "io/vtp.h"
#include "math/length.h"
#include "objective/strain.h"
#include "record/recorder.h"

namespace sinew {
namespace {

Vec3f to_float(Vec3d a) {
  return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
}

// The slot of the first vertex, in the user's order, whose value exceeds single precision.
std::optional<size_t> first_bad(const VertexOrder& order, std::span<const Vec3d> values) {
  for (int32_t v = 0; v < order.vertex_count(); ++v) {
    const auto slot = static_cast<size_t>(order.slot(UserVertex{v}));
    const Vec3f a = to_float(values[slot]);
    if (!std::isfinite(a.x) || !std::isfinite(a.y) || !std::isfinite(a.z)) return slot;
  }
  return std::nullopt;
}

constexpr const char* kept_before =
    "the frames before it are kept; use more substeps or iterations, or softer materials";

const RecordedObject* object_of(std::span<const RecordedObject> objects, size_t vertex) {
  for (const RecordedObject& object : objects)
    if (static_cast<size_t>(object.first_vertex) <= vertex && vertex < static_cast<size_t>(object.last_vertex))
      return &object;
  return nullptr;
}

Error not_finite(const FrameData& data, const char* what, std::span<const RecordedObject> objects, size_t vertex,
                 Vec3d value) {
  std::string where = format("frame %lld, step %lld: vertex %zu", static_cast<long long>(data.frame),
                             static_cast<long long>(data.step), vertex);
  if (const RecordedObject* object = object_of(objects, vertex))
    where += format(" (vertex %zu of %s)", vertex - static_cast<size_t>(object->first_vertex), object->name.c_str());
  return {where, format("has the %s (%g, %g, %g)", what, value.x, value.y, value.z), kept_before};
}

// Only the requested columns of stresses, since they are as long as the mesh.
class StressColumns {
 public:
  StressColumns(const VtuFields& fields, size_t count)
      : stress_(fields.stress ? count : 0),
        principal_(fields.principal_stress ? count : 0),
        von_mises_(fields.von_mises ? count : 0) {}

  void put(size_t k, const Sym3<double>& stress) {
    if (!stress_.empty()) stress_[k] = stress;
    if (!principal_.empty()) principal_[k] = principal_stresses(stress);
    if (!von_mises_.empty()) von_mises_[k] = von_mises_stress(stress);
  }
  void add_to(std::vector<VtuField>& fields) const {
    // VTK's order of a symmetric tensor.
    static constexpr const char* tensor[] = {"XX", "YY", "ZZ", "XY", "YZ", "XZ"};
    static constexpr const char* principal[] = {"max", "mid", "min"};
    const auto put = [](std::initializer_list<double> values, double* out) {
      std::copy(values.begin(), values.end(), out);
    };
    if (!stress_.empty()) {
      const auto value = [=, this](size_t k, double* out) {
        const Sym3<double>& s = stress_[k];
        put({s.xx, s.yy, s.zz, s.xy, s.yz, s.xz}, out);
      };
      fields.push_back({"stress [Pa]", 6, value, tensor});
    }
    if (!principal_.empty()) {
      const auto value = [=, this](size_t k, double* out) {
        put({principal_[k].x, principal_[k].y, principal_[k].z}, out);
      };
      fields.push_back({"principal_stress [Pa]", 3, value, principal});
    }
    if (!von_mises_.empty()) fields.push_back(VtuField::of("von_mises [Pa]", von_mises_));
  }

 private:
  std::vector<Sym3<double>> stress_;  // [Pa]
  std::vector<Vec3d> principal_;      // [Pa]
  std::vector<double> von_mises_;     // [Pa]
};

}  // namespace

void Recorder::set_up_topology(const RunDescription& description) {
  measures_ = SurfaceMeasures(*model_, surfaces_, description.objects, description.fibre_tets);

  if (options_.vtu == VtuFrames::volume) {
    const size_t tets = model_->tets.size();
    std::vector<VtuWriter::Label> labels{{"object", std::vector<int32_t>(tets, -1)}};
    for (size_t k = 0; k < objects_.size(); ++k)
      std::fill(labels[0].second.begin() + objects_[k].first_tet, labels[0].second.begin() + objects_[k].last_tet,
                static_cast<int32_t>(k));
    if (!description.material_of_block.empty()) {
      std::vector<int32_t> material(tets);
      for (size_t b = 0; b < model_->blocks.size(); ++b)
        for (int32_t e = model_->blocks[b].first_tet; e < model_->blocks[b].last_tet; ++e)
          material[model_->user_tet[e]] = description.material_of_block[b];
      labels.emplace_back("material", std::move(material));
    }
    if (!description.regions.empty()) labels.emplace_back("region", description.regions);
    std::vector<Line> lines;
    for (int32_t t = 0; t < model_->ties.count(); ++t) {
      if (!model_->ties.laws[t].traits().is_edge) continue;
      const auto end = [&](int k) {
        return static_cast<int32_t>(model_->order.vertex(Slot{model_->ties.vertices_of(t)[k]}));
      };
      springs_.push_back(t);
      lines.push_back({end(0), end(1)});
      const RecordedObject* owner = object_of(objects_, static_cast<size_t>(end(0)));
      labels[0].second.push_back(owner ? static_cast<int32_t>(owner - objects_.data()) : -1);
    }
    // Springs have neither a material nor a region.
    for (auto& [name, values] : labels)
      if (name != "object") values.resize(tets + lines.size(), name == "material" ? -1 : 0);
    vtu_.emplace(user_tets(*model_), user_middles(*model_), lines, static_cast<size_t>(model_->order.vertex_count()),
                 labels);
  } else if (options_.vtu == VtuFrames::surface) {
    std::vector<Triangle> triangles;
    std::vector<VtuWriter::Label> labels{{"object", {}}, {"material", {}}};
    for (size_t k = 0; k < surfaces_.size(); ++k) {
      const RecordedSurface& surface = surfaces_[k];
      for (const Triangle& t : surface.triangles)
        triangles.push_back({surface.first + t[0], surface.first + t[1], surface.first + t[2]});
      labels[0].second.resize(triangles.size(), static_cast<int32_t>(k));
      labels[1].second.insert(labels[1].second.end(), surface.materials.begin(), surface.materials.end());
      labels[1].second.resize(triangles.size(), -1);
    }
    vtu_.emplace(std::span<const Triangle>(triangles), measures_.points().count(), labels);
  }
  if (vtu_) vtu_->set_numbers(description.info.numbers);
  if (vtu_) vtu_->set_double(options_.in_double);
  for (RecordedSurface& surface : surfaces_) {
    surface.rest = std::vector<Vec3d>();
    surface.triangles = std::vector<Triangle>();
    surface.materials = std::vector<int32_t>();
  }
}

// Even with finite vertices, extrapolated skin points may exceed single precision.
template <class T>
Status Recorder::check_finite(const SurfaceFrameOf<T>& frame) const {
  const auto finite = [](const Vec3<T>& p) {
    const Vec3f f = to_float({p.x, p.y, p.z});
    return std::isfinite(f.x) && std::isfinite(f.y) && std::isfinite(f.z);
  };
  const auto bad = std::find_if_not(frame.positions.begin(), frame.positions.end(), finite);
  if (bad == frame.positions.end()) return {};
  const auto point = static_cast<int32_t>(bad - frame.positions.begin());
  const auto behind = std::upper_bound(surfaces_.begin(), surfaces_.end(), point,
                                       [](int32_t k, const RecordedSurface& surface) { return k < surface.first; });
  const RecordedSurface& surface = *(behind - 1);
  return Error{format("frame %lld, step %lld: point %d of the skin of %s", static_cast<long long>(frame.frame),
                      static_cast<long long>(frame.step), point - surface.first, surface.name.c_str()),
               format("has the position (%g, %g, %g)", double{bad->x}, double{bad->y}, double{bad->z}), kept_before};
}

template <class T>
Status Recorder::write_vtu(const FrameData& data, const SurfaceFrameOf<T>& surface,
                           std::span<const Sym3<double>> point_stress) {
  const bool volume = options_.vtu == VtuFrames::volume;
  const auto slot = [&](size_t k) {
    return static_cast<size_t>(model_->order.slot(UserVertex{static_cast<int32_t>(k)}));
  };
  const auto at = [&](size_t k, std::span<const Vec3d> of_slots) {
    return volume ? of_slots[slot(k)] : measures_.points().vector(k, of_slots);
  };
  const auto put = [](Vec3d a, double* out) {
    out[0] = a.x;
    out[1] = a.y;
    out[2] = a.z;
  };
  const VtuField points{"Points", 3, [&](size_t k, double* out) { put(at(k, data.x), out); }};
  std::vector<VtuField> point_fields{
      {"displacement [m]", 3, [&](size_t k, double* out) { put(at(k, data.x) - at(k, model_->rest), out); }},
      {"velocity [m/s]", 3, [&](size_t k, double* out) { put(at(k, data.v), out); }}};
  if (!data.forces.empty()) {
    point_fields.push_back({"residual [N]", 1, [&](size_t k, double* out) {
                              *out = volume ? length(data.forces[slot(k)]) : double{surface.residual[k]};
                            }});
  }
  add_pinned(data, point_fields);
  if (volume) return write_volume(data, point_fields, points);

  point_fields.push_back({"strain", 1, [&](size_t k, double* out) { *out = surface.strain[k]; }});
  StressColumns stress(options_.fields, measures_.points().count());
  for (size_t k = 0; k < point_stress.size(); ++k) stress.put(k, point_stress[k]);
  stress.add_to(point_fields);
  return vtu_->write(paths_.volume_frame(data.frame), data.time, points, point_fields, {});
}

// The vertices held by pins, and the forces.
void Recorder::add_pinned(const FrameData& data, std::vector<VtuField>& fields) const {
  const bool volume = options_.vtu == VtuFrames::volume;
  const auto held = [=](size_t slot) -> const PinnedVertex* {
    const auto at = std::lower_bound(data.pinned.begin(), data.pinned.end(), slot,
                                     [](const PinnedVertex& a, size_t b) { return static_cast<size_t>(a.slot) < b; });
    return at != data.pinned.end() && static_cast<size_t>(at->slot) == slot ? &*at : nullptr;
  };
  // The value at a vertex; at a skin point, the mean over its carriers.
  const auto value = [=, this](size_t k, const auto& of) {
    if (volume) return of(held(static_cast<size_t>(model_->order.slot(UserVertex{static_cast<int32_t>(k)}))));
    return measures_.points().mean(
        k, [&](size_t carrier) { return of(held(static_cast<size_t>(measures_.points().carriers()[carrier]))); });
  };
  if (options_.fields.reaction)
    fields.push_back({"reaction [N]", 3, [=](size_t k, double* out) {
                        out[0] = value(k, [](const PinnedVertex* p) { return p ? p->reaction.x : 0.0; });
                        out[1] = value(k, [](const PinnedVertex* p) { return p ? p->reaction.y : 0.0; });
                        out[2] = value(k, [](const PinnedVertex* p) { return p ? p->reaction.z : 0.0; });
                      }});
  if (options_.fields.pinned)
    fields.push_back({"pinned", 1, [=](size_t k, double* out) {
                        *out = value(k, [](const PinnedVertex* p) { return p ? 1.0 : 0.0; }) < 1 ? 0 : 1;
                      }});
}

Status Recorder::write_volume(const FrameData& data, std::span<const VtuField> point_fields, const VtuField& points) {
  const size_t tets = model_->tets.size();
  std::vector<double> j(tets), strain(tets), energy(data.energy_density.size());
  measure_strain(*model_, data.x, *pool_, j, strain);
  for (size_t e = 0; e < energy.size(); ++e) energy[model_->user_tet[e]] = data.energy_density[e];
  // A spring has a strain, but no volume.
  for (const int32_t t : springs_) strain.push_back(spring_strain(model_->ties, t, data.x));
  j.resize(strain.size(), 1);
  if (!energy.empty()) energy.resize(strain.size(), 0);
  std::vector<VtuField> cell_fields{VtuField::of("det_F", j), VtuField::of("strain", strain)};
  if (!energy.empty()) cell_fields.push_back(VtuField::of("energy_density [J/m^3]", energy));

  // Nor a stress.
  StressColumns stress(options_.fields, strain.size());
  if (options_.fields.of_stress()) {
    constexpr int64_t piece = 1024;
    const std::vector<double> activation = activation_at(*model_, data.time);
    for (const ElasticBlock& block : model_->blocks) {
      pool_->parallel_for(block.last_tet - block.first_tet, piece, [&](int64_t begin, int64_t end) {
        std::vector<Sym3<double>> of(static_cast<size_t>(end - begin));
        const int32_t first = block.first_tet + static_cast<int32_t>(begin);
        measures_.elements().measure(*model_, block, first, block.first_tet + static_cast<int32_t>(end), data.x,
                                     activation, of);
        for (size_t k = 0; k < of.size(); ++k)
          stress.put(static_cast<size_t>(model_->user_tet[static_cast<size_t>(first) + k]), of[k]);
      });
    }
  }
  stress.add_to(cell_fields);
  return vtu_->write(paths_.volume_frame(data.frame), data.time, points, point_fields, cell_fields);
}

Status Recorder::write_contacts(const FrameData& data) {
  std::vector<Vec3d> points;
  std::vector<double> normals, forces, gaps;
  std::vector<int32_t> first, second;
  for (const ContactPoint& contact : data.contacts) {
    points.push_back({contact.position[0], contact.position[1], contact.position[2]});
    normals.insert(normals.end(), contact.normal.begin(), contact.normal.end());
    forces.insert(forces.end(), contact.force.begin(), contact.force.end());
    gaps.push_back(contact.gap);
    first.push_back(contact.first);
    second.push_back(contact.second);
  }
  const VtpField fields[] = {{"normal", 3, normals},
                             {"force [N]", 3, forces},
                             {"gap [m]", 1, gaps},
                             {"first", 1, first},
                             {"second", 1, second}};
  if (Status status = manifest_.claim(OutputPaths::contact_frame_name(data.frame)); !status) return status;
  if (Status status = write_file_atomically(paths_.contact_frame(data.frame), encode_vtp(data.time, points, fields));
      !status)
    return status;
  contacts_pvd_.push_back({data.time, OutputPaths::contact_frame_name(data.frame)});
  return write_file_atomically(paths_.contacts_pvd(), encode_pvd(contacts_pvd_));
}

Status Recorder::write_frame(const FrameData& data) {
  SINEW_ASSERT(data.x.size() == model_->rest.size() && data.v.size() == data.x.size());
  const auto number = [&](size_t slot) {
    return static_cast<size_t>(model_->order.vertex(Slot{static_cast<int32_t>(slot)}));
  };
  if (const auto s = first_bad(model_->order, data.x))
    return not_finite(data, "position", objects_, number(*s), data.x[*s]);
  if (const auto s = first_bad(model_->order, data.v))
    return not_finite(data, "velocity", objects_, number(*s), data.v[*s]);

  return resumable(write_finite_frame(data));
}

template <class T>
Status Recorder::write_in(const FrameData& data) {
  const bool shows_stress =
      options_.fields.von_mises || (options_.fields.of_stress() && options_.vtu == VtuFrames::surface);
  const std::vector<Sym3<double>> stress =
      shows_stress ? measures_.stress(*model_, data, *pool_) : std::vector<Sym3<double>>{};
  const SurfaceFrameOf<T> surface = measures_.frame<T>(*model_, data, stress, options_.fields.von_mises, *pool_);
  if (Status status = check_finite(surface); !status) return status;
  std::vector<std::string> names{OutputPaths::surface_frame_name(data.frame)};
  if (vtu_) names.push_back(OutputPaths::volume_frame_name(data.frame));
  if (Status status = manifest_.claim(names); !status) return status;
  if (Status status = save_surface_frame(paths_.surface_frame(data.frame), surface); !status) return status;
  if (!vtu_) return {};
  if (Status status = write_vtu(data, surface, stress); !status) return status;
  // The list names a frame only once its file exists.
  pvd_.push_back({data.time, OutputPaths::volume_frame_name(data.frame)});
  return write_file_atomically(paths_.pvd(), encode_pvd(pvd_));
}

Status Recorder::write_finite_frame(const FrameData& data) {
  const auto start = Clock::now();
  if (wants_frame(data.frame)) {
    if (Status status = options_.in_double ? write_in<double>(data) : write_in<float>(data); !status) return status;
    if (options_.contacts)
      if (Status status = write_contacts(data); !status) return status;
    frames_.push_back(data.frame);
  }
  progress_.last_frame = data.frame;
  progress_.frames_written = static_cast<int64_t>(frames_.size());
  progress_.time = data.time;
  progress_.step = data.step;
  if (Status status = run_file_.save(paths_.run_file(), progress_); !status) return status;
  stats_.add_milliseconds(Stage::write, milliseconds_since(start));
  return stats_.flush();
}

}  // namespace sinew
