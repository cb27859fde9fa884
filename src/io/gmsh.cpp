#include "io/gmsh.h"

#include <cmath>
#include <unordered_map>

#include "base/format.h"
#include "io/gmsh_input.h"
#include "io/tag_map.h"
#include "io/text_writer.h"

namespace sinew {

namespace {

constexpr int64_t kTriangle = 2, kQuadrangle = 3, kTet = 4;

struct Kind {
  int type;
  int nodes;
  const char* name;
};
constexpr Kind kKinds[] = {
    {1, 2, "lines"},
    {2, 3, "triangles"},
    {3, 4, "quadrangles"},
    {4, 4, "tetrahedra"},
    {5, 8, "hexahedra"},
    {6, 6, "prisms"},
    {7, 5, "pyramids"},
    {8, 3, "lines"},
    {9, 6, "curved triangles"},
    {10, 9, "curved quadrangles"},
    {11, 10, "second-order tetrahedra"},
    {12, 27, "hexahedra"},
    {13, 18, "prisms"},
    {14, 14, "pyramids"},
    {15, 1, "points"},
    {16, 8, "curved quadrangles"},
    {17, 20, "hexahedra"},
    {18, 15, "prisms"},
    {19, 13, "pyramids"},
    {20, 9, "curved triangles"},
    {21, 10, "curved triangles"},
    {22, 12, "curved triangles"},
    {23, 15, "curved triangles"},
    {24, 15, "curved triangles"},
    {25, 21, "curved triangles"},
    {26, 4, "lines"},
    {27, 5, "lines"},
    {28, 6, "lines"},
    {29, 20, "third-order tetrahedra"},
    {30, 35, "fourth-order tetrahedra"},
    {31, 56, "fifth-order tetrahedra"},
    {36, 16, "curved quadrangles"},
    {92, 64, "hexahedra"},
    {93, 125, "hexahedra"},
};

const Kind* kind_of(int64_t type) {
  for (const Kind& kind : kKinds)
    if (kind.type == type) return &kind;
  return nullptr;
}

class GmshReader {
 public:
  GmshReader(std::string_view bytes, std::string_view name) : name_(name), input_(bytes, name) {}

  Result<MeshData> run() {
    if (Status status = input_.header(); !status) return status.error();
    const bool old = input_.version() < 4;
    std::string section;
    while (input_.next_section(section)) {
      Status status;
      if (section == "Nodes")
        status = nodes(old);
      else if (section == "Elements")
        status = elements(old);
      else if (section == "Entities" && !old)
        status = entities();
      else {
        status = input_.skip_section(section);
        if (!status) return status.error();
        continue;
      }
      if (!status) return status.error();
      if (status = input_.end_section(section); !status) return status.error();
    }
    if (!has_nodes_) return Error{std::string(name_), "has no section $Nodes", "the file may be truncated"};
    if (!has_elements_) return Error{std::string(name_), "has no section $Elements", "the file may be truncated"};
    drop_zero_regions(data_.regions);
    return std::move(data_);
  }

 private:
  Status count(const char* items, int64_t width, bool old, int64_t& count) {
    const size_t at = input_.offset();
    if (!(old ? input_.text_count(count) : input_.size(count)))
      return input_.expected(std::string("the count of ") + items);
    if (count > kMostItems || !input_.can_hold(count, width)) return input_.too_many(items, count, at);
    return {};
  }

  // $Entities: the physical groups of each volume.
  Status entities() {
    int64_t counts[4];
    const size_t at = input_.offset();
    for (int64_t& count : counts)
      if (!input_.size(count)) return input_.expected("the count of entities");
    for (int dimension = 0; dimension < 4; ++dimension) {
      if (!input_.can_hold(counts[dimension], 4)) return input_.too_many("entities", counts[dimension], at);
      for (int64_t e = 0; e < counts[dimension]; ++e)
        if (Status status = entity(dimension); !status) return status;
    }
    return {};
  }

  Status entity(int dimension) {
    int64_t tag, groups, group, first = 0;
    double bound;
    if (!input_.integer(tag)) return input_.expected("the tag of an entity");
    for (int k = 0; k < (dimension == 0 ? 3 : 6); ++k)
      if (!input_.real(bound)) return input_.expected("the bounds of an entity");
    if (!input_.size(groups)) return input_.expected("the count of physical groups");
    for (int64_t k = 0; k < groups; ++k) {
      if (!input_.integer(group)) return input_.expected("the tag of a physical group");
      if (k == 0) first = group;
    }
    if (dimension > 0) {
      int64_t faces, face;
      if (!input_.size(faces)) return input_.expected("the count of bounding entities");
      for (int64_t k = 0; k < faces; ++k)
        if (!input_.integer(face)) return input_.expected("the tag of a bounding entity");
    }
    if (dimension == 3) region_of_volume_[tag] = first;
    return {};
  }

