// What is written over a picture: caption, stamp and legend.
#pragma once

#include <string>

#include "render/image.h"
#include "render/render_options.h"

namespace sinew {

// A number for people: at most three significant digits that matter for a range of this size, "1.2·10⁻⁵" outside
// [0.001, 100000), a true minus sign.
std::string legend_number(double value, double range);

// "title [unit]"
std::string legend_title(const std::string& title, const std::string& unit);

void draw_legend(Image& image, const RenderOptions& options, float low, float high);
void draw_captions(Image& image, const RenderOptions& options);

}  // namespace sinew
