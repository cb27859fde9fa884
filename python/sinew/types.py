"""The keys of scenes as TypedDicts, for editors and type checkers: `scene: sinew.types.Scene = {...}`.

Written by python/tools/scene_types.py from the schema of scenes; docs/scene-reference.md has defaults and ranges.
"""

from __future__ import annotations

from typing import Any, Literal, Protocol, TypedDict, Union

import numpy.typing

Numbers = numpy.typing.ArrayLike  # NumPy's arrays and lists
Vector = numpy.typing.ArrayLike  # x, y and z


class MeshObject(Protocol):
    """A meshio.Mesh."""

    points: Any
    cells: Any


class FilledMesh(Protocol):
    """What sinew.mesh returns."""

    @property
    def vertices(self) -> Any: ...
    @property
    def tets(self) -> Any: ...


class ShapeBall(TypedDict, total=False):
    """A ball."""

    # of the ball [m]
    radius: float
    # factor, first of all
    scale: float
    # the axis of rotation, of any length but 0
    rotation_axis: Vector
    # the angle, counter-clockwise where the axis points at the viewer [deg]
    rotation_degrees: float
    # displacement, applied last [m]
    translate: Vector


class ShapeBox(TypedDict, total=False):
    """A box."""

    # edge lengths [m]
    size: Vector
    # factor, first of all
    scale: float
    # the axis of rotation, of any length but 0
    rotation_axis: Vector
    # the angle, counter-clockwise where the axis points at the viewer [deg]
    rotation_degrees: float
    # displacement, applied last [m]
    translate: Vector


class ShapeRoundedBox(TypedDict, total=False):
    """A box with rounded edges."""

    # lengths from face to face [m]
    size: Vector
    # of its edges, at most half the least length [m]
    edge_radius: float
    # factor, first of all
    scale: float
    # the axis of rotation, of any length but 0
    rotation_axis: Vector
    # the angle, counter-clockwise where the axis points at the viewer [deg]
    rotation_degrees: float
    # displacement, applied last [m]
    translate: Vector


class ShapeTorus(TypedDict, total=False):
    """A ring."""

    # of the circle that the tube lies around [m]
    radius: float
    # of the tube, less than the circle's [m]
    tube_radius: float
    # factor, first of all
    scale: float
    # the axis of rotation, of any length but 0
    rotation_axis: Vector
    # the angle, counter-clockwise where the axis points at the viewer [deg]
    rotation_degrees: float
    # displacement, applied last [m]
    translate: Vector


ShapeCapsule = TypedDict(
    "ShapeCapsule",
    {
        # the centre of one end [m]
        "from": Vector,
        # the centre of the other [m]
        "to": Vector,
        # of the capsule [m]
        "radius": float,
        # factor, first of all
        "scale": float,
        # the axis of rotation, of any length but 0
        "rotation_axis": Vector,
        # the angle, counter-clockwise where the axis points at the viewer [deg]
        "rotation_degrees": float,
        # displacement, applied last [m]
        "translate": Vector,
    },
    total=False,
)


class ShapeCylinder(TypedDict, total=False):
    """A cylinder."""

    # of the cylinder [m]
    radius: float
    # along the axis [m]
    length: float
    # factor, first of all
    scale: float
    # the axis of rotation, of any length but 0
    rotation_axis: Vector
    # the angle, counter-clockwise where the axis points at the viewer [deg]
    rotation_degrees: float
    # displacement, applied last [m]
    translate: Vector


class ShapeCone(TypedDict, total=False):
    """A cone, cut off above if top_radius is not 0."""

    # at the lower end [m]
    radius: float
    # at the upper end [m]
    top_radius: float
    # along the axis [m]
    length: float
    # factor, first of all
    scale: float
    # the axis of rotation, of any length but 0
    rotation_axis: Vector
    # the angle, counter-clockwise where the axis points at the viewer [deg]
    rotation_degrees: float
    # displacement, applied last [m]
    translate: Vector


ShapeRoundedCone = TypedDict(
    "ShapeRoundedCone",
    {
        # the centre of one end, a ball [m]
        "from": Vector,
        # the centre of the other [m]
        "to": Vector,
        # of the one end [m]
        "from_radius": float,
        # of the other [m]
        "to_radius": float,
        # factor, first of all
        "scale": float,
        # the axis of rotation, of any length but 0
        "rotation_axis": Vector,
        # the angle, counter-clockwise where the axis points at the viewer [deg]
        "rotation_degrees": float,
        # displacement, applied last [m]
        "translate": Vector,
    },
    total=False,
)


class ShapeEllipsoid(TypedDict, total=False):
    """An ellipsoid."""

    # along x, y and z [m]
    radii: Vector
    # factor, first of all
    scale: float
    # the axis of rotation, of any length but 0
    rotation_axis: Vector
    # the angle, counter-clockwise where the axis points at the viewer [deg]
    rotation_degrees: float
    # displacement, applied last [m]
    translate: Vector


class ShapeHalfSpace(TypedDict, total=False):
    """All on one side of a plane; to intersect with, or to take away."""

    # of the plane, pointing out of the solid; of any length but 0
    normal: Vector
    # of the plane from the origin, along the normal [m]
    offset: float
    # factor, first of all
    scale: float
    # the axis of rotation, of any length but 0
    rotation_axis: Vector
    # the angle, counter-clockwise where the axis points at the viewer [deg]
    rotation_degrees: float
    # displacement, applied last [m]
    translate: Vector


class ShapeSpindle(TypedDict, total=False):
    """A body that tapers towards both of its rounded ends, like a muscle."""

    # from end to end [m]
    length: float
    # in the middle, at most half the length [m]
    radius: float
    # of the rounded ends, less than in the middle [m]
    end_radius: float
    # factor, first of all
    scale: float
    # the axis of rotation, of any length but 0
    rotation_axis: Vector
    # the angle, counter-clockwise where the axis points at the viewer [deg]
    rotation_degrees: float
    # displacement, applied last [m]
    translate: Vector


class ShapeBowl(TypedDict, total=False):
    """A part of a hollow ball, open above, its rim rounded; the ball's centre is the origin."""

    # of the outer surface, a part of a sphere [m]
    radius: float
    # from the lowest point to the top of the rounded rim, at most the diameter [m]
    depth: float
    # of the wall, less than radius and depth [m]
    thickness: float
    # factor, first of all
    scale: float
    # the axis of rotation, of any length but 0
    rotation_axis: Vector
    # the angle, counter-clockwise where the axis points at the viewer [deg]
    rotation_degrees: float
    # displacement, applied last [m]
    translate: Vector


