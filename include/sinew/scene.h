// A scene as the user describes it: names, SI units, the user's own vertex order. Build one in code or read one from
// JSON. Lengths in metres, masses in kilograms, times in seconds, angles in degrees. Nothing is checked until the scene
// is compiled; then every error is reported with the path of its key.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sinew/contact.h"
#include "sinew/mesher.h"
#include "sinew/named.h"
#include "sinew/option_value.h"
#include "sinew/real3.h"

namespace sinew {

// The value of a material's parameter, by its name.
struct ParameterValue {
  std::string name;
  double value;

  bool operator==(const ParameterValue&) const = default;
};

// `sinew materials` lists the models with their parameters: most have youngs_modulus [Pa] and poisson_ratio [-], or
// both Lame parameters mu and lambda [Pa].
struct SceneMaterial {
  std::string name;
  std::string model = "neo_hookean";
  std::vector<ParameterValue> parameters = {};  // those left out have their defaults
  double density = 1000;                        // [kg/m^3]
  double damping = 0;                           // [s] stiffness-proportional k_d

  // Gives a parameter its value.
  void set(std::string_view parameter, double value) {
    for (ParameterValue& p : parameters) {
      if (p.name != parameter) continue;
      p.value = value;
      return;
    }
    parameters.push_back({std::string(parameter), value});
  }

  bool operator==(const SceneMaterial&) const = default;
};

struct MeshFile {
  std::string path;  // relative to the scene's file

  bool operator==(const MeshFile&) const = default;
};
struct MeshBox {
  Real3 size{1, 1, 1};  // [m]
  std::array<int, 3> cells{8, 8, 8};
  Real3 origin{0, 0, 0};  // [m] lowest corner
  int split = 5;          // tets per cell: 5 or 6

  bool operator==(const MeshBox&) const = default;
};
struct MeshBeam {  // a box along x with one end at x = 0 and the lowest corner at the origin
  double length = 0.4, height = 0.1, depth = 0.1;  // [m] along x, y, z
  int cells_across = 4;  // along y and z; along x, the number that makes cells most nearly cubic
  int split = 5;

  bool operator==(const MeshBeam&) const = default;
};
struct MeshBall {
  double radius = 0.5;  // [m]
  int shells = 8;       // layers of tets between centre and surface
  Real3 center{0, 0, 0};

  bool operator==(const MeshBall&) const = default;
};
struct MeshRectangle {             // triangles in the plane z = origin.z: a body of plane strain, 1 m thick
  double width = 1, height = 1;    // [m] along x and y
  int cells_x = 16, cells_y = 16;  // two triangles each
  Real3 origin{0, 0, 0};           // [m] lowest corner

  bool operator==(const MeshRectangle&) const = default;
};
struct MeshTriangles {  // a file of triangles in a plane of constant z: a body of plane strain too
  std::string path;

  bool operator==(const MeshTriangles&) const = default;
};
struct MeshSurface {  // a triangle surface, closed or broken, filled with tets
  std::string file;
  MesherSettings settings;

  bool operator==(const MeshSurface&) const = default;
};
struct MeshShape {  // a shape, filled with tets
  SceneShape shape;
  MesherSettings settings;

  bool operator==(const MeshShape&) const = default;
};
struct MeshChain {  // points in a row with a spring from each to the next: a rope, or with one link a pendulum
  int links = 10;
  double spacing = 0.1;  // [m] length of a link at rest
  Real3 origin{0, 0, 0};
  Real3 direction{1, 0, 0};                  // any nonzero length
  double point_mass = 0.1;                   // [kg]
  std::optional<double> end_mass = {};       // [kg] of the last point; default: like the others
  double stiffness = 1e5;                    // [N/m]
  std::optional<double> far_stiffness = {};  // [N/m] of the far half of the links; default: like the others
  double damping = 0;                        // [s] k_d of the springs

  bool operator==(const MeshChain&) const = default;
};
struct MeshGrid {  // points in rows in the plane z = 0, springs along the edges and diagonals of its cells: a cloth
  int columns = 20, rows = 20;  // points along x and y
  double spacing = 0.05;        // [m]
  Real3 origin{0, 0, 0};
  double mass = 0.1;             // [kg] total
  double stiffness = 1e4;        // [N/m] along the edges
  double shear_stiffness = 1e3;  // [N/m] along the diagonals; 0: no diagonals
  double damping = 0;            // [s] k_d of the springs

