// Text over a picture: caption, stamp and legend.
#pragma once

#include <string>

#include "render/image.h"
#include "render/render_options.h"

namespace sinew {

// A number as text, to a hundredth of its range: "0.009" in a range of 0.3, "1.25·10⁻⁵" if plain digits would be long,
// with a true minus sign.
std::string legend_number(double value, double range);

// "title [unit]"
std::string legend_title(const std::string& title, const std::string& unit);

void draw_legend(Image& image, const RenderOptions& options, float low, float high);
// Title, colours and names, as far as they fit into the right quarter of the picture.
void draw_legend_entries(Image& image, const RenderOptions& options);
void draw_captions(Image& image, const RenderOptions& options);

}  // namespace sinew