class _ShapeUnion(TypedDict):
    parts: list[Shape]


class ShapeUnion(_ShapeUnion, total=False):
    """What is in any part."""

    # how far apart surfaces are that flow into each other; 0: sharp [m]
    blend: float
    # factor, first of all
    scale: float
    # the axis of rotation, of any length but 0
    rotation_axis: Vector
    # the angle, counter-clockwise where the axis points at the viewer [deg]
    rotation_degrees: float
    # displacement, applied last [m]
    translate: Vector


class _ShapeOffset(TypedDict):
    parts: list[Shape]


class ShapeOffset(_ShapeOffset, total=False):
    """A part grown or shrunk."""

    # by which the part grows, its edges rounded, or shrinks if negative [m]
    distance: float
    # factor, first of all
    scale: float
    # the axis of rotation, of any length but 0
    rotation_axis: Vector
    # the angle, counter-clockwise where the axis points at the viewer [deg]
    rotation_degrees: float
    # displacement, applied last [m]
    translate: Vector


class _ShapeShell(TypedDict):
    parts: list[Shape]


class ShapeShell(_ShapeShell, total=False):
    """The wall of a part that is hollow."""

    # of the wall, inwards from the part's surface [m]
    thickness: float
    # factor, first of all
    scale: float
    # the axis of rotation, of any length but 0
    rotation_axis: Vector
    # the angle, counter-clockwise where the axis points at the viewer [deg]
    rotation_degrees: float
    # displacement, applied last [m]
    translate: Vector


class ShapeBeam(TypedDict, total=False):
    """A box from the origin on, its long side along x."""

    # along x, from the origin [m]
    length: float
    # along y, from the origin [m]
    height: float
    # along z, from the origin [m]
    depth: float
    # of its edges, at most half the least length [m]
    edge_radius: float
    # factor, first of all
    scale: float
    # the axis of rotation, of any length but 0
    rotation_axis: Vector
    # the angle, counter-clockwise where the axis points at the viewer [deg]
    rotation_degrees: float
    # displacement, applied last [m]
    translate: Vector


class ShapeBallWithTentacles(TypedDict, total=False):
    """A ball with many tapering tentacles, all around."""

    # of the ball without tentacles [m]
    radius: float
    # how many, evenly spread
    tentacles: int
    # beyond the ball [m]
    tentacle_length: float
    # at the ball, less than the ball's [m]
    tentacle_radius: float
    # factor, first of all
    scale: float
    # the axis of rotation, of any length but 0
    rotation_axis: Vector
    # the angle, counter-clockwise where the axis points at the viewer [deg]
    rotation_degrees: float
    # displacement, applied last [m]
    translate: Vector


class ShapeOctopus(TypedDict, total=False):
    """A head and arms around it that curl up."""

    # factor on all lengths
    size: float
    # how many, around the head
    arms: int
    # along each arm, times the size [m]
    arm_length: float
    # of each arm where it begins, times the size [m]
    arm_radius: float
    # turns of each arm from its lowest point to its end
    curl: float
    # whether it has two
    eyes: bool
    # factor, first of all
    scale: float
    # the axis of rotation, of any length but 0
    rotation_axis: Vector
    # the angle, counter-clockwise where the axis points at the viewer [deg]
    rotation_degrees: float
    # displacement, applied last [m]
    translate: Vector


class ShapeSpindleBundle(TypedDict, total=False):
    """Spindles side by side, as in a muscle."""

    # how many, side by side in rings around the first
    spindles: int
    # of each, from end to end [m]
    length: float
    # of each in the middle, at most half the length [m]
    radius: float
    # of their rounded ends, less than in the middle [m]
    end_radius: float
    # between neighbours; negative: they grow together [m]
    gap: float
    # factor, first of all
    scale: float
    # the axis of rotation, of any length but 0
    rotation_axis: Vector
    # the angle, counter-clockwise where the axis points at the viewer [deg]
    rotation_degrees: float
    # displacement, applied last [m]
    translate: Vector


class Shape(TypedDict, total=False):
    # a ball
    ball: ShapeBall
    # a box
    box: ShapeBox
    # a box with rounded edges
    rounded_box: ShapeRoundedBox
    # a ring
    torus: ShapeTorus
    # a cylinder between two half balls
    capsule: ShapeCapsule
    # a cylinder
    cylinder: ShapeCylinder
    # a cone, cut off above if top_radius is not 0
    cone: ShapeCone
    # the hull of two balls: a tapering capsule
    rounded_cone: ShapeRoundedCone
    # an ellipsoid
    ellipsoid: ShapeEllipsoid
    # all on one side of a plane; to intersect with, or to take away
    half_space: ShapeHalfSpace
    # a body that tapers towards both of its rounded ends, like a muscle
    spindle: ShapeSpindle
    # a part of a hollow ball, open above, its rim rounded; the ball's centre is the origin
    bowl: ShapeBowl
    # what is in any part
    union: ShapeUnion
    # what is in all parts
    intersection: ShapeUnion
    # what is in the first part and in no other
    difference: ShapeUnion
    # a part grown or shrunk
    offset: ShapeOffset
    # the wall of a part that is hollow
    shell: ShapeShell
    # a box from the origin on, its long side along x
    beam: ShapeBeam
    # a ball with many tapering tentacles, all around
    ball_with_tentacles: ShapeBallWithTentacles
    # a head and arms around it that curl up
    octopus: ShapeOctopus
    # spindles side by side, as in a muscle
    spindle_bundle: ShapeSpindleBundle


class Time(TypedDict, total=False):
    """Integrator and clock."""

    # backward Euler, or an equilibrium in each step
    integrator: Literal["backward_euler", "quasistatic"]
    # time between frames [s]
    frame_dt: float
    # frames per second, instead of frame_dt [1/s]
    fps: float
    # steps per frame; the time step is frame_dt / substeps
    substeps: int
    # simulated time [s]
    duration: float