  bool operator==(const MeshGrid&) const = default;
};
// A mesh in memory: tets, or triangles in a plane of constant z (a body of plane strain, counter-clockwise seen from
// above), or edges, which become springs that are at rest as they lie. One of the three lists has entries. Tets are
// repaired as those of files are; mesh_arrays() makes one from spans, or from what mesh_surface() and mesh_shape()
// return.
struct MeshArrays {
  std::vector<double> vertices;    // [m] x, y, z of each
  std::vector<int64_t> tets;       // four vertices each, from 0, of positive volume
  std::vector<int64_t> triangles;  // three each
  std::vector<int64_t> edges;      // two each
  double mass = 0.1;               // [kg] of all points of springs, in equal shares
  double stiffness = 1e4;          // [N/m] of each spring
  double damping = 0;              // [s] k_d of the springs

  bool operator==(const MeshArrays&) const = default;
};
MeshArrays mesh_arrays(std::span<const Real3> vertices, std::span<const std::array<int32_t, 4>> tets);
MeshArrays mesh_arrays(std::span<const Real3> vertices, std::span<const std::array<int32_t, 3>> triangles);
MeshArrays mesh_arrays(std::span<const Real3> vertices, std::span<const std::array<int32_t, 2>> edges);
MeshArrays mesh_arrays(const FilledSolid& solid);

using SceneMesh = std::variant<MeshFile, MeshBox, MeshBeam, MeshBall, MeshChain, MeshGrid, MeshRectangle, MeshTriangles,
                               MeshSurface, MeshShape, MeshArrays>;

// Selects vertices by their rest positions in the world (after the object's transform), by number, or by a group name
// from the mesh's file.
struct SelectBox {
  Real3 min{}, max{};

  bool operator==(const SelectBox&) const = default;
};
struct SelectSphere {
  Real3 center{};
  double radius = 0;

  bool operator==(const SelectSphere&) const = default;
};
struct SelectPlane {  // the side the normal points to: (x - point) . normal >= 0
  Real3 point{}, normal{};

  bool operator==(const SelectPlane&) const = default;
};
struct SelectIndices {
  std::vector<int64_t> indices;  // the user's vertex numbers, from 0

  bool operator==(const SelectIndices&) const = default;
};
struct SelectFile {
  std::string path;  // whitespace-separated vertex numbers, # comments

  bool operator==(const SelectFile&) const = default;
};
struct SelectGroup {
  std::string name;  // of a physical group in the mesh's file (Gmsh), of any dimension

  bool operator==(const SelectGroup&) const = default;
};
struct SelectAll {
  bool operator==(const SelectAll&) const = default;
};
using Selection = std::variant<SelectBox, SelectSphere, SelectPlane, SelectIndices, SelectFile, SelectGroup, SelectAll>;

// World placement of a mesh: x -> rotate(scale * x) + translate.
struct Transform {
  Real3 scale{1, 1, 1};
  Real3 rotation_axis{0, 0, 1};
  double rotation_degrees = 0;
  Real3 translate{0, 0, 0};

  bool operator==(const Transform&) const = default;
};

// x * y * z bodies in total, `spacing` apart; the first is at the place of the object.
struct Copies {
  std::array<int, 3> count{1, 1, 1};
  Real3 spacing{0, 0, 0};  // [m]

  bool operator==(const Copies&) const = default;
};
// Factors of the material's stiffness, one per tet in the order of the mesh's file or generator: Young's modulus is
// multiplied, Poisson's ratio is unchanged.
struct FactorFile {
  std::string path;  // .npy, or text with whitespace between the numbers and # comments

  bool operator==(const FactorFile&) const = default;
};
struct FactorList {
  std::vector<double> values;  // [-] above 0

  bool operator==(const FactorList&) const = default;
};
using StiffnessFactors = std::variant<FactorFile, FactorList>;

// A region of a mesh: its label, or its name in the mesh's file (a physical volume of Gmsh).
using RegionId = std::variant<int, std::string>;

// The direction of muscle fibres, in the axes of the mesh before its transform: constant; by region label, with no
// fibres elsewhere; by element, in the order of the mesh's file or generator; or along the gradient of a harmonic
// function that is 0 at some vertices and 1 at others.
struct FibreConstant {
  Real3 direction{1, 0, 0};  // any nonzero length