  Status nodes(bool old) {
    if (has_nodes_) return input_.fault_at(input_.offset(), "a second section $Nodes", "remove one of them");
    has_nodes_ = true;
    if (Status status = old ? nodes_2() : nodes_4(); !status) return status;
    if (const auto twice = tags_.build())
      return Error{std::string(name_), format("two nodes have the tag %lld", static_cast<long long>(tags_.tag(*twice))),
                   "give every node a tag of its own"};
    return {};
  }

  Status point(int64_t tag) {
    const size_t at = input_.offset();
    Vec3d x;
    if (!input_.real(x.x) || !input_.real(x.y) || !input_.real(x.z))
      return input_.expected(format("a coordinate of node %lld", static_cast<long long>(tag)));
    for (const double value : {x.x, x.y, x.z})
      if (!std::isfinite(value)) return bad_coordinate(input_.fault_at(at, "").where, tag, value);
    data_.vertices.push_back(x);
    return {};
  }

  Status nodes_2() {
    int64_t items, tag;
    if (Status status = count("nodes", 28, true, items); !status) return status;
    for (int64_t k = 0; k < items; ++k) {
      if (!input_.integer(tag)) return input_.expected(format("the tag of node %lld", static_cast<long long>(k + 1)));
      tags_.add(tag);
      if (Status status = point(tag); !status) return status;
    }
    return {};
  }

  Status nodes_4() {
    int64_t blocks, items, lowest, highest, total = 0;
    if (Status status = count("node blocks", 20, false, blocks); !status) return status;
    if (Status status = count("nodes", 8, false, items); !status) return status;
    if (!input_.size(lowest) || !input_.size(highest)) return input_.expected("the lowest and highest node tag");
    for (int64_t b = 0; b < blocks; ++b) {
      int64_t dimension, entity, parametric, in_block, tag;
      if (!input_.integer(dimension) || !input_.integer(entity) || !input_.integer(parametric))
        return input_.expected("the entity of a node block");
      if (Status status = count("nodes in a block", 32, false, in_block); !status) return status;
      const size_t first = tags_.size();
      for (int64_t k = 0; k < in_block; ++k) {
        if (!input_.size(tag)) return input_.expected("a node tag");
        tags_.add(tag);
      }
      const int64_t parameters = parametric == 1 && dimension >= 0 && dimension <= 3 ? dimension : 0;
      for (int64_t k = 0; k < in_block; ++k) {
        if (Status status = point(tags_.tag(first + static_cast<size_t>(k))); !status) return status;
        double parameter;
        for (int64_t p = 0; p < parameters; ++p)
          if (!input_.real(parameter)) return input_.expected("a parametric coordinate");
      }
      total += in_block;
    }
    if (total != items)
      return input_.fault_at(input_.offset(),
                             format("$Nodes announces %lld nodes, but its blocks hold %lld",
                                    static_cast<long long>(items), static_cast<long long>(total)),
                             "the file may be damaged");
    return {};
  }

  Status elements(bool old) {
    if (!has_nodes_) return input_.fault_at(input_.offset(), "$Elements come before $Nodes", "save the file again");
    has_elements_ = true;
    return !old ? elements_4() : input_.binary() ? elements_2_binary() : elements_2_text();
  }

  // The nodes of one element, which follow in the input.
  Status element(int64_t type, int node_count, const char* kind, int64_t tag, int64_t region) {
    std::array<int32_t, 4> corners{};
    const bool wanted = type == kTriangle || type == kQuadrangle || type == kTet;
    for (int k = 0; k < node_count; ++k) {
      const size_t at = input_.offset();
      int64_t node;
      // Version 2 stores node tags as int, version 4 as size_t.
      if (!(input_.version() < 4 ? input_.integer(node) : input_.size(node)))
        return input_.expected(format("a node of element %lld", static_cast<long long>(tag)));
      if (!wanted) continue;
      corners[k] = tags_.find(node);
      if (corners[k] < 0)
        return input_.fault_at(at,
                               format("element %lld names node %lld, which is not among the %zu nodes of the file",
                                      static_cast<long long>(tag), static_cast<long long>(node), tags_.size()),
                               "the file is damaged");
    }
    if (type == kTet) {
      data_.tets.push_back(corners);
      data_.regions.push_back(static_cast<int32_t>(region));
    } else if (wanted) {
      add_polygon(std::span(corners.data(), node_count), data_.triangles);
    } else {
      data_.count_other(kind);
    }
    return {};
  }

  Status elements_2_text() {
    int64_t items;
    if (Status status = count("elements", 0, true, items); !status) return status;
    for (int64_t k = 0; k < items; ++k) {
      int64_t tag, type, tag_count, label, physical = 0;
      if (!input_.integer(tag)) return input_.expected(format("element %lld", static_cast<long long>(k + 1)));
      if (!input_.integer(type)) return input_.expected("the type of an element");
      if (!input_.integer(tag_count)) return input_.expected("the number of tags of an element");
      for (int64_t t = 0; t < tag_count; ++t) {
        if (!input_.integer(label))
          return input_.expected(format("a tag of element %lld", static_cast<long long>(tag)));
        if (t == 0) physical = label;
      }
      const Kind* kind = kind_of(type);
      if (!kind) {
        data_.count_other(format("elements of type %lld", static_cast<long long>(type)));
        input_.skip_line();
        continue;
      }
      if (Status status = element(type, kind->nodes, kind->name, tag, physical); !status) return status;
    }
    return {};
  }