Material = TypedDict(
    "Material",
    {
        # the elastic model
        "model": Literal[
            "neo_hookean", "stable_neo_hookean", "mooney_rivlin", "fixed_corotated", "arap", "stvk", "linear"
        ],
        # mass per rest volume [kg/m^3]
        "density": float,
        # stiffness-proportional damping: the ratio of viscous to elastic stress per strain rate; not of fibres; 0: none
        # [s]
        "damping": float,
        # Young's modulus: stress per strain of a stretched bar [Pa]
        "youngs_modulus": float,
        # the same as youngs_modulus
        "E": float,
        # Poisson's ratio: lateral contraction per stretch; nearly incompressible near 0.5
        "poisson_ratio": float,
        # the same as poisson_ratio
        "nu": float,
        # shear modulus, the second Lame parameter; with lambda, instead of youngs_modulus [Pa]
        "mu": float,
        # the first Lame parameter, above -2/3 mu; with mu, instead of poisson_ratio [Pa]
        "lambda": float,
        # of |F|^2, the squares of the stretches; the shear modulus at rest is 2 (c10 + c01) [Pa]
        "c10": float,
        # of |cof F|^2, the squares of the changes of area; 0: Neo-Hookean [Pa]
        "c01": float,
        # pressure per relative change of volume at rest, above 4/3 c01 - 2/3 c10; 10 to 50 times the shear modulus is
        # nearly incompressible [Pa]
        "bulk_modulus": float,
        # s in s/2 |F - R|^2, what resists all but rotation: twice the shear modulus at rest [Pa]
        "stiffness": float,
        # k in k/2 (J - 1)^2, what resists a change of volume besides [Pa]
        "volume_stiffness": float,
    },
    total=False,
)


class ObjectMeshBox(TypedDict, total=False):
    """A box of cells."""

    # edge lengths [m]
    size: Union[float, Vector]
    # cells along x, y and z
    cells: Union[int, Vector]
    # the lowest corner [m]
    origin: Vector
    # tetrahedra per cell: 5 or 6
    split: int


class ObjectMeshBeam(TypedDict, total=False):
    """A beam along x with one end at x = 0."""

    # along x [m]
    length: float
    # along y [m]
    height: float
    # along z [m]
    depth: float
    # cells along y and z; as many along x as make them nearly cubes
    cells_across: int
    # tetrahedra per cell: 5 or 6
    split: int


class ObjectMeshBall(TypedDict, total=False):
    """A ball of 20 shells^3 tetrahedra."""

    # radius [m]
    radius: float
    # layers of tetrahedra between centre and surface
    shells: int
    # centre [m]
    center: Vector


class ObjectMeshChain(TypedDict, total=False):
    """Points in a row, a spring from each to the next; one link: a pendulum."""

    # number of springs; there is one more point
    links: int
    # length of a link at rest [m]
    spacing: float
    # the first point, number 0 [m]
    origin: Vector
    # where the others lie, of any length but 0
    direction: Vector
    # mass of each point [kg]
    point_mass: float
    # mass of the last point; by default as the others [kg]
    end_mass: float
    # force per extension of each spring [N/m]
    stiffness: float
    # the same of the links from number links / 2, rounded down, on; by default as the others [N/m]
    far_stiffness: float
    # of the springs: the ratio of viscous force to stiffness times the rate of extension; 0: none [s]
    damping: float


class ObjectMeshGrid(TypedDict, total=False):
    """Points in rows in the plane z = 0 with springs between them: a cloth."""

    # points along x
    columns: int
    # points along y; point (i, j) has the number i + columns j
    rows: int
    # between neighbours at rest [m]
    spacing: float
    # the lowest corner, point number 0 [m]
    origin: Vector
    # total mass of all points, in equal shares [kg]
    mass: float
    # stiffness of the springs along the edges of the cells [N/m]
    stiffness: float
    # stiffness of the springs along both diagonals of the cells; 0: none [N/m]
    shear_stiffness: float
    # of the springs: the ratio of viscous force to stiffness times the rate of extension; 0: none [s]
    damping: float


class ObjectMeshRectangle(TypedDict, total=False):
    """Triangles in a plane of constant z, in which they remain: two dimensions, plane strain, 1 m thick."""

    # along x [m]
    width: float
    # along y [m]
    height: float
    # cells along x, of two triangles each
    cells_x: int
    # cells along y
    cells_y: int
    # the lowest corner, vertex number 0 [m]
    origin: Vector


class _ObjectMeshSurface(TypedDict):
    # its file: .obj, .ply, .stl or .off
    file: str


class ObjectMeshSurface(_ObjectMeshSurface, total=False):
    """A triangle surface, closed or broken, filled with tets."""

    # size of a cell, about the length of an edge [m]
    cell: float
    # cells along the longest side; default, if none of the three is given: 30
    cells: float
    # approximate number of tets
    tets: float
    # smoothing passes, which never worsen the worst angle
    smoothing: int
    # boundary vertices move so that the faces between them lie closer to the surface
    fit: bool
    # inner tets may grow to 2^coarsest times the size of those at the surface
    coarsest: int
    # move vertices onto sharp edges and corners of surfaces
    sharp_edges: bool
    # keep loose pieces thinner than two cells, the remains of parts too thin for the cells
    thin_pieces: bool
    # the mesher: tetgen if that program is installed, for surfaces only
    mesher: Literal["stuffing", "tetgen"]


class _ObjectMeshShape(TypedDict):
    # the shape (see Shapes)
    of: Shape


class ObjectMeshShape(_ObjectMeshShape, total=False):
    """A solid defined by formulas, filled with tets."""

    # size of a cell, about the length of an edge [m]
    cell: float
    # cells along the longest side; default, if none of the three is given: 30
    cells: float
    # approximate number of tets
    tets: float
    # smoothing passes, which never worsen the worst angle
    smoothing: int
    # boundary vertices move so that the faces between them lie closer to the surface
    fit: bool
    # inner tets may grow to 2^coarsest times the size of those at the surface
    coarsest: int
    # move vertices onto sharp edges and corners of surfaces
    sharp_edges: bool
    # keep loose pieces thinner than two cells, the remains of parts too thin for the cells
    thin_pieces: bool
    # the mesher: tetgen if that program is installed, for surfaces only
    mesher: Literal["stuffing", "tetgen"]


class _ObjectMeshArrays(TypedDict):
    # x, y and z of each, one after the other [m]
    vertices: Numbers