  bool operator==(const FibreConstant&) const = default;
};
struct FibreRegion {
  RegionId region = 0;
  Real3 direction{1, 0, 0};

  bool operator==(const FibreRegion&) const = default;
};
struct FibreRegions {
  std::vector<FibreRegion> regions;

  bool operator==(const FibreRegions&) const = default;
};
struct FibreFile {
  std::string path;  // .npy, three numbers per element

  bool operator==(const FibreFile&) const = default;
};
struct FibreHarmonic {
  Selection from, to;

  bool operator==(const FibreHarmonic&) const = default;
};
using FibreDirections = std::variant<FibreConstant, FibreRegions, FibreFile, FibreHarmonic>;

// Over time: linear between times, constant before the first and after the last.
struct ActivationCurve {
  std::vector<double> times;   // [s] ascending
  std::vector<double> values;  // [-] in [0, 1], one per time

  bool operator==(const ActivationCurve&) const = default;
};

struct SceneFibres {
  FibreDirections along;
  double peak_stress = 3e5;    // [Pa] Cauchy stress along the fibre at its optimal length, fully activated
  double optimal_stretch = 1;  // [-] stretch of the fibre at its optimal length, lambda_ofl
  double activation = 0;       // [-] in [0, 1]
  std::optional<ActivationCurve> activation_curve;  // instead

  bool operator==(const SceneFibres&) const = default;
};

// What an object or a collider has of its own where it touches others. What is left out is as in ContactSettings.
// Where both of a pair have a value: the larger radius, the harmonic mean of stiffnesses, the geometric mean of
// frictions, the lower friction speed, "stick" if either has it; where one has a value, that one.
struct ObjectContact {
  std::optional<ContactLaw> law;
  std::optional<double> radius;          // [m]
  std::optional<double> stiffness;       // [N/m]
  std::optional<double> friction;        // [-]
  std::optional<double> friction_speed;  // [m/s]
  std::optional<FrictionForm> friction_form;
  std::optional<ContactGuarantee> guarantee;  // of two that have one, intersection_free
  std::optional<ContactStart> start;          // of two, allow, else separate
  std::optional<bool> self;                   // of objects: whether their bodies touch themselves
  std::optional<bool> touches;                // false: it passes through everything, itself included

  bool operator==(const ObjectContact&) const = default;
};

struct SceneObject {
  std::string name;
  SceneMesh mesh;
  std::string skin = {};                                       // file of a surface carried by its tets; empty: none
  std::string material = {};                                   // of tets without a region; springs have none
  std::vector<std::pair<RegionId, std::string>> regions = {};  // region -> material
  std::optional<StiffnessFactors> stiffness_factors = {};      // none: 1 everywhere
  std::optional<SceneFibres> fibres = {};                      // of muscle; default: no fibres
  Transform transform = {};
  Copies copies = {};
  Real3 velocity{0, 0, 0};             // [m/s] at the start
  Real3 stretch{1, 1, 1};              // start positions = stretch * rest positions (about the world
                                       // origin); the rest shape is unchanged
  std::optional<double> scatter = {};  // [m] instead: start positions at random on a sphere of this radius about it
  std::optional<Real3> color = {};     // sRGB 0..1; by default one of the palette
  ObjectContact contact = {};
  bool on_grid = true;     // where the scene has a grid
  bool quadratic = false;  // its tets have a vertex at the middle of each edge

  bool operator==(const SceneObject&) const = default;
};

// At `time` the selected vertices are rotated about `axis` through `Motion::center`, scaled about it and translated,
// always relative to their start positions.
struct Keyframe {
  double time = 0;  // [s]
  Real3 translate{0, 0, 0};
  double rotate_degrees = 0;
  Real3 scale{1, 1, 1};

  bool operator==(const Keyframe&) const = default;
};
struct Motion {
  Real3 axis{0, 0, 1};
  std::optional<Real3> center;      // default: centroid of the selected vertices
  bool smooth = true;               // ease in and out between keyframes; false: linear
  std::vector<Keyframe> keyframes;  // ascending times; constant before the first and after the last

