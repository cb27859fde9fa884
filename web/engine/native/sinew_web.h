// The engine as JavaScript calls it: C functions that take numbers and addresses, and throw nothing.
//
// Handles are whole numbers above 0. A function that returns `int` returns 0 where it failed; sinew_error() then has
// the place, the fault and the remedy. What a function gives back beside that lies at sinew_result():
// sinew_result_count() numbers or bytes. Positions, elements and the like have memory of their own, which stays until
// the same function is called again, the objects of the simulation change or the simulation is disposed of. All else
// stays until the next call. Text is UTF-8, given by address and length.
#pragma once

#include <cstdint>

#define SINEW_WEB_API extern "C" __attribute__((used, visibility("default")))

// Memory for arguments; null: there is none left.
SINEW_WEB_API void* sinew_allocate(uint32_t bytes);
SINEW_WEB_API void sinew_free(void* memory);
// part 0: where, 1: what, 2: the remedy. Ends with a zero.
SINEW_WEB_API const char* sinew_error(int part);
SINEW_WEB_API const void* sinew_result();
SINEW_WEB_API int32_t sinew_result_count();

// The engine. `threads`: how many this module can have in all; `maximum`: bytes its memory can grow to.
SINEW_WEB_API int sinew_start(int threads, double maximum);
SINEW_WEB_API int sinew_description();    // JSON: version, commit, lanes, lists
SINEW_WEB_API int sinew_schema();         // JSON
SINEW_WEB_API int sinew_report_fields();  // text: the names of the numbers of a step report, one a line
SINEW_WEB_API double sinew_memory_in_use();

// Files for the next create, resume, resolve, or for a simulation's later objects: room for the bytes of one.
SINEW_WEB_API void* sinew_file(const char* name, int32_t length, uint32_t bytes);
SINEW_WEB_API int sinew_add_files(int simulation);
// `overrides`: a JSON list of "path=value". Returns a handle.
SINEW_WEB_API int sinew_create(const char* scene, int32_t length, const char* name, int32_t name_length,
                               const char* overrides, int32_t overrides_length, int threads);
SINEW_WEB_API int sinew_resume(const char* checkpoint, int32_t length, int threads);
SINEW_WEB_API int sinew_resolve(const char* scene, int32_t length, const char* name, int32_t name_length,
                                const char* overrides, int32_t overrides_length);  // JSON
SINEW_WEB_API int sinew_dispose(int simulation);
SINEW_WEB_API int sinew_threads(int simulation);

// Steps. The result: the numbers of sinew_report_fields() of each step.
SINEW_WEB_API int sinew_step(int simulation);
SINEW_WEB_API int sinew_advance_frame(int simulation);
// 0: nothing is evaluated, 1: the end of each step, 2: each iteration.
SINEW_WEB_API int sinew_observe(int simulation, int wants);
// Of the last call that took steps: step, iteration, milliseconds, residual, energy of each iteration.
SINEW_WEB_API int sinew_curve(int simulation);
// time, steps, frames, frames of the scene, steps a frame, step size, vertices, elements
SINEW_WEB_API int sinew_counts(int simulation);

// Reading: 0 positions, 1 velocities, as float.
SINEW_WEB_API int sinew_vertices(int simulation, int what);
// 0 positions, 1 velocities, 2 rest positions, 3 masses, 4 reactions, as double.
SINEW_WEB_API int sinew_vertices64(int simulation, int what);
SINEW_WEB_API int sinew_tets(int simulation);                    // int32, four each
SINEW_WEB_API int sinew_middles(int simulation);                 // int32, six each; none where no tet is quadratic
SINEW_WEB_API int sinew_elements(int simulation, int quantity);  // double, as ElementQuantity
SINEW_WEB_API int sinew_energies(int simulation);                // as Energies
SINEW_WEB_API int sinew_evaluate(int simulation);                // the evaluation's part of a report
SINEW_WEB_API int sinew_contacts(int simulation);                // 12 numbers each
SINEW_WEB_API int sinew_probes(int simulation);                  // JSON
SINEW_WEB_API int sinew_objects(int simulation);                 // JSON
SINEW_WEB_API int sinew_warnings(int simulation);                // JSON
SINEW_WEB_API int sinew_hash(int simulation);                    // 16 hex digits
// What is drawn, anew from the present state. The result: int32 numbers, the addresses and lengths of points, normals,
// triangles, edges and vertices, then the revision.
SINEW_WEB_API int sinew_surface(int simulation);
SINEW_WEB_API int sinew_surface_objects(
    int simulation);  // int32: first triangle, triangles, first point, points of each