class ObjectMeshArrays(_ObjectMeshArrays, total=False):
    """A mesh given here: vertices, and tets, triangles in a plane of constant z, or edges, which become springs."""

    # four vertices of each, from 0, of positive volume
    tets: Numbers
    # three vertices of each, counter-clockwise seen from +z
    triangles: Numbers
    # two vertices of each spring, which is at rest as it lies
    edges: Numbers
    # of springs: total mass of all points, in equal shares [kg]
    mass: float
    # stiffness of each spring [N/m]
    stiffness: float
    # of the springs: the ratio of viscous force to stiffness times the rate of extension; 0: none [s]
    damping: float


class ObjectMesh(TypedDict, total=False):
    """A file or a generator."""

    # a mesh file, relative to the scene: .node/.ele, .mesh, .msh, .vtk, .vtu or .t
    file: str
    # a box of cells
    box: ObjectMeshBox
    # a beam along x with one end at x = 0
    beam: ObjectMeshBeam
    # a ball of 20 shells^3 tetrahedra
    ball: ObjectMeshBall
    # points in a row, a spring from each to the next; one link: a pendulum
    chain: ObjectMeshChain
    # points in rows in the plane z = 0 with springs between them: a cloth
    grid: ObjectMeshGrid
    # triangles in a plane of constant z, in which they remain: two dimensions, plane strain, 1 m thick
    rectangle: ObjectMeshRectangle
    # a file of triangles in a plane of constant z, simulated like a rectangle: .obj, .ply, .stl, .off, .mesh, .msh,
    # .vtk or .vtu
    triangles: str
    # a triangle surface, closed or broken, filled with tets
    surface: ObjectMeshSurface
    # a solid defined by formulas, filled with tets
    shape: ObjectMeshShape
    # a mesh given here: vertices, and tets, triangles in a plane of constant z, or edges, which become springs
    arrays: Union[ObjectMeshArrays, FilledMesh, MeshObject]


class ObjectStiffnessFactors(TypedDict, total=False):
    # a file relative to the scene with a number for each tetrahedron, as the mesh's file or generator numbers them:
    # .npy, or text, where # starts a comment
    file: str
    # the numbers, in the same order
    values: Numbers


class ObjectFibresRegion(TypedDict):
    # its label, or its name in the mesh's file
    region: Union[int, str]
    # of any length but 0
    direction: Vector


class SelectBox(TypedDict):
    """Vertices in a box, its faces included."""

    # the lowest corner [m]
    min: Vector
    # the highest corner [m]
    max: Vector


class SelectSphere(TypedDict):
    """Vertices in a sphere, its surface included."""

    # centre [m]
    center: Vector
    # radius [m]
    radius: float


class SelectPlane(TypedDict):
    """Vertices on a plane or on the side that its normal points to."""

    # a point of the plane [m]
    point: Vector
    # of any length but 0
    normal: Vector


class Select(TypedDict, total=False):
    # vertices in a box, its faces included
    box: SelectBox
    # vertices in a sphere, its surface included
    sphere: SelectSphere
    # vertices on a plane or on the side that its normal points to
    plane: SelectPlane
    # numbers of vertices, from 0
    indices: Numbers
    # a file of vertex numbers, from 0, relative to the scene; # starts a comment
    file: str
    # the name of a physical group in the mesh's Gmsh file, of points, curves, surfaces or volumes: all vertices of
    # its elements; `sinew info` lists the groups
    group: str


ObjectFibresHarmonic = TypedDict(
    "ObjectFibresHarmonic",
    {
        # vertices of one end, by rest position in the world, by number or by group
        "from": Union[Literal["all"], Select],
        # vertices of the other end
        "to": Union[Literal["all"], Select],
    },
    total=False,
)


class ObjectFibresActivationCurve(TypedDict):
    """Activation over time, piecewise linear, constant before the first and after the last time; a step uses the
    value at its end."""

    # ascending [s]
    times: Numbers
    # one for each time
    values: Numbers


class ObjectFibres(TypedDict, total=False):
    # fibre direction everywhere, in the axes of the mesh, before the object's transform; of any length but 0
    direction: Vector
    # fibre direction by region of the mesh; elements of other regions have no fibres
    regions: list[ObjectFibresRegion]
    # the same by tetrahedron or triangle: a .npy file relative to the scene with three numbers for each, as the
    # mesh's file or generator numbers them
    file: str
    # along the gradient of a harmonic function that is 0 at one end of the object and 1 at the other; elements
    # within an end have no fibres
    harmonic: ObjectFibresHarmonic
    # Cauchy stress along the fibres at their optimal length, fully activated and at unchanged volume; per rest area
    # it is peak_stress / optimal_stretch [Pa]
    peak_stress: float
    # fibre stretch at which they pull hardest: that length over the length at rest
    optimal_stretch: float
    # how strongly they contract, from 0 (passive) to 1
    activation: float
    # activation over time, piecewise linear, constant before the first and after the last time; a step uses the
    # value at its end
    activation_curve: ObjectFibresActivationCurve


class Transform(TypedDict, total=False):
    """Placement in the world: scale, then rotate, then translate."""

    # factors along x, y and z, applied first; not 0; an odd number of negative ones mirrors
    scale: Union[float, Vector]
    # the axis of rotation, of any length
    rotation_axis: Vector
    # the angle, counter-clockwise where the axis points at the viewer [deg]
    rotation_degrees: float
    # displacement, applied last [m]
    translate: Vector


class ObjectCopies(TypedDict, total=False):
    """More bodies of the same shape, in rows; together they form the object."""

    # bodies along x, y and z
    count: Vector
    # the distance from one to the next [m]
    spacing: Vector


class ObjectContact(TypedDict, total=False):
    """What it has of its own; the rest is as in `contact` of the scene."""

    # as in `contact`; of two, offset
    law: Literal["offset", "penalty"]
    # distance at which forces begin [m]
    radius: float
    # force per distance of a contact, near the radius [N/m]
    stiffness: float
    # Coulomb's coefficient
    friction: float
    # slower slips are resisted less [m/s]
    friction_speed: float
    # smooth: creeps; stick: holds until it slips
    friction_form: Literal["smooth", "stick"]
    # as in `contact`; of two, intersection_free
    guarantee: Literal["none", "intersection_free"]
    # as in `contact`; of two, allow, else separate
    start: Literal["refuse", "separate", "allow"]
    # whether each of its bodies touches itself
    self: bool
    # false: it passes through everything; default: true
    touches: bool