  bool operator==(const Motion&) const = default;
};
struct ScenePin {
  // The directions in which its vertices stay free: they glide in a plane, along an axis, or along world axes.
  enum class Free { nothing, plane, axis, x, y, z, xy, xz, yz };

  std::string object;
  Selection select;
  Motion motion = {};                  // no keyframes: held in place
  std::optional<double> release = {};  // [s] set free at this time
  Free free = Free::nothing;
  std::optional<Real3> normal{};     // of Free::plane, any nonzero length
  std::optional<Real3> direction{};  // of Free::axis, any nonzero length
  std::string name{};                // of its columns in stats.csv; empty: pin_0, pin_1, ... by index

  bool operator==(const ScenePin&) const = default;
};

// Wind on surfaces. The force on a triangle is density/2 A |w| (drag w + lift across w), where w is the velocity of the
// air relative to the triangle and A the area seen along w (docs/theory.md, section 2.2).
struct SceneWind {
  Real3 velocity{0, 0, 0};  // [m/s]
  double density = 1.2;     // [kg/m^3]
  double drag = 1;          // [-] of a solid, by the area of its front; of a sheet, by its projected area
  double lift = 0;          // [-]

  bool operator==(const SceneWind&) const = default;
};
// The factor of a load over time: linear between times, constant before the first and after the last.
struct LoadCurve {
  std::vector<double> times;   // [s] ascending
  std::vector<double> values;  // [-] one per time

  bool operator==(const LoadCurve&) const = default;
};
struct SceneLoad {
  enum class Kind { body_force, traction, force, acceleration, pressure, wind } kind = Kind::body_force;
  std::string object;
  Selection select = SelectAll{};  // faces: those of the boundary whose three vertices are selected
  // body_force [N/m^3] per rest volume, traction [Pa] per rest area, total force [N], acceleration [m/s^2]; constant in
  // direction. A force is shared by rest area if exactly the vertices of whole faces are selected, else by mass.
  Real3 value{0, 0, 0};
  double pressure = 0;               // [Pa] on the outside of faces; follows their rotation and area
  SceneWind wind{};                  // on faces; on both sides of those of a grid
  std::optional<LoadCurve> curve{};  // default: constant

  bool operator==(const SceneLoad&) const = default;
};

// Vertices whose mean position is followed.
struct SceneProbe {
  std::string name;
  std::string object;
  Selection select;

  bool operator==(const SceneProbe&) const = default;
};
// Some of an object's vertices.
struct SceneRegion {
  std::string object;
  Selection select = SelectAll{};

  bool operator==(const SceneRegion&) const = default;
};
// Ties each surface vertex of `bind` to the closest point at rest of the surface of `to`, if within `distance`. The
// points are pulled together, so a gap at rest is closed.
struct SceneBinding {
  SceneRegion bind, to;  // of `to`, the triangles whose three vertices are selected
  double distance = 0;   // [m]
  // Either one stiffness, or two: along the rest normal of the triangle and across it.
  double stiffness = 0;  // [N/m] of each vertex of `bind`
  std::optional<double> normal_stiffness, tangential_stiffness;

  bool operator==(const SceneBinding&) const = default;
};

// What touches bodies and is moved by no force. Its shape is given before its transform.
struct ColliderHalfSpace {  // solid where (x - point) . normal <= 0
  Real3 point{0, 0, 0};
  Real3 normal{0, 1, 0};  // any nonzero length

  bool operator==(const ColliderHalfSpace&) const = default;
};
struct ColliderBox {
  Real3 min{}, max{};

  bool operator==(const ColliderBox&) const = default;
};
struct ColliderSphere {
  Real3 center{};
  double radius = 0;  // [m]

  bool operator==(const ColliderSphere&) const = default;
};
struct ColliderCapsule {
  Real3 a{}, b{};     // the centres of its two ends
  double radius = 0;  // [m]

  bool operator==(const ColliderCapsule&) const = default;
};
struct ColliderInwardBox {  // solid outside: bodies stay inside
  Real3 min{}, max{};

  bool operator==(const ColliderInwardBox&) const = default;
};
struct ColliderMesh {  // a surface of triangles
  std::string path;    // relative to the scene's file

