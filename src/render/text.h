// Words in a picture, set in DejaVu Sans.
#pragma once

#include <string>

#include "base/result.h"
#include "math/vec.h"
#include "render/image.h"

namespace sinew {

enum class Align { left, centre, right };

// (x, y) is on the base line, in pixels; size is that of the font, also in pixels; colour is linear. UTF-8; characters
// that the font lacks show as its box. Draws nothing where there is no font.
void draw_text(Image& image, const std::string& text, double x, double y, double size, Vec3f color, float opacity,
               Align align);

// In pixels; zero where there is no font.
double text_width(const std::string& text, double size);

// Whether a font was found.
Status find_font();

}  // namespace sinew