class _Object(TypedDict):
    # a file or a generator
    mesh: Union[ObjectMesh, FilledMesh, MeshObject]


class Object(_Object, total=False):
    # a surface file, relative to the scene, that moves with the tetrahedra and is shown instead of their boundary:
    # a detailed model on a coarse mesh. It has the coordinates of the mesh and is transformed with it; "": none
    skin: str
    # the material of tetrahedra whose region has none of its own; not required where all regions have one, or for
    # chains and grids, which consist of springs
    material: str
    # of its tetrahedra; quadratic: each has a vertex at the middle of each edge, numbered after those of the mesh,
    # and does not lock: one across a beam bends right at every Poisson ratio
    element: Literal["linear", "quadratic"]
    # region of the mesh -> material; a region is named by its label, or by the name that a Gmsh file gives it
    regions: dict[str, str]
    # positive factor of each tetrahedron's stiffness, Young's modulus or both Lame parameters; Poisson's ratio,
    # density and damping stay the same
    stiffness_factors: Union[Literal["none"], ObjectStiffnessFactors]
    # muscle fibres in its tetrahedra or triangles, whose stress is added to that of the material
    fibres: Union[Literal["none"], ObjectFibres]
    # placement in the world: scale, then rotate, then translate
    transform: Transform
    # more bodies of the same shape, in rows; together they form the object
    copies: ObjectCopies
    # velocity at the start [m/s]
    velocity: Vector
    # factors from rest positions to initial positions, about the world's origin; the rest shape does not change
    stretch: Vector
    # instead of a stretch: radius of a sphere about the world's origin on which the vertices begin, each at a
    # random place, the same in every run; the rest shape does not change [m]
    scatter: float
    # red, green and blue (sRGB); by default one of the palette
    color: Vector
    # what it has of its own; the rest is as in `contact` of the scene
    contact: ObjectContact
    # whether it is embedded in the grid, if the scene has one
    on_grid: bool


class _MotionKeyframe(TypedDict):
    # when [s]
    time: float


class MotionKeyframe(_MotionKeyframe, total=False):
    # displacement from the start [m]
    translate: Vector
    # rotation about the axis, any number of turns [deg]
    rotate_degrees: float
    # factors about the centre
    scale: Union[float, Vector]


class Motion(TypedDict, total=False):
    """How they move, relative to the start."""

    # axis of rotation, of any length but 0
    axis: Vector
    # centre of rotation and scale; by default the centroid of the selected vertices [m]
    center: Vector
    # ease in and out between keyframes; false: linear
    smooth: bool
    # in ascending order of time; constant before the first and after the last; none: held in place
    keyframes: list[MotionKeyframe]


class _Pin(TypedDict):
    # the object whose vertices are held
    object: str
    # which vertices, by rest position in the world, by number or by group
    select: Union[Literal["all"], Select]


class Pin(_Pin, total=False):
    # how they move, relative to the start
    motion: Motion
    # time of release; default: never [s]
    release: float
    # in what the vertices stay free: plane: they glide in the plane across `normal` (a symmetry plane, a table);
    # axis: along `direction` (a guide); x, yz, ...: along these axes of the world. The motion moves them in the
    # other directions
    free: Literal["nothing", "plane", "axis", "x", "y", "z", "xy", "xz", "yz"]
    # with free = "plane": its normal, of any length but 0; it does not turn with the motion
    normal: Vector
    # with free = "axis": along it, of any length but 0; it does not turn with the motion
    direction: Vector
    # of its force in stats.csv; "" is pin_0, pin_1, ... by its place in the list
    name: str


class _LoadWind(TypedDict):
    # of the air [m/s]
    velocity: Vector


class LoadWind(_LoadWind, total=False):
    """Air that moves past faces: those of a solid feel it from outside, those of a grid from either side; nothing
    shelters anything."""

    # of the air [kg/m^3]
    density: float
    # drag coefficient, by the area seen along the wind: about 0.5 of a ball, 1 of a cube or a flag
    drag: float
    # lift coefficient, by the same area: across the wind, towards where the surface leans
    lift: float


class LoadCurve(TypedDict):
    # ascending [s]
    times: Numbers
    # as many
    values: Numbers


class _Load(TypedDict):
    # the object the load acts on
    object: str


class Load(_Load, total=False):
    # traction, pressure and wind act on boundary faces and a body force on tetrahedra whose vertices are all
    # selected; a force and an acceleration on the vertices themselves
    select: Union[Literal["all"], Select]
    # force per rest volume [N/m^3]
    body_force: Vector
    # force per rest area, of constant direction [Pa]
    traction: Vector
    # total force, of constant direction. Shared by rest area where the selected vertices are those of whole
    # boundary faces, else by mass [N]
    force: Vector
    # force per mass, as gravity is; of chains and grids too [m/s^2]
    acceleration: Vector
    # pushes against the outside of faces as they lie and as large as they are at the start of each step; below 0 it
    # pulls [Pa]
    pressure: float
    # air that moves past faces: those of a solid feel it from outside, those of a grid from either side; nothing
    # shelters anything
    wind: LoadWind
    # a factor over time: linear between times, as at the first before it and as at the last after it; a step takes
    # the value at its end
    curve: Union[Literal["constant"], LoadCurve]


class Probe(TypedDict):
    # the object whose vertices are followed
    object: str
    # which vertices, by rest position in the world, by number or by group
    select: Union[Literal["all"], Select]


class _BindingBind(TypedDict):
    # the object
    object: str


class BindingBind(_BindingBind, total=False):
    """The object whose surface vertices are bound; all points of a chain."""

    # which of its vertices
    select: Union[Literal["all"], Select]


class _Binding(TypedDict):
    # the object whose surface vertices are bound; all points of a chain
    bind: BindingBind
    # the surface they are bound to: triangles with all three vertices selected; not of a chain
    to: BindingBind
    # vertices that are farther from the surface at rest stay free. Bound vertices are drawn onto it, which closes
    # the gap [m]
    distance: float


class Binding(_Binding, total=False):
    # force per distance between a vertex and the point it is bound to, in all directions [N/m]
    stiffness: float
    # along the surface's normal at rest, which does not turn with it [N/m]
    normal_stiffness: float
    # perpendicular to that normal; 0: slides freely [N/m]
    tangential_stiffness: float