SINEW_WEB_API int sinew_surface_quantity(int simulation, int quantity);  // float, one a point
SINEW_WEB_API int sinew_skin_points(int simulation, int object);         // float
SINEW_WEB_API int sinew_skin_triangles(int simulation, int object);      // int32
// The result: nothing, or object, three vertices, three weights, position, distance.
SINEW_WEB_API int sinew_cast_ray(int simulation, double ox, double oy, double oz, double dx, double dy, double dz);
SINEW_WEB_API int sinew_nearest_point(int simulation, double x, double y, double z);

// Changes. A surface point: its three vertices and weights. What is added returns its number + 1.
SINEW_WEB_API int sinew_add_grab(int simulation, const double* point, double stiffness, double damping);
SINEW_WEB_API int sinew_add_vertex_grab(int simulation, int32_t vertex, double stiffness, double damping);
SINEW_WEB_API int sinew_move_grab(int simulation, int32_t grab, double x, double y, double z, double vx, double vy,
                                  double vz);
SINEW_WEB_API int sinew_remove_grab(int simulation, int32_t grab);
SINEW_WEB_API int sinew_grab_force(int simulation, int32_t grab);
SINEW_WEB_API int sinew_add_pin(int simulation, const int32_t* vertices, int32_t count);
// A pose: translate, axis, degrees, scale, and the centre or NaN.
SINEW_WEB_API int sinew_pose_pin(int simulation, int32_t pin, const double* pose);
SINEW_WEB_API int sinew_place_pin(int simulation, int32_t pin, const double* places, int32_t count);
SINEW_WEB_API int sinew_remove_pin(int simulation, int32_t pin);
SINEW_WEB_API int sinew_add_force(int simulation, const int32_t* vertices, int32_t count, double x, double y, double z);
SINEW_WEB_API int sinew_add_point_force(int simulation, const double* point, double x, double y, double z);
SINEW_WEB_API int sinew_set_force(int simulation, int32_t force, double x, double y, double z);
SINEW_WEB_API int sinew_move_force(int simulation, int32_t force, const double* point);
SINEW_WEB_API int sinew_remove_force(int simulation, int32_t force);
SINEW_WEB_API int sinew_set_gravity(int simulation, double x, double y, double z);
SINEW_WEB_API int sinew_set_velocities(int simulation, const double* velocities, int32_t count);
SINEW_WEB_API int sinew_set_state(int simulation, const double* positions, const double* velocities, int32_t count);
SINEW_WEB_API int sinew_set_activation(int simulation, const char* object, int32_t length, double activation);
SINEW_WEB_API int sinew_set(int simulation, const char* path, int32_t length, const char* value, int32_t value_length);
SINEW_WEB_API int sinew_switch_object(int simulation, const char* name, int32_t length, int on);
SINEW_WEB_API int sinew_add_object(int simulation, const char* name, int32_t length, const char* json,
                                   int32_t json_length);
SINEW_WEB_API int sinew_remove_object(int simulation, const char* name, int32_t length);
SINEW_WEB_API int sinew_colliders(int simulation);                   // JSON
SINEW_WEB_API int sinew_collider(int simulation, int32_t collider);  // JSON
// arrival: NaN: within the next step.
SINEW_WEB_API int sinew_pose_collider(int simulation, int32_t collider, const double* pose, double arrival);
SINEW_WEB_API int sinew_drive_collider(int simulation, int32_t collider, const char* motion, int32_t length);
SINEW_WEB_API int sinew_add_collider(int simulation, const char* name, int32_t length, const char* json,
                                     int32_t json_length);
SINEW_WEB_API int sinew_remove_collider(int simulation, int32_t collider);

// States.
SINEW_WEB_API int sinew_save(int simulation);  // returns a snapshot's number
SINEW_WEB_API int sinew_restore(int simulation, int snapshot);
SINEW_WEB_API int sinew_forget(int simulation, int snapshot);
SINEW_WEB_API int sinew_checkpoint(int simulation);  // bytes
SINEW_WEB_API int sinew_changes(int simulation);     // JSON
SINEW_WEB_API int sinew_replay(int simulation, const char* log, int32_t length);
SINEW_WEB_API int sinew_keep_changes(int simulation, int keep);
