// The material of each tet.
#pragma once

#include <span>
#include <string>

#include "base/result.h"
#include "compile/draft.h"

namespace sinew {

// Gives the block the parameters and the damping of a material; its dimension and its stiffness factor stay.
void set_material(ElasticBlock& block, const SceneMaterial& material);

// Appends the block of each tet: that of its region's material, or of the object's. Errors: a region that the mesh does
// not have or that is given twice, tets without a material.
Status assign_materials(Draft& draft, const SceneObject& object, const TetMesh& mesh, std::span<const MeshGroup> groups,
                        const std::string& path);

}  // namespace sinew
