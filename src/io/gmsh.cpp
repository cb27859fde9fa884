#include "io/gmsh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <unordered_map>
#include <utility>

#include "base/format.h"
#include "io/gmsh_input.h"
#include "io/tag_map.h"
#include "io/text_writer.h"

namespace sinew {

namespace {

constexpr int64_t kTriangle = 2, kQuadrangle = 3, kTet = 4, kQuadraticTet = 11;

// Of edges 01 12 02 03 23 13.
constexpr MiddleOrder gmsh_middles{0, 3, 1, 2, 5, 4};

struct Kind {
  int type;
  int nodes;
  int corners;  // the first of the nodes; 0 where groups take no vertices from them
  const char* name;
};
constexpr Kind kKinds[] = {
    {1, 2, 2, "lines"},
    {2, 3, 3, "triangles"},
    {3, 4, 4, "quadrangles"},
    {4, 4, 4, "tetrahedra"},
    {5, 8, 0, "hexahedra"},
    {6, 6, 0, "prisms"},
    {7, 5, 0, "pyramids"},
    {8, 3, 2, "lines"},
    {9, 6, 3, "curved triangles"},
    {10, 9, 4, "curved quadrangles"},
    {11, 10, 4, "tetrahedra"},
    {12, 27, 0, "hexahedra"},
    {13, 18, 0, "prisms"},
    {14, 14, 0, "pyramids"},
    {15, 1, 1, "points"},
    {16, 8, 4, "curved quadrangles"},
    {17, 20, 0, "hexahedra"},
    {18, 15, 0, "prisms"},
    {19, 13, 0, "pyramids"},
    {20, 9, 3, "curved triangles"},
    {21, 10, 3, "curved triangles"},
    {22, 12, 3, "curved triangles"},
    {23, 15, 3, "curved triangles"},
    {24, 15, 3, "curved triangles"},
    {25, 21, 3, "curved triangles"},
    {26, 4, 2, "lines"},
    {27, 5, 2, "lines"},
    {28, 6, 2, "lines"},
    {29, 20, 0, "third-order tetrahedra"},
    {30, 35, 0, "fourth-order tetrahedra"},
    {31, 56, 0, "fifth-order tetrahedra"},
    {36, 16, 4, "curved quadrangles"},
    {92, 64, 0, "hexahedra"},
    {93, 125, 0, "hexahedra"},
};

const Kind* kind_of(int64_t type) {
  for (const Kind& kind : kKinds)
    if (kind.type == type) return &kind;
  return nullptr;
}

// The dimension of the elements of a kind: 0 points, 1 lines, 2 faces, 3 volumes.
int dimension_of(const Kind& kind) {
  const std::string_view name = kind.name;
  if (name == "points") return 0;
  if (name == "lines") return 1;
  return name.ends_with("triangles") || name.ends_with("quadrangles") ? 2 : 3;
}

// Physical groups by name, and their members. In version 4 an element has the groups of its entity.
class GroupBuilder {
 public:
  void set_names(const std::vector<GmshInput::PhysicalName>& names) {
    for (const auto& [dimension, tag, name] : names) {
      if (dimension < 0 || dimension > 3 || tag != static_cast<int32_t>(tag)) continue;
      if (!number_.try_emplace({dimension, tag}, groups_.size()).second) continue;
      groups_.push_back({name, static_cast<int>(dimension), static_cast<int32_t>(tag), false, 0, {}});
    }
  }
  bool empty() const { return groups_.empty(); }

  // Indices of the groups with these tags; a negative tag means a reversed entity.
  std::vector<size_t> find(int dimension, std::span<const int64_t> tags) const {
    std::vector<size_t> found;
    for (const int64_t tag : tags)
      if (const auto at = number_.find({dimension, tag < 0 ? -tag : tag}); at != number_.end())
        found.push_back(at->second);
    return found;
  }
  void add(std::span<const size_t> groups, std::span<const int32_t> corners) {
    for (const size_t g : groups) {
      ++groups_[g].elements;
      std::vector<int32_t>& vertices = groups_[g].vertices;
      if (vertices.size() + corners.size() > vertices.capacity() && vertices.size() > least_compacted)
        compact(vertices);
      vertices.insert(vertices.end(), corners.begin(), corners.end());
    }
  }

  // `labels`: those of the tets. Groups that share tets with others are not regions, since a tet has only one region.
  std::vector<MeshGroup> take(std::span<const int32_t> labels) {
    if (groups_.empty()) return {};
    std::unordered_map<int32_t, int64_t> tets;
    for (const int32_t label : labels) ++tets[label];
    for (MeshGroup& group : groups_) {
      compact(group.vertices);
      group.vertices.shrink_to_fit();
      group.is_region = group.dimension == 3 && group.elements > 0 && tets[group.label] == group.elements;
    }
    return std::move(groups_);
  }

