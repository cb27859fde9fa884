#include "base/format.h"
#include "io/bytes.h"
#include "io/vtk_cells.h"
#include "io/vtu.h"

namespace sinew {
namespace {

// One array of the appended data: its size, then its bytes.
template <class T>
void append_array(std::string& bytes, const std::vector<T>& values) {
  append_bytes(bytes, static_cast<uint64_t>(values.size() * sizeof(T)));
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

}  // namespace

std::string encode_vtu(const TetMesh& mesh) {
  const size_t tets = mesh.tets.size();
  std::vector<int64_t> ends(tets);
  for (size_t t = 0; t < tets; ++t) ends[t] = 4 * (static_cast<int64_t>(t) + 1);

  std::string data;
  data.reserve(24 * mesh.vertices.size() + 29 * tets);
  const size_t points_at = data.size();
  static_assert(sizeof(Vec3d) == 24 && sizeof(Tet) == 16);
  append_array(data, mesh.vertices);
  const size_t connectivity_at = data.size();
  append_array(data, mesh.tets);
  const size_t ends_at = data.size();
  append_array(data, ends);
  const size_t types_at = data.size();
  append_array(data, std::vector<uint8_t>(tets, kVtkTet));
  const size_t regions_at = data.size();
  if (!mesh.regions.empty()) append_array(data, mesh.regions);

  const auto array = [](const char* type, const char* name, int components, size_t offset) {
    return format("<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%zu\"/>\n",
                  type, name, components, offset);
  };
  std::string text = "<?xml version=\"1.0\"?>\n";
  text += format("<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"%s\" header_type=\"UInt64\">\n",
                 machine_is_little ? "LittleEndian" : "BigEndian");
  text +=
      format("<UnstructuredGrid>\n<Piece NumberOfPoints=\"%zu\" NumberOfCells=\"%zu\">\n", mesh.vertices.size(), tets);
  text += "<Points>\n" + array("Float64", "Points", 3, points_at) + "</Points>\n<Cells>\n";
  text += array("Int32", "connectivity", 1, connectivity_at) + array("Int64", "offsets", 1, ends_at);
  text += array("UInt8", "types", 1, types_at) + "</Cells>\n";
  if (!mesh.regions.empty()) text += "<CellData>\n" + array("Int32", "region", 1, regions_at) + "</CellData>\n";
  text += "</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";
  return text + data + "\n</AppendedData>\n</VTKFile>\n";
}

}  // namespace sinew