class _ContactPair(TypedDict):
    # an object or a collider
    a: str
    # another, of which one is an object; or the same object: what holds among its bodies and within each
    b: str


class ContactPair(_ContactPair, total=False):
    # as in `contact`
    law: Literal["offset", "penalty"]
    # distance at which forces begin [m]
    radius: float
    # force per distance of a contact, near the radius [N/m]
    stiffness: float
    # Coulomb's coefficient
    friction: float
    # slower slips are resisted less [m/s]
    friction_speed: float
    # as in `contact`
    friction_form: Literal["smooth", "stick"]
    # as in `contact`
    guarantee: Literal["none", "intersection_free"]
    # as in `contact`
    start: Literal["refuse", "separate", "allow"]
    # false: the two pass through each other; true: they touch although a binding joins them
    touches: bool


class Contact(TypedDict, total=False):
    # offset: forces begin at the radius and grow without bound as the distance vanishes; penalty: they grow with
    # the depth of penetration, which remains, and there is no radius
    law: Literal["offset", "penalty"]
    # distance at which forces begin; auto: 0.15 of the mean edge of the surface, of two objects the smaller [m]
    radius: Union[float, Literal["auto"]]
    # force per distance of a contact, near the radius; auto: from masses, time step and elastic stiffness of the
    # two sides [N/m]
    stiffness: Union[float, Literal["auto"]]
    # Coulomb's coefficient: the largest friction over the normal force
    friction: float
    # slips below this speed are resisted less, in proportion: what friction holds creeps [m/s]
    friction_speed: float
    # smooth: a force by the speed of the slip, so that what it holds creeps; stick: a spring to an anchor per
    # contact, which is dragged along where it slips
    friction_form: Literal["smooth", "stick"]
    # intersection_free: no state has triangles that cross, by limits on every motion
    guarantee: Literal["none", "intersection_free"]
    # whether bodies touch themselves
    self: bool
    # of bodies that intersect or touch at the start. refuse: an error; separate: they are moved apart as wholes;
    # allow: such pairs pass through each other until they are apart
    start: Literal["refuse", "separate", "allow"]
    # iterations between two checks of whether new contacts must be looked for; a quarter of those done, once that
    # is more
    detect_every: int
    # what holds between two objects, or an object and a collider. It comes before what they have of their own, and
    # that before what is given here
    pairs: list[ContactPair]


class ColliderShapeHalfSpace(TypedDict, total=False):
    """Solid up to a plane: a floor, a wall."""

    # a point of the plane [m]
    point: Vector
    # out of the solid, of any length but 0
    normal: Vector


class ColliderShapeBox(TypedDict):
    """A box."""

    # the lowest corner [m]
    min: Vector
    # the highest corner [m]
    max: Vector


class _ColliderShapeSphere(TypedDict):
    # radius [m]
    radius: float


class ColliderShapeSphere(_ColliderShapeSphere, total=False):
    """A ball of triangles, with edges of about an eighth of the radius."""

    # centre [m]
    center: Vector


class ColliderShapeCapsule(TypedDict):
    """A cylinder with rounded ends, of such triangles."""

    # the centre of one end [m]
    a: Vector
    # the centre of the other [m]
    b: Vector
    # radius [m]
    radius: float


class ColliderShapeArrays(TypedDict):
    """Such a surface given here."""

    # x, y and z of each, one after the other [m]
    vertices: Numbers
    # three vertices of each, from 0
    triangles: Numbers


class ColliderShape(TypedDict, total=False):
    """What it is, before its transform."""

    # solid up to a plane: a floor, a wall
    half_space: ColliderShapeHalfSpace
    # a box
    box: ColliderShapeBox
    # a ball of triangles, with edges of about an eighth of the radius
    sphere: ColliderShapeSphere
    # a cylinder with rounded ends, of such triangles
    capsule: ColliderShapeCapsule
    # solid outside a box, so that bodies stay inside
    inward_box: ColliderShapeBox
    # the file of a triangle surface, closed and counter-clockwise seen from outside: .obj, .ply, .stl or .off
    mesh: Union[str, FilledMesh, MeshObject]
    # such a surface given here
    arrays: Union[ColliderShapeArrays, FilledMesh, MeshObject]
    # the surface of a solid defined by formulas, as a mesher finds it
    solid: ObjectMeshShape


class ColliderContact(TypedDict, total=False):
    """What it has of its own; the rest is as in `contact` of the scene."""

    # as in `contact`; of two, offset
    law: Literal["offset", "penalty"]
    # distance at which forces begin [m]
    radius: float
    # force per distance of a contact, near the radius [N/m]
    stiffness: float
    # Coulomb's coefficient
    friction: float
    # slower slips are resisted less [m/s]
    friction_speed: float
    # smooth: creeps; stick: holds until it slips
    friction_form: Literal["smooth", "stick"]
    # as in `contact`; of two, intersection_free
    guarantee: Literal["none", "intersection_free"]
    # as in `contact`; of two, allow, else separate
    start: Literal["refuse", "separate", "allow"]
    # false: it passes through everything; default: true
    touches: bool


class _Collider(TypedDict):
    # what it is, before its transform
    shape: ColliderShape


class Collider(_Collider, total=False):
    # placement in the world: scale, then rotate, then translate
    transform: Transform
    # how it moves, relative to the start, as pins do; scales are above 0
    motion: Motion
    # what it has of its own; the rest is as in `contact` of the scene
    contact: ColliderContact
    # red, green and blue (sRGB); by default grey
    color: Vector


class _Grid(TypedDict):
    # between nodes; about the mean edge of the meshes [m]
    spacing: float


class Grid(_Grid, total=False):
    # what nodes inside colliders do. slip: they may leave, and move along them; sticky: they move with them
    colliders: Literal["slip", "sticky"]
    # share of the spacing that a vertex moves at most at once; a step in which it would move further is taken in
    # parts
    cfl: float


class _SolverAccelerator(TypedDict):
    # the accelerator
    type: Literal["none", "chebyshev", "sor", "anderson"]


