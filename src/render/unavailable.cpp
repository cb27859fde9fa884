// Replaces the path tracer, text and PNG in builds without them.
#include "render/png.h"
#include "render/render.h"

namespace sinew {
namespace {

Error not_built_in(const std::string& where) {
  return {where, "pictures were left out of this build",
          "install libembree-dev and libstb-dev and configure with -DSINEW_RENDER=ON"};
}

}  // namespace

struct Renderer::State {};

Renderer::Renderer() = default;
Renderer::~Renderer() = default;
Renderer::Renderer(Renderer&&) noexcept = default;
Renderer& Renderer::operator=(Renderer&&) noexcept = default;

Result<Image> Renderer::render(const RenderScene&, const Camera&, const RenderOptions&) {
  return not_built_in("picture");
}

Result<Image> render(const RenderScene&, const Camera&, const RenderOptions&) {
  return not_built_in("picture");
}

Status check_picture(const RenderOptions&, const Camera&, Vec3d) {
  return not_built_in("picture");
}

bool render_available() {
  return false;
}

Status text_available() {
  return not_built_in("picture");
}

Result<std::string> encode_png(int, int, std::span<const uint8_t>) {
  return not_built_in("picture");
}

Status write_png(const std::string& path, const Image&) {
  return not_built_in(path);
}

}  // namespace sinew