  bool operator==(const ColliderMesh&) const = default;
};
struct ColliderArrays {            // the same in memory
  std::vector<double> vertices;    // [m] x, y, z of each
  std::vector<int64_t> triangles;  // three vertices each, from 0, counter-clockwise seen from outside

  bool operator==(const ColliderArrays&) const = default;
};
struct ColliderSolid {  // the surface of a shape
  SceneShape shape;
  MesherSettings settings;

  bool operator==(const ColliderSolid&) const = default;
};
using ColliderShape = std::variant<ColliderHalfSpace, ColliderBox, ColliderSphere, ColliderCapsule, ColliderInwardBox,
                                   ColliderMesh, ColliderArrays, ColliderSolid>;

struct SceneCollider {
  std::string name;  // no object has the same
  ColliderShape shape;
  Transform transform = {};
  Motion motion = {};               // as of pins; no keyframes: it rests. Default centre: the mean of its vertices
  ObjectContact contact = {};       // without self
  std::optional<Real3> color = {};  // sRGB 0..1; by default grey

  bool operator==(const SceneCollider&) const = default;
};

// What holds between two objects, or an object and a collider, or, with a = b, among the bodies of an object and
// within each. What is left out is as it is without the entry.
struct SceneContactPair {
  std::string a, b;
  std::optional<ContactLaw> law;
  std::optional<double> radius;          // [m]
  std::optional<double> stiffness;       // [N/m]
  std::optional<double> friction;        // [-]
  std::optional<double> friction_speed;  // [m/s]
  std::optional<FrictionForm> friction_form;
  std::optional<ContactGuarantee> guarantee;
  std::optional<ContactStart> start;
  std::optional<bool> touches;

  bool operator==(const SceneContactPair&) const = default;
};
struct ContactSettings {
  ContactLaw law = ContactLaw::offset;
  std::optional<double> radius;     // [m] forces begin at this distance; none: from the mesh ("auto")
  std::optional<double> stiffness;  // [N/m] of a contact; none: from the stiffness of the two sides ("auto")
  double friction = 0;              // [-] Coulomb's coefficient
  double friction_speed = 0.01;     // [m/s] slower slips are resisted less
  FrictionForm friction_form = FrictionForm::smooth;
  ContactGuarantee guarantee = ContactGuarantee::none;
  bool self = true;  // bodies touch themselves
  ContactStart start = ContactStart::refuse;
  // Iterations between two checks of whether detection is due; a quarter of those done, once that is more.
  int detect_every = 4;
  std::vector<SceneContactPair> pairs;

  bool operator==(const ContactSettings&) const = default;
};

struct TimeSettings {
  bool quasistatic = false;    // integrator: "backward_euler" or "quasistatic"
  double frame_dt = 1.0 / 60;  // [s] time between frames; scripts run on this clock in quasistatics too
  int substeps = 1;            // steps per frame; dt = frame_dt / substeps
  double duration = 1;         // [s]

  bool operator==(const TimeSettings&) const = default;
};

// Solvers and accelerators with their options are listed in sinew/lists.h, and by `sinew solvers`.
struct SolverSettings {
  std::string type = "multilevel";
  OptionValues options;  // those common to all solvers and the solver's own; the rest have their defaults
  std::string accelerator = "none";
  OptionValues accelerator_options;
  int cluster_vertices = 0;  // largest cluster of a sweep by vertices; 0: the fastest size

  bool operator==(const SolverSettings&) const = default;
};

// Frames for ParaView, with a .pvd: all tets, and springs as lines; for large runs only the surfaces' triangles; or
// none.
enum class VtuFrames { volume, surface, none };
template <>
struct EnumNames<VtuFrames> {
  static constexpr std::string_view names[] = {"volume", "surface", "none"};
};
// Point caches for Blender, with an OBJ of the rest surface.
enum class SurfaceCache { pc2, mdd };
template <>
struct EnumNames<SurfaceCache> {
  static constexpr std::string_view names[] = {"pc2", "mdd"};
};
// Fields of ParaView frames in addition to motion, strain and energy.
enum class FrameField { stress, principal_stress, von_mises, reaction, pinned };
template <>
struct EnumNames<FrameField> {
  static constexpr std::string_view names[] = {"stress", "principal_stress", "von_mises", "reaction", "pinned"};
};

struct OutputSettings {
  int every = 1;  // write each n-th frame
  VtuFrames vtu = VtuFrames::volume;
  std::vector<SurfaceCache> surface_caches = {SurfaceCache::pc2};
  int statistics_every = 0;   // steps between two measurements; 0: at frames only
  int checkpoint_every = 10;  // frames; 0: only at start and end
  std::vector<FrameField> fields = {FrameField::von_mises, FrameField::reaction, FrameField::pinned};
  bool contacts = false;  // write those of each frame too, for ParaView