  Status elements_2_binary() {
    int64_t items;
    if (Status status = count("elements", 4, true, items); !status) return status;
    for (int64_t done = 0; done < items;) {
      const size_t at = input_.offset();
      int64_t type, follow, tag_count;
      if (!input_.integer(type) || !input_.integer(follow) || !input_.integer(tag_count))
        return input_.expected("a block of elements");
      const Kind* kind = kind_of(type);
      if (!kind) return unknown_type(at, type);
      if (follow < 1 || follow > items - done || tag_count < 0)
        return input_.fault_at(at,
                               format("a block of %lld elements with %lld tags each, where %lld elements are left",
                                      static_cast<long long>(follow), static_cast<long long>(tag_count),
                                      static_cast<long long>(items - done)),
                               "the file is damaged");
      for (int64_t k = 0; k < follow; ++k) {
        int64_t tag, label, physical = 0;
        if (!input_.integer(tag)) return input_.expected("an element");
        for (int64_t t = 0; t < tag_count; ++t) {
          if (!input_.integer(label)) return input_.expected("a tag of an element");
          if (t == 0) physical = label;
        }
        if (Status status = element(type, kind->nodes, kind->name, tag, physical); !status) return status;
      }
      done += follow;
    }
    return {};
  }

  Status elements_4() {
    int64_t blocks, items, lowest, highest, total = 0;
    if (Status status = count("element blocks", 20, false, blocks); !status) return status;
    if (Status status = count("elements", 16, false, items); !status) return status;
    if (!input_.size(lowest) || !input_.size(highest)) return input_.expected("the lowest and highest element tag");
    for (int64_t b = 0; b < blocks; ++b) {
      const size_t at = input_.offset();
      int64_t dimension, entity, type, in_block, tag;
      if (!input_.integer(dimension) || !input_.integer(entity) || !input_.integer(type))
        return input_.expected("the entity of an element block");
      if (Status status = count("elements in a block", 8, false, in_block); !status) return status;
      const Kind* kind = kind_of(type);
      if (!kind && input_.binary()) return unknown_type(at, type);
      const auto group = region_of_volume_.find(entity);
      const int64_t region = group == region_of_volume_.end() ? 0 : group->second;
      for (int64_t k = 0; k < in_block; ++k) {
        if (!input_.size(tag)) return input_.expected("an element");
        if (!kind) {
          data_.count_other(format("elements of type %lld", static_cast<long long>(type)));
          input_.skip_line();
          continue;
        }
        if (Status status = element(type, kind->nodes, kind->name, tag, region); !status) return status;
      }
      total += in_block;
    }
    if (total != items)
      return input_.fault_at(input_.offset(),
                             format("$Elements announces %lld elements, but its blocks hold %lld",
                                    static_cast<long long>(items), static_cast<long long>(total)),
                             "the file may be damaged");
    return {};
  }

  Error unknown_type(size_t at, int64_t type) const {
    return input_.fault_at(at, format("elements of the unknown type %lld", static_cast<long long>(type)),
                           "save only first-order tetrahedra, or save as text");
  }

  std::string_view name_;
  GmshInput input_;
  MeshData data_;
  TagMap tags_;
  std::unordered_map<int64_t, int64_t> region_of_volume_;
  bool has_nodes_ = false, has_elements_ = false;
};

}  // namespace

Result<MeshData> parse_gmsh(std::string_view bytes, std::string_view name) {
  return GmshReader(bytes, name).run();
}

std::string encode_gmsh(const TetMesh& mesh) {
  TextWriter out;
  out.line("$MeshFormat");
  out.line(2.2, 0, 8);
  out.line("$EndMeshFormat");
  out.line("$Nodes");
  out.line(mesh.vertices.size());
  for (size_t v = 0; v < mesh.vertices.size(); ++v)
    out.line(v + 1, mesh.vertices[v].x, mesh.vertices[v].y, mesh.vertices[v].z);
  out.line("$EndNodes");
  out.line("$Elements");
  out.line(mesh.tets.size());
  for (size_t t = 0; t < mesh.tets.size(); ++t) {
    const Tet& tet = mesh.tets[t];
    // Type 4, two tags: the physical group and the volume.
    const int32_t region = mesh.regions.empty() ? 0 : mesh.regions[t];
    out.line(t + 1, 4, 2, region, 1, tet[0] + 1, tet[1] + 1, tet[2] + 1, tet[3] + 1);
  }
  out.line("$EndElements");
  return out.take();
}

}  // namespace sinew
