// Words in a picture, set in DejaVu Sans.
#pragma once

#include <string>

#include "base/result.h"
#include "math/vec.h"
#include "render/image.h"

namespace sinew {

enum class Align { left, centre, right };

// (x, y) is on the baseline [px]; size: font size [px]; colour is linear. UTF-8; characters missing in the font show as
// boxes. Draws nothing without a font.
void draw_text(Image& image, const std::string& text, double x, double y, double size, Vec3f color, float opacity,
               Align align);

// [px]; zero without a font.
double text_width(const std::string& text, double size);

// Errors: no font was found.
Status find_font();

}  // namespace sinew