  bool operator==(const OutputSettings&) const = default;
};

// Whether a fitted camera moves along with bodies; automatic ("auto"): with those that travel far.
enum class CameraFollow { automatic, always, never };
template <>
struct EnumNames<CameraFollow> {
  static constexpr std::string_view names[] = {"auto", "always", "never"};
};
// What colours stand for.
enum class ColorBy { object, material, strain, von_mises, displacement, residual };
template <>
struct EnumNames<ColorBy> {
  static constexpr std::string_view names[] = {"object", "material", "strain", "von_mises", "displacement", "residual"};
};
enum class GroundPattern { squares, plain };
template <>
struct EnumNames<GroundPattern> {
  static constexpr std::string_view names[] = {"squares", "plain"};
};

struct CameraSettings {
  std::optional<Real3> eye, target;  // [m]; default: fitted to all frames
  Real3 direction{-0.6, -0.45, -1};  // view direction of the fitted camera
  double vertical_fov_degrees = 30;
  double orbit_degrees = 20;  // total turn of the fitted camera about the up axis during a film
  CameraFollow follow = CameraFollow::automatic;

  bool operator==(const CameraSettings&) const = default;
};
struct RenderSettings {
  int width = 1920, height = 1080;
  int samples = 8;
  ColorBy color_by = ColorBy::object;
  std::optional<bool> smooth;  // shading; default: skins are smooth, meshes flat
  bool wireframe = false;
  bool contacts = false;  // arrows for the forces of contacts, which output.contacts records
  bool ground = true;
  GroundPattern ground_pattern = GroundPattern::squares;
  CameraSettings camera;

  bool operator==(const RenderSettings&) const = default;
};

enum class UpAxis { y, z };
template <>
struct EnumNames<UpAxis> {
  static constexpr std::string_view names[] = {"y", "z"};
};

// What colliders do to the nodes of a grid inside them.
enum class GridColliders : uint8_t { slip, sticky };
template <>
struct EnumNames<GridColliders> {
  static constexpr std::string_view names[] = {"slip", "sticky"};
};
// A background grid that objects are embedded in. Its nodes are unknowns in place of their vertices, and bodies in it
// touch by sharing them.
struct GridSettings {
  double spacing = 0;                             // [m] between nodes
  GridColliders colliders = GridColliders::slip;  // slip: nodes may leave them and move along them
  double cfl = 0.4;                               // [-] of the spacing, that a vertex moves at most in a part of a step

  bool operator==(const GridSettings&) const = default;
};

struct Scene {
  std::string name;
  std::string source = "scene";    // the file it was read from; used in errors only
  std::string base_folder;         // base of relative paths; empty: the working folder
  Real3 gravity{0, -9.81, 0};      // [m/s^2]
  UpAxis up = UpAxis::y;           // for pictures and importers
  bool own_block_damping = false;  // of elements; false: by strain rate
  std::vector<SceneMaterial> materials;
  std::vector<SceneObject> objects;
  std::vector<ScenePin> pins;
  std::vector<SceneLoad> loads;
  std::vector<SceneProbe> probes;
  std::vector<SceneBinding> bindings;
  std::optional<ContactSettings> contact;  // none: as if they were the defaults where there are colliders
  bool no_contact = false;                 // unless this says that all pass through each other
  std::vector<SceneCollider> colliders;
  std::optional<GridSettings> grid;  // of all objects but those that leave it
  TimeSettings time;
  SolverSettings solver;
  OutputSettings output;
  RenderSettings render;

  bool operator==(const Scene&) const = default;
};

}  // namespace sinew