class SolverAccelerator(_SolverAccelerator, total=False):
    # convergence rate of a plain sweep, 0.75 (soft) to 0.95 (stiff); 0: estimate it in every step
    rho: float
    # factor of each sweep's change; above 1 only for sweeps that fall short: 1.7 for PBNG, 1 for vbd
    gamma: float
    # plain sweeps before acceleration sets in, if rho is given: 1 as in VBD, 2 as in PBNG, 10 as in Wang 2015
    delay: int
    # factor of the changes; 1: plain sweeps, above 1: over-relaxed. For a sweep of rate t richardson is fastest at
    # 2/(1 + sqrt(1 - t^2)): 1.4 for 0.9, 1.75 for 0.99; PBNG uses 1.7. The default is no loss under any solver that
    # converges; with fp_pxpbd, whose sweeps turn, richardson diverges from 1.3 on, sweep does not up to 1.5
    omega: float
    # richardson: multiply the change since the last but one iterate, faster in the end and slower at first; sweep:
    # multiply the change of the sweep
    form: Literal["richardson", "sweep"]
    # number of iterates that are combined
    window: int
    # both: positions and, if the solver has them, multipliers; multipliers: those alone, for soft bodies and short
    # steps; positions: those alone, which makes bodies too stiff under xpbd
    on: Literal["both", "multipliers", "positions"]


class Solver(TypedDict, total=False):
    """The method, its options and its accelerator."""

    # the method; see `sinew solvers`
    type: Literal[
        "multilevel", "vbd", "xpbd", "fp_pxpbd", "pbng", "block_jacobi", "gradient_descent", "newton",
        "quasi_newton", "b_pxpbd", "pbd", "xpbd_qs", "xpbd_root", "xpbd_primary"
    ]
    # acceleration of the iteration: a name, or an object with options
    accelerator: Union[Literal["none", "chebyshev", "sor", "anderson"], SolverAccelerator]
    # maximum number of vertices in a piece of the mesh that one thread sweeps at a time; 0: the fastest choice, one
    # piece below 60000 vertices and many small ones above. Iterates depend slightly on it, as on any order of the
    # vertices; the solution does not
    cluster_vertices: int
    # maximum number of iterations in a step; the exact number if no tolerance is given
    iterations: int
    # end the step when the residual, the 2-norm of the unbalanced forces, is at most this; 0: do not test [N]
    tolerance: float
    # end the step when the residual is at most this times that of the initial guess, or at round-off; 0: do not
    # test. Defaults to 0 if iterations or tolerance is given
    relative_tolerance: float
    # iterations between tests of the residual; a test costs about as much as five sweeps
    check_every: int
    # end the step after this much solver time; results then depend on the machine; 0: no limit [ms]
    time_budget: float
    # floating-point precision of the sweeps. auto: single; double where the elastic forces of stiff bodies, or of
    # bodies far from the origin, would be rounded by more than 0.3 times weight and loads, or 0.001 times where
    # friction sticks
    precision: Union[Literal["auto", "single", "double"], Literal["double"]]
    # start of each step: previous positions, inertia (x + h v), target (inertia and external forces) or adaptive
    initial_guess: Literal["previous", "inertia", "target", "adaptive"]
    # where to compute: cpu, cuda (an NVIDIA card; see docs/gpu.md), or emulated: the kernels of the card on the
    # CPU, slowly, to try them without one
    device: Literal["cpu", "cuda", "emulated"]
    # edge of the lattice's cubes, in mean distances of vertices; a finer lattice costs more and mostly corrects
    # what sweeps resolve anyway
    spacing: float
    # sweeps by vertex in each iteration, before the correction
    sweeps: int
    # maximum number of V-cycles in each correction; fewer if the last one achieved little
    cycles: int
    # over-relaxation of each vertex's step on corrected bodies; 0: chosen by the material: 1 (none) for scenes with
    # StVK or muscle fibres, whose energy over-relaxed steps can raise, 1.3 for others
    omega: float
    # Anderson's mixing of the last three iterations
    mix: bool
    # auto: correct bodies on which sweeps alone would be slow, judged by stiffness, density, mesh and time step;
    # always: correct all bodies. In quasistatics all are corrected
    corrections: Literal["auto", "always"]
    # the stiffness that a vertex's step divides by: exact, that of vbd; stiffer, that of pbng
    blocks: Literal["exact", "stiffer"]
    # gauss_seidel: each vertex uses the new positions of those before it; jacobi: all use the old positions and
    # take 0.4 omega of their steps, as a smoother only, so that soft bodies are corrected too
    order: Union[Literal["gauss_seidel", "jacobi"], Literal["colors", "cliques", "jacobi"]]
    # order within a sweep, which is one of colours: forward, backward, symmetric (forward and backward in turn, a
    # sweep each) or random (drawn anew for each sweep, the same in every run)
    sweep_order: Literal["forward", "backward", "symmetric", "random"]
    # of quadratic tets: a multiplier each for the pressure of nearly incompressible material, without which sweeps
    # slow down towards a Poisson ratio of 1/2; the solution is the same
    multipliers: bool
    # auto: link strips for undamped Neo-Hookean, packed where the mesh is large and the precision single, and rest
    # frames for the rest; to compare them: frames: rest frames for all; links, packed: strips in full or packed
    # where there are strips
    layout: Literal["auto", "frames", "links", "packed"]
    # single-precision SIMD lanes of the sweeps: 1, 4, 8 or 16; 0: as set for the program, by default as many as the
    # processor has. On a graphics card: the threads that share a vertex, a power of two; 0: as many as its number
    # of vertices wants
    lanes: int
    # shorten a vertex's step until its local energy does not grow; slower, but the energy never increases
    line_search: bool
    # vertices of one colour that share a contact: none: see each other's old positions; incremental: take turns, as
    # if they had colours of their own; across clusters of a large mesh always as with none
    recolor: Literal["none", "incremental"]
    # for order = cliques: number of groups of colours; 1 equals jacobi, the number of colours equals colors
    groups: int
    # for order = cliques and jacobi: factor of each change, so that the changes at a vertex do not add up to too
    # much; 0: 2 over the largest number of tets at a vertex in a group, at most 1
    jacobi_scale: float
    # Newton iterations in each visit to a tet; more than 1 if the first iterations of large steps overshoot
    local_iterations: int
    # quasistatics: length of a pseudo-step; the result does not depend on it. 0: from the model, 3 over the mean
    # angular frequency of a tet between fixed neighbours [s]
    pseudo_step: float
    # share of the decrease predicted by the slope that a step must reach
    armijo: float
    # maximum number of halvings of a step
    max_halvings: int
    # exact_first: the exact stiffness where it is positive definite, else the projected one; projected: always the
    # projected one, with linear convergence in compressed bodies
    hessian: Literal["exact_first", "projected"]
    # in the first iteration of a step, extend the motion of held vertices into the body by a linear solve
    carry_motion: bool
    # cholesky: linear systems by sparse factorization; cg: by conjugate gradients, in parallel and with less
    # memory, where exact stiffness gives way to the projected one once they meet negative curvature
    linear: Literal["cholesky", "cg"]
    # under linear = cg: maximum number of CG iterations in a linear solve; 0: until cg_tolerance. A few, with
    # line_search = false, give the limited Newton method that PBNG is compared with
    cg_iterations: int
    # under linear = cg: relative residual at which a linear solve ends
    cg_tolerance: float
    # under linear = cg: blocks: precondition by the inverses of the 3x3 diagonal blocks; none: plain conjugate
    # gradients, for comparisons with papers that use them
    cg_preconditioner: Literal["blocks", "none"]
    # number of past changes that L-BFGS uses; 0: descent with the Laplacian alone
    history: int
    # stiffness of the Laplacian relative to 2 mu + lambda; smaller is faster for materials that soften in
    # compression, such as mu/(2 mu + lambda) = 0.29 at Poisson's ratio 0.3 for Neo-Hookean
    laplacian_weight: float
    # weight of XPBD's step: 1 is XPBD; less keeps the forces in balance but may be unstable; 0: for each tet the
    # smallest weight that is stable
    zeta: float
    # share of an isolated constraint that the iterations of a step, or of a pseudo-step, resolve
    stiffness: float
    # sweep springs and bindings before the tets in each iteration, not after them; the result depends on it
    flipped: bool


