// The description of the meshes of a scene, part of describe.h.
#pragma once

#include "scene/describe_keys.h"
#include "sinew/scene.h"

namespace sinew {

template <class Visitor>
void describe(Visitor& v, MeshChain& chain) {
  v.whole({.name = "links", .meaning = "number of springs; there is one more point", .unit = "-", .range = link_count},
          chain.links);
  v.number({.name = "spacing", .meaning = "length of a link at rest", .unit = "m", .range = positive}, chain.spacing);
  v.vector({.name = "origin", .meaning = "the first point, number 0", .unit = "m", .range = in_reach}, chain.origin);
  v.vector({.name = "direction", .meaning = "where the others lie, of any length but 0", .unit = "-"}, chain.direction);
  v.number({.name = "point_mass", .meaning = "mass of each point", .unit = "kg", .range = positive}, chain.point_mass);
  v.number({.name = "end_mass",
            .meaning = "mass of the last point; by default as the others",
            .unit = "kg",
            .range = positive},
           chain.end_mass);
  v.number(
      {.name = "stiffness", .meaning = "force per extension of each spring", .unit = "N/m", .range = spring_stiffness},
      chain.stiffness);
  v.number({.name = "far_stiffness",
            .meaning = "the same of the links from number links / 2, rounded down, on; by default as the others",
            .unit = "N/m",
            .range = spring_stiffness},
           chain.far_stiffness);
  v.number({.name = "damping",
            .meaning = "of the springs: the ratio of viscous force to stiffness times the rate of extension; 0: none",
            .unit = "s",
            .range = non_negative},
           chain.damping);
}

template <class Visitor>
void describe(Visitor& v, MeshGrid& grid) {
  const Range side{2, 10000};
  v.whole({.name = "columns", .meaning = "points along x", .unit = "-", .range = side}, grid.columns);
  v.whole({.name = "rows",
           .meaning = "points along y; point (i, j) has the number i + columns j",
           .unit = "-",
           .range = side},
          grid.rows);
  v.number({.name = "spacing", .meaning = "between neighbours at rest", .unit = "m", .range = positive}, grid.spacing);
  v.vector({.name = "origin", .meaning = "the lowest corner, point number 0", .unit = "m", .range = in_reach},
           grid.origin);
  v.number({.name = "mass", .meaning = "total mass of all points, in equal shares", .unit = "kg", .range = positive},
           grid.mass);
  v.number({.name = "stiffness",
            .meaning = "stiffness of the springs along the edges of the cells",
            .unit = "N/m",
            .range = spring_stiffness},
           grid.stiffness);
  v.number({.name = "shear_stiffness",
            .meaning = "stiffness of the springs along both diagonals of the cells; 0: none",
            .unit = "N/m",
            .range = {0, 1e18}},
           grid.shear_stiffness);
  v.number({.name = "damping",
            .meaning = "of the springs: the ratio of viscous force to stiffness times the rate of extension; 0: none",
            .unit = "s",
            .range = non_negative},
           grid.damping);
}

template <class Visitor>
void describe(Visitor& v, MeshRectangle& rectangle) {
  v.number({.name = "width", .meaning = "along x", .unit = "m", .range = positive}, rectangle.width);
  v.number({.name = "height", .meaning = "along y", .unit = "m", .range = positive}, rectangle.height);
  const Range cells{1, 10000};
  v.whole({.name = "cells_x", .meaning = "cells along x, of two triangles each", .unit = "-", .range = cells},
          rectangle.cells_x);
  v.whole({.name = "cells_y", .meaning = "cells along y", .unit = "-", .range = cells}, rectangle.cells_y);
  v.vector({.name = "origin", .meaning = "the lowest corner, vertex number 0", .unit = "m", .range = in_reach},
           rectangle.origin);
}

template <class Visitor>
void describe(Visitor& v, MeshArrays& mesh) {
  v.numbers({.name = "vertices",
             .meaning = "x, y and z of each, one after the other",
             .unit = "m",
             .range = in_reach,
             .required = true},
            mesh.vertices);
  v.indices({.name = "tets", .meaning = "four vertices of each, from 0, of positive volume"}, mesh.tets);
  v.indices({.name = "triangles", .meaning = "three vertices of each, counter-clockwise seen from +z"}, mesh.triangles);
  v.indices({.name = "edges", .meaning = "two vertices of each spring, which is at rest as it lies"}, mesh.edges);
  v.number({.name = "mass",
            .meaning = "of springs: total mass of all points, in equal shares",
            .unit = "kg",
            .range = positive},
           mesh.mass);
  v.number({.name = "stiffness", .meaning = "stiffness of each spring", .unit = "N/m", .range = spring_stiffness},
           mesh.stiffness);
  v.number({.name = "damping",
            .meaning = "of the springs: the ratio of viscous force to stiffness times the rate of extension; 0: none",
            .unit = "s",
            .range = non_negative},
           mesh.damping);
}

template <class Visitor>
void describe(Visitor& v, MesherSettings& s) {
  v.number({.name = "cell", .meaning = "size of a cell, about the length of an edge", .unit = "m", .range = positive},
           s.cell);
  v.number({.name = "cells",
            .meaning = "cells along the longest side; default, if none of the three is given: 30",
            .unit = "-",
            .range = positive},
           s.cells);
  v.number({.name = "tets", .meaning = "approximate number of tets", .unit = "-", .range = positive}, s.tets);
  v.whole({.name = "smoothing",
           .meaning = "smoothing passes, which never worsen the worst angle",
           .unit = "-",
           .range = {0, 1000}},
          s.smoothing);
  v.toggle(
      {.name = "fit", .meaning = "boundary vertices move so that the faces between them lie closer to the surface"},
      s.fit);
  v.whole({.name = "coarsest",
           .meaning = "inner tets may grow to 2^coarsest times the size of those at the surface",
           .unit = "-",
           .range = {0, 3}},
          s.coarsest);
  v.toggle({.name = "sharp_edges", .meaning = "move vertices onto sharp edges and corners of surfaces"}, s.sharp_edges);
  v.toggle({.name = "thin_pieces",
            .meaning = "keep loose pieces thinner than two cells, the remains of parts too thin for the cells"},
           s.thin_pieces);
  choose(v, {.name = "mesher", .meaning = "the mesher: tetgen if that program is installed, for surfaces only"},
         s.mesher);
}

template <class Visitor>
void describe(Visitor& v, SceneMesh& mesh) {
  size_t form = mesh.index();
  v.alternatives(
      {{"file"},
       {"box"},
       {"beam"},
       {"ball"},
       {"chain"},
       {"grid"},
       {"rectangle"},
       {"triangles"},
       {"surface"},
       {"shape"},
       {"arrays"}},
      form, true, [&](size_t which) {
        const Key cells_split{.name = "split", .meaning = "tetrahedra per cell: 5 or 6", .unit = "-", .range = {5, 6}};
        switch (which) {
          case 0:
            v.text({.name = "file",
                    .meaning = "a mesh file, relative to the scene: .node/.ele, .mesh, .msh, .vtk, .vtu or .t",
                    .required = true},
                   hold<MeshFile>(mesh).path);
            break;
          case 1:
            v.object({.name = "box", .meaning = "a box of cells"}, [&] {
              MeshBox& box = hold<MeshBox>(mesh);
              v.vector({.name = "size", .meaning = "edge lengths", .unit = "m", .range = positive, .uniform = true},
                       box.size);
              v.cells({.name = "cells",
                       .meaning = "cells along x, y and z",
                       .unit = "-",
                       .range = {1, 2000},
                       .uniform = true},
                      box.cells);
              v.vector({.name = "origin", .meaning = "the lowest corner", .unit = "m", .range = in_reach}, box.origin);
              v.whole(cells_split, box.split);
            });
            break;
          case 2:
            v.object({.name = "beam", .meaning = "a beam along x with one end at x = 0"}, [&] {
              MeshBeam& beam = hold<MeshBeam>(mesh);
              v.number({.name = "length", .meaning = "along x", .unit = "m", .range = positive}, beam.length);
              v.number({.name = "height", .meaning = "along y", .unit = "m", .range = positive}, beam.height);
              v.number({.name = "depth", .meaning = "along z", .unit = "m", .range = positive}, beam.depth);
              v.whole({.name = "cells_across",
                       .meaning = "cells along y and z; as many along x as make them nearly cubes",
                       .unit = "-",
                       .range = {1, 2000}},
                      beam.cells_across);
              v.whole(cells_split, beam.split);
            });
            break;
          case 4:
            v.object(
                {.name = "chain", .meaning = "points in a row, a spring from each to the next; one link: a pendulum"},
                [&] { describe(v, hold<MeshChain>(mesh)); });
            break;
          case 5:
            v.object(
                {.name = "grid", .meaning = "points in rows in the plane z = 0 with springs between them: a cloth"},
                [&] { describe(v, hold<MeshGrid>(mesh)); });
            break;
          case 6:
            v.object({.name = "rectangle",
                      .meaning = "triangles in a plane of constant z, in which they remain: two dimensions, plane "
                                 "strain, 1 m thick"},
                     [&] { describe(v, hold<MeshRectangle>(mesh)); });
            break;
          case 7:
            v.text({.name = "triangles",
                    .meaning = "a file of triangles in a plane of constant z, simulated like a rectangle: .obj, .ply, "
                               ".stl, .off, .mesh, .msh, .vtk or .vtu",
                    .required = true},
                   hold<MeshTriangles>(mesh).path);
            break;
          case 8:
            v.object({.name = "surface", .meaning = "a triangle surface, closed or broken, filled with tets"}, [&] {
              MeshSurface& surface = hold<MeshSurface>(mesh);
              v.text({.name = "file", .meaning = "its file: .obj, .ply, .stl or .off", .required = true}, surface.file);
              describe(v, surface.settings);
            });
            break;
          case 10:
            v.object({.name = "arrays",
                      .meaning = "a mesh given here: vertices, and tets, triangles in a plane of constant z, or edges, "
                                 "which become springs"},
                     [&] { describe(v, hold<MeshArrays>(mesh)); });
            break;
          case 9:
            v.object({.name = "shape", .meaning = "a solid defined by formulas, filled with tets"}, [&] {
              MeshShape& shape = hold<MeshShape>(mesh);
              v.shape({.name = "of", .meaning = "the shape (see Shapes)", .required = true}, shape.shape);
              describe(v, shape.settings);
            });
            break;
          default:
            v.object({.name = "ball", .meaning = "a ball of 20 shells^3 tetrahedra"}, [&] {
              MeshBall& ball = hold<MeshBall>(mesh);
              v.number({.name = "radius", .meaning = "radius", .unit = "m", .range = positive}, ball.radius);
              v.whole({.name = "shells",
                       .meaning = "layers of tetrahedra between centre and surface",
                       .unit = "-",
                       .range = {1, 475}},
                      ball.shells);
              v.vector({.name = "center", .meaning = "centre", .unit = "m", .range = in_reach}, ball.center);
            });
        }
      });
}

}  // namespace sinew
