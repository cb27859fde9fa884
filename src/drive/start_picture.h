// A picture of a scene's start, with the triangles that intersect in red.
#pragma once

#include <filesystem>

#include "compile/compile.h"
#include "sinew/scene.h"

namespace sinew {

// From compiled.start. The camera looks at the first two that intersect; at everything, where nothing does. Their edges
// are drawn over what hides them. Of planes, the highest that faces up is the ground; others are not drawn.
// Errors: a build without the path tracer, a picture that cannot be written.
Status draw_start(const Scene& scene, CompiledScene& compiled, const std::filesystem::path& file, ThreadPool& pool);

}  // namespace sinew
