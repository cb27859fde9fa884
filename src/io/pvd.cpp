#include "io/pvd.h"

#include "base/digits.h"

namespace sinew {

std::string encode_pvd(std::span<const PvdEntry> entries) {
  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
      "  <Collection>\n";
  for (const PvdEntry& entry : entries) {
    char digits[32];
    const auto [end, fault] = write_digits(digits, digits + sizeof digits, entry.time);
    text += "    <DataSet timestep=\"";
    text.append(digits, end);
    text += "\" group=\"\" part=\"0\" file=\"" + entry.file + "\"/>\n";
  }
  text += "  </Collection>\n</VTKFile>\n";
  return text;
}

}  // namespace sinew
