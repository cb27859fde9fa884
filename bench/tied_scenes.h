// Bodies of springs, bindings (weak constraints of a vertex and three others) or muscle fibres and nothing else: point
// masses on a grid of vertices, shaken by a tenth of a cell.
#pragma once

#include <memory>
#include <string>

#include "scenes.h"

namespace sinew::bench {

enum class TiedKind { springs, bindings, fibres };
inline constexpr TiedKind tied_kinds[] = {TiedKind::springs, TiedKind::bindings, TiedKind::fibres};
std::string name_of(TiedKind kind);

// With (cells + 1)^3 vertices. cluster_vertices: as of ModelInput.
std::unique_ptr<Scene> make_tied_scene(TiedKind kind, int cells, int32_t cluster_vertices = 0);

}  // namespace sinew::bench