 private:
  // A vertex belongs to about six faces and twenty tets: duplicates are removed before the list grows to them all.
  static constexpr size_t least_compacted = 4096;
  static void compact(std::vector<int32_t>& vertices) {
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  }

  std::vector<MeshGroup> groups_;
  std::map<std::pair<int64_t, int64_t>, size_t> number_;  // by dimension and tag
};

class GmshReader {
 public:
  GmshReader(std::string_view bytes, std::string_view name, ThreadPool& pool)
      : name_(name), input_(bytes, name), pool_(pool) {}

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
      else if (section == "PhysicalNames" && !has_elements_)
        status = physical_names();
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
    data_.groups = groups_.take(data_.regions);
    drop_zero_regions(data_.regions);
    drop_zero_regions(data_.triangle_regions);
    return std::move(data_);
  }

 private:
  Status count(const char* items, int64_t width, bool old, int64_t& count) {
    const size_t at = input_.offset();
    if (!(old ? input_.text_count(count) : input_.size(count)))
      return input_.expected(std::string("the count of ") + items);
    if (count > most_items || !input_.can_hold(count, width)) return input_.too_many(items, count, at);
    return {};
  }

  Status physical_names() {
    std::vector<GmshInput::PhysicalName> names;
    if (Status status = input_.physical_names(names); !status) return status;
    groups_.set_names(names);
    return {};
  }

  // $Entities: the physical groups of each.
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
    int64_t tag, groups, group;
    std::vector<int64_t> tags;
    double bound;
    if (!input_.integer(tag)) return input_.expected("the tag of an entity");
    for (int k = 0; k < (dimension == 0 ? 3 : 6); ++k)
      if (!input_.real(bound)) return input_.expected("the bounds of an entity");
    if (!input_.size(groups)) return input_.expected("the count of physical groups");
    for (int64_t k = 0; k < groups; ++k) {
      if (!input_.integer(group)) return input_.expected("the tag of a physical group");
      if (tags.size() < most_groups) tags.push_back(group);
    }
    if (dimension > 0) {
      int64_t faces, face;
      if (!input_.size(faces)) return input_.expected("the count of bounding entities");
      for (int64_t k = 0; k < faces; ++k)
        if (!input_.integer(face)) return input_.expected("the tag of a bounding entity");
    }
    if (!tags.empty()) groups_of_entity_[{dimension, tag}] = std::move(tags);
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

  // Reads the coordinates of the node at `place`, whose tag is known.
  Status point(GmshInput& input, size_t place) {
    const size_t at = input.offset();
    const int64_t tag = tags_.tag(place);
    Vec3d x;
    if (!input.real(x.x) || !input.real(x.y) || !input.real(x.z))
      return input.expected(format("a coordinate of node %lld", static_cast<long long>(tag)));
    for (const double value : {x.x, x.y, x.z})
      if (!std::isfinite(value)) return bad_coordinate(input.fault_at(at, "").where, tag, value);
    data_.vertices[place] = x;
    return {};
  }

  // Makes room for more nodes; returns the index of the first.
  size_t add_nodes(size_t count) {
    data_.vertices.resize(tags_.size() + count);
    return tags_.extend(count);
  }

  Status nodes_2() {
    int64_t items;
    if (Status status = count("nodes", 28, true, items); !status) return status;
    add_nodes(input_.room_for(items, 4));
    return input_.records(pool_, items, 4, [&](GmshInput& input, int64_t k) -> Status {
      int64_t tag;
      if (!input.integer(tag)) return input.expected(format("the tag of node %lld", static_cast<long long>(k + 1)));
      tags_.set(static_cast<size_t>(k), tag);
      return point(input, static_cast<size_t>(k));
    });
  }

