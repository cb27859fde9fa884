#include "compile/bodies.h"

#include <memory>
#include <numeric>

#include "base/counted.h"
#include "base/format.h"
#include "base/nearest.h"
#include "compile/blocks.h"
#include "compile/object_mesh.h"
#include "compile/placing.h"
#include "compile/skin.h"
#include "compile/stiffness_factors.h"
#include "mesh/middles.h"
#include "mesh/topology.h"
#include "scene/object_kinds.h"

namespace sinew {
namespace {

// Appends the factors of the tets that the repair has kept to those of the previous objects.
Status add_factors(Draft& draft, const SceneObject& object, const ObjectMesh& loaded, const std::string& path,
                   ObjectPart& part) {
  Result<std::vector<double>> read =
      read_stiffness_factors(*object.stiffness_factors, loaded.tets_in_file, draft.folder());
  if (!read)
    return draft.fault(path + ".stiffness_factors" + read.error().where + read.error().what, read.error().remedy);
  std::vector<double>& factors = *read;
  const std::vector<int32_t>& kept = loaded.kept_tets;
  for (size_t k = 0; k < kept.size(); ++k) factors[k] = factors[static_cast<size_t>(kept[k])];
  if (!kept.empty()) factors.resize(kept.size());
  part.mean_stiffness_factor =
      std::accumulate(factors.begin(), factors.end(), 0.0) / static_cast<double>(factors.size());
  draft.input.stiffness_factor.resize(static_cast<size_t>(part.first_tet), 1.0);
  draft.input.stiffness_factor.insert(draft.input.stiffness_factor.end(), factors.begin(), factors.end());
  return {};
}

void add_surface(Draft& draft, const SceneObject& object, const TetMesh& mesh, const std::string& path,
                 ObjectPart& part) {
  if (is_plane(object)) {
    for (size_t e = 0; e < mesh.tets.size(); ++e) {
      const Tet& t = mesh.tets[e];
      part.surface.push_back({t[0] + part.first_vertex, t[1] + part.first_vertex, t[2] + part.first_vertex});
      part.surface_materials.push_back(draft.out.material_of_block[draft.input.block_of_tet[part.first_tet + e]]);
    }
    return;
  }
  Boundary boundary = extract_boundary(mesh, draft.pool);
  if (object.quadratic) boundary = with_middles(boundary, mesh);
  if (const int64_t faces = boundary.crowded_faces + boundary.folded_faces; faces > 0)
    draft.warn(path + format(".mesh: overlaps itself at %lld faces", static_cast<long long>(faces)));
  for (const int32_t tet : boundary.tets) {
    const auto block = static_cast<size_t>(draft.input.block_of_tet[static_cast<size_t>(part.first_tet + tet)]);
    part.surface_materials.push_back(draft.out.material_of_block[block]);
  }
  part.surface = std::move(boundary.triangles);
  for (Triangle& triangle : part.surface)
    for (int32_t& v : triangle) v += part.first_vertex;
}

// Triangles of the skin have the material of the tet that carries their first corner.
Status add_skin(Draft& draft, const SceneObject& object, const TetMesh& mesh, const std::string& path,
                ObjectPart& part) {
  Result<CarriedSkin> read = read_skin(object, mesh, draft.folder(), draft.pool);
  if (!read) return draft.fault(path + ".skin", read.error());
  if (!read->warning.empty()) draft.warn(path + ".skin: " + read->warning);
  Skin& skin = read->skin;
  const double bodies = copy_count(object);
  skin.bodies = static_cast<int32_t>(bodies);
  draft.skin_points += bodies * static_cast<double>(skin.point_count());
  if (draft.skin_points + bodies * static_cast<double>(mesh.vertices.size()) +
          static_cast<double>(draft.mesh.vertices.size()) >
      most_items)
    return draft.fault(path + ".skin: all skins and meshes together have more than 2^31 vertices", "use coarser ones");
  for (const Triangle& t : skin.triangles) {
    const int32_t tet = part.first_tet + read->tets[t[0]];
    skin.materials.push_back(draft.out.material_of_block[draft.input.block_of_tet[tet]]);
  }
  part.skin = std::make_shared<const Skin>(std::move(skin));
  return {};
}

}  // namespace

Status add_body(Draft& draft, const SceneObject& object, const ProgressListener& progress) {
  const std::string path = "objects." + object.name;
  Result<ObjectMesh> loaded = load_object_mesh(object, draft.folder(), draft.pool, progress);
  if (!loaded) return draft.fault(path + ".mesh", loaded.error());
  for (const std::string& sentence : loaded->warnings) draft.warn(joined({path, ".mesh: ", sentence}));
  TetMesh& mesh = loaded->mesh;
  if (mesh.ten_node_tets > 0 && !object.quadratic)
    draft.warn(joined({path, ".mesh: ", counted(mesh.ten_node_tets, "tet"),
                       " of ten nodes, taken by the four corners; \"element\": \"quadratic\" keeps ten"}));
  if (object.quadratic) {
    add_middles(mesh);
    add_middles(mesh, loaded->groups);
  }
  if (Status s = check_count(draft, object, mesh, path); !s) return s;
  ObjectPart part = new_part(draft, object);
  part.groups = std::move(loaded->groups);
  if (Status s = assign_materials(draft, object, mesh, part.groups, path); !s) return s;
  if (object.stiffness_factors) {
    if (Status s = add_factors(draft, object, *loaded, path, part); !s) return s;
  }
  add_surface(draft, object, mesh, path, part);
  if (!object.skin.empty()) {
    if (Status s = add_skin(draft, object, mesh, path, part); !s) return s;
  }
  append_copies(draft, object, mesh, part);
  draft.kept_tets.push_back({loaded->tets_in_file, std::move(loaded->kept_tets)});
  draft.out.objects.push_back(std::move(part));
  return {};
}

}  // namespace sinew