class Output(TypedDict, total=False):
    """What is written."""

    # write each n-th frame
    every: int
    # frames for ParaView, with a .pvd: all tetrahedra, only the triangles of surfaces, or none
    vtu: Literal["volume", "surface", "none"]
    # what these frames hold beside motion, strain and energy: Cauchy's stress (24 bytes a tetrahedron in single
    # precision), principal_stress (12), von_mises (4); the reaction at pinned vertices (12 bytes a vertex) and
    # which are pinned (4)
    fields: list[Literal["stress", "principal_stress", "von_mises", "reaction", "pinned"]]
    # write the contacts of each frame too, for ParaView: their points, normals, forces, gaps and what touches
    contacts: bool
    # for Blender, beside an OBJ of the rest surface
    surface_caches: list[Literal["pc2", "mdd"]]
    # steps between measurements of residual, energy and inverted elements for stats.csv, which has a row for every
    # step; 0: only the last step of each frame, which is always measured. A measurement costs about as much as five
    # sweeps
    statistics_every: int
    # frames between checkpoints; 0: only at the start and at the end
    checkpoint_every: int


class RenderCamera(TypedDict, total=False):
    """By default fitted to all frames."""

    # where the camera stands; by default so that all frames fit [m]
    eye: Vector
    # what it looks at; by default the middle of all frames [m]
    target: Vector
    # the view direction where eye is not given, of any length but 0
    direction: Vector
    # vertical angle of view [deg]
    vertical_fov_degrees: float
    # what a fitted camera turns about the up axis from the first frame to the last [deg]
    orbit_degrees: float
    # whether a fitted camera goes along with what moves; auto: with what travels far
    follow: Literal["auto", "always", "never"]


class Render(TypedDict, total=False):
    """Pictures and film."""

    # of the pictures, which have at most 4096 x 4096 pixels and sides in a ratio below 20 [px]
    width: int
    # of the pictures [px]
    height: int
    # paths per pixel
    samples: int
    # what colours stand for
    color_by: Literal["object", "material", "strain", "von_mises", "displacement", "residual"]
    # smooth shading; false: flat; default: skins are smooth, meshes flat
    smooth: bool
    # show the edges of the surface
    wireframe: bool
    # show the forces of contacts as arrows, on the first of the two; needs `output.contacts`
    contacts: bool
    # show a ground under the lowest point
    ground: bool
    # of the ground; squares have a round length, which the picture states
    ground_pattern: Literal["squares", "plain"]
    # by default fitted to all frames
    camera: RenderCamera


class _Scene(TypedDict):
    # version of the format
    sinew: int
    # by name; vertices are numbered in this order
    objects: dict[str, Object]


class Scene(_Scene, total=False):
    """Lengths in metres, masses in kilograms, times in seconds, angles in degrees."""

    # by default the name of the file
    name: str
    # the axis that points up in pictures and for importers
    up: Literal["y", "z"]
    # acceleration of everything [m/s^2]
    gravity: Vector
    # strain_rate: viscous stress by the rate of strain in each element, which exerts no force on a translation and
    # never feeds energy in; own_block: each vertex by its own stiffness, as in the paper on VBD, which drags rigid
    # motion. Springs are damped by the rate of strain
    damping_form: Literal["strain_rate", "own_block"]
    # integrator and clock
    time: Time
    # by name; required except for chains and grids
    materials: dict[str, Material]
    # vertices that are held or moved. Where pins share vertices, the last in this list wins; when it is released,
    # the one before it takes over, at the place that its own motion prescribes. Pins with `free` hold vertices in
    # some directions, and add up: three planes hold a corner
    pins: list[Pin]
    # forces beside gravity
    loads: list[Load]
    # by name: vertices whose mean position stats.csv, comparisons and experiments report
    probes: dict[str, Probe]
    # surfaces that are held together by springs of length 0
    bindings: list[Binding]
    # bodies touch each other, themselves and colliders; {} has the defaults. Auto: as {} in scenes with colliders,
    # else none. None: all pass through each other
    contact: Union[Literal["auto", "none"], Contact]
    # by name: what bodies touch and no force moves; no object has the same name
    colliders: dict[str, Collider]
    # a background grid in which objects are embedded: its nodes are unknowns in place of their vertices, and bodies
    # touch each other by sharing them
    grid: Union[Literal["none"], Grid]
    # the method, its options and its accelerator
    solver: Solver
    # what is written
    output: Output
    # pictures and film
    render: Render