  Status nodes_4() {
    int64_t blocks, items, lowest, highest, total = 0;
    if (Status status = count("node blocks", 20, false, blocks); !status) return status;
    if (Status status = count("nodes", 8, false, items); !status) return status;
    if (!input_.size(lowest) || !input_.size(highest)) return input_.expected("the lowest and highest node tag");
    for (int64_t b = 0; b < blocks; ++b) {
      int64_t dimension, entity, parametric, in_block;
      if (!input_.integer(dimension) || !input_.integer(entity) || !input_.integer(parametric))
        return input_.expected("the entity of a node block");
      if (Status status = count("nodes in a block", 32, false, in_block); !status) return status;
      const size_t first = add_nodes(input_.room_for(in_block, 1));
      Status read = input_.records(pool_, in_block, 1, [&](GmshInput& input, int64_t k) -> Status {
        int64_t tag;
        if (!input.size(tag)) return input.expected("a node tag");
        tags_.set(first + static_cast<size_t>(k), tag);
        return {};
      });
      if (!read) return read;
      const int parameters = parametric == 1 && dimension >= 0 && dimension <= 3 ? static_cast<int>(dimension) : 0;
      read = input_.records(pool_, in_block, 3 + parameters, [&](GmshInput& input, int64_t k) -> Status {
        if (Status status = point(input, first + static_cast<size_t>(k)); !status) return status;
        double parameter;
        for (int p = 0; p < parameters; ++p)
          if (!input.real(parameter)) return input.expected("a parametric coordinate");
        return {};
      });
      if (!read) return read;
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

  // An element as read, before it is sorted by kind.
  struct Element {
    std::array<int32_t, 10> nodes;  // only the corners, but of a quadratic tet all
    int32_t region;
    int32_t type;

    std::span<const int32_t> first(int count) const { return {nodes.data(), static_cast<size_t>(count)}; }
    Tet corners() const { return {nodes[0], nodes[1], nodes[2], nodes[3]}; }
    Middles middles() const { return middles_from(nodes.data() + 4, gmsh_middles); }
  };
  // An unknown type stays unknown.
  static int32_t narrow_type(int64_t type) {
    return static_cast<int32_t>(std::clamp<int64_t>(type, -1, std::numeric_limits<int32_t>::max()));
  }

  // Reads the nodes of an element of this type.
  Status nodes_of(GmshInput& input, const Kind& kind, int64_t tag, Element& element) const {
    const bool is_part = kind.type == kTriangle || kind.type == kQuadrangle || kind.type == kTet;
    const int wanted = kind.type == kQuadraticTet ? kind.nodes : is_part || !groups_.empty() ? kind.corners : 0;
    for (int k = 0; k < kind.nodes; ++k) {
      const size_t at = input.offset();
      int64_t node;
      // Version 2 stores node tags as int, version 4 as size_t.
      if (!(input.version() < 4 ? input.integer(node) : input.size(node)))
        return input.expected(format("a node of element %lld", static_cast<long long>(tag)));
      if (k >= wanted) continue;
      element.nodes[k] = tags_.find(node);
      if (element.nodes[k] < 0)
        return input.fault_at(at,
                              format("element %lld names node %lld, which is not among the %zu nodes of the file",
                                     static_cast<long long>(tag), static_cast<long long>(node), tags_.size()),
                              "the file is damaged");
    }
    return {};
  }

  // `groups`: indices of its groups.
  void add(const Element& element, std::span<const size_t> groups) {
    const Kind* kind = kind_of(element.type);
    if (kind && kind->corners > 0) groups_.add(groups, element.first(kind->corners));
    if (element.type == kTet || element.type == kQuadraticTet) {
      data_.add_tet(element.corners(), element.type == kTet ? no_middles : element.middles(), element.region);
    } else if (element.type == kTriangle || element.type == kQuadrangle) {
      add_polygon(element.first(kind->nodes), data_.triangles);
      data_.triangle_regions.resize(data_.triangles.size(), element.region);
    } else {
      data_.count_other(kind ? kind->name : format("elements of type %d", element.type));
    }
  }

  // The groups of an element of version 2, whose physical group is its region. Consecutive elements mostly share it.
  std::span<const size_t> groups_of(const Element& element) {
    const Kind* kind = kind_of(element.type);
    if (!kind || groups_.empty()) return {};
    const int dimension = dimension_of(*kind);
    if (dimension != last_dimension_ || element.region != last_tag_) {
      last_dimension_ = dimension;
      last_tag_ = element.region;
      const int64_t tag = element.region;
      last_groups_ = groups_.find(dimension, {&tag, 1});
    }
    return last_groups_;
  }

  // The number of words of an element depends on its type; programs write one element per line.
  Status elements_2_text() {
    int64_t items;
    if (Status status = count("elements", 0, true, items); !status) return status;
    std::vector<Element> elements(input_.room_for(items, 1));
    const Status read = input_.records(pool_, items, one_line, [&](GmshInput& input, int64_t k) -> Status {
      Element& element = elements[static_cast<size_t>(k)];
      int64_t tag, type, tag_count, label, physical = 0;
      if (!input.integer(tag)) return input.expected(format("element %lld", static_cast<long long>(k + 1)));
      if (!input.integer(type)) return input.expected("the type of an element");
      if (!input.integer(tag_count)) return input.expected("the number of tags of an element");
      for (int64_t t = 0; t < tag_count; ++t) {
        if (!input.integer(label)) return input.expected(format("a tag of element %lld", static_cast<long long>(tag)));
        if (t == 0) physical = label;
      }
      element.region = static_cast<int32_t>(physical);
      element.type = narrow_type(type);
      if (const Kind* kind = kind_of(type)) return nodes_of(input, *kind, tag, element);
      input.skip_line();
      return {};
    });
    if (!read) return read;
    data_.tets.reserve(elements.size());
    data_.regions.reserve(elements.size());
    for (const Element& element : elements) add(element, groups_of(element));
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
        Element element{{}, static_cast<int32_t>(physical), kind->type};
        if (Status status = nodes_of(input_, *kind, tag, element); !status) return status;
        add(element, groups_of(element));
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
      int64_t dimension, entity, type, in_block;
      if (!input_.integer(dimension) || !input_.integer(entity) || !input_.integer(type))
        return input_.expected("the entity of an element block");
      if (Status status = count("elements in a block", 8, false, in_block); !status) return status;
      if (!kind_of(type) && input_.binary()) return unknown_type(at, type);
      const auto at_entity = groups_of_entity_.find({dimension, entity});
      const std::span<const int64_t> tags =
          at_entity == groups_of_entity_.end() ? std::span<const int64_t>() : std::span(at_entity->second);
      // A negative tag means a reversed entity.
      const auto region = static_cast<int32_t>(tags.empty() ? 0 : std::abs(tags[0]));
      const std::vector<size_t> groups = groups_.find(static_cast<int>(dimension), tags);
      if (type == kTet || type == kQuadraticTet) {
        if (Status status = tets_4(in_block, *kind_of(type), region, groups); !status) return status;
      } else if (Status status = others_4(in_block, type, region, groups); !status) {
        return status;
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

  Status tets_4(int64_t count, const Kind& kind, int32_t region, std::span<const size_t> groups) {
    const size_t first = data_.tets.size();
    const bool quadratic = kind.type == kQuadraticTet;
    const int64_t words = 1 + kind.nodes;
    if (quadratic) data_.middles.resize(first, no_middles);
    data_.tets.resize(first + input_.room_for(count, words));
    data_.regions.resize(data_.tets.size(), region);
    if (quadratic) data_.middles.resize(data_.tets.size());
    const Status read = input_.records(pool_, count, words, [&](GmshInput& input, int64_t k) -> Status {
      int64_t tag;
      Element element{};
      if (!input.size(tag)) return input.expected("an element");
      if (Status status = nodes_of(input, kind, tag, element); !status) return status;
      data_.tets[first + static_cast<size_t>(k)] = element.corners();
      if (quadratic) data_.middles[first + static_cast<size_t>(k)] = element.middles();
      return {};
    });
    if (!read || groups.empty()) return read;
    for (size_t e = first; e < data_.tets.size(); ++e) groups_.add(groups, data_.tets[e]);
    return {};
  }

  Status others_4(int64_t count, int64_t type, int32_t region, std::span<const size_t> groups) {
    const Kind* kind = kind_of(type);
    for (int64_t k = 0; k < count; ++k) {
      int64_t tag;
      Element element{{}, region, narrow_type(type)};
      if (!input_.size(tag)) return input_.expected("an element");
      if (!kind) {
        input_.skip_line();
      } else if (Status status = nodes_of(input_, *kind, tag, element); !status) {
        return status;
      }
      add(element, groups);
    }
    return {};
  }

  Error unknown_type(size_t at, int64_t type) const {
    return input_.fault_at(at, format("elements of the unknown type %lld", static_cast<long long>(type)),
                           "save only tetrahedra of 4 or 10 nodes, or save as text");
  }

  std::string_view name_;
  GmshInput input_;
  ThreadPool& pool_;
  MeshData data_;
  TagMap tags_;
  // A file may put an entity into any number of groups; only this many are kept.
  static constexpr size_t most_groups = 64;
  std::map<std::pair<int64_t, int64_t>, std::vector<int64_t>> groups_of_entity_;  // tags, by dimension and entity
  GroupBuilder groups_;
  int last_dimension_ = -1;
  int64_t last_tag_ = 0;
  std::vector<size_t> last_groups_;
  bool has_nodes_ = false, has_elements_ = false;
};

}  // namespace

Result<MeshData> parse_gmsh(std::string_view bytes, std::string_view name, ThreadPool& pool) {
  return GmshReader(bytes, name, pool).run();
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
