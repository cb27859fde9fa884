// What is written over a picture: caption, stamp and legend.
#pragma once

#include <string>

#include "render/image.h"
#include "render/render_options.h"

namespace sinew {

// A number for people, to a hundredth of the range it stands in: "0.009" in a range of 0.3, "1.25·10⁻⁵" where plain
// digits would be long, a true minus sign.
std::string legend_number(double value, double range);

// "title [unit]"
std::string legend_title(const std::string& title, const std::string& unit);

void draw_legend(Image& image, const RenderOptions& options, float low, float high);
// Title, colours and their names, as far as they fit into the right fourth of the picture.
void draw_legend_entries(Image& image, const RenderOptions& options);
void draw_captions(Image& image, const RenderOptions& options);

}  // namespace sinew
