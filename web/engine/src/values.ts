// What the engine takes and gives, beside scenes.

export type Vec3 = [number, number, number];
/** x, y, z of each. */
export type Coordinates = ArrayLike<number>;

/** A name for something that was added; stale once that was removed. */
export type Grab = number & { readonly of?: 'grab' };
export type Pin = number & { readonly of?: 'pin' };
export type Force = number & { readonly of?: 'force' };
export type Collider = number & { readonly of?: 'collider' };

/** A point of a surface: the sum of weights[j] x[vertices[j]]. */
export interface SurfacePoint {
  object: number;
  vertices: Vec3;
  weights: Vec3;
  position: Vec3;
  /** [m] from the ray's origin, or from the point that was asked about */
  distance: number;
}

export interface GrabOptions {
  /** [N/m] By default 1000/s^2 times the mass of the body. */
  stiffness?: number;
  /** [s] By default critical, so that the body does not swing. */
  damping?: number;
}

/** Where a pin holds its vertices, or where a collider is, relative to where they were. */
export interface Pose {
  translate?: Vec3;
  axis?: Vec3;
  rotateDegrees?: number;
  scale?: Vec3;
  /** By default that of the scene, or the mean of the vertices. */
  center?: Vec3;
}

export interface ObjectInfo {
  name: string;
  /** Its vertices: [firstVertex, lastVertex). */
  firstVertex: number;
  lastVertex: number;
  on: boolean;
  hasSkin: boolean;
}

export interface ColliderInfo {
  name: string;
  handle: Collider;
}

export interface PlacedCollider {
  /** [m] x, y, z of each */
  vertices: Float32Array;
  triangles: Uint32Array;
  /** Below them it is solid. */
  planes: { point: Vec3; normal: Vec3 }[];
}

export interface ContactPoint {
  /** [m] on the first */
  position: Vec3;
  /** from the second to the first */
  normal: Vec3;
  /** [N] on the first, friction included */
  force: Vec3;
  /** [m] negative: a depth */
  gap: number;
  /** Objects by their numbers, then colliders. */
  first: number;
  second: number;
}

export type SurfaceQuantity = 'strain' | 'von_mises' | 'det_f' | 'energy_density';
export type ElementQuantity =
  | 'det_f'
  | 'strain'
  | 'energy_density'
  | 'von_mises'
  | 'principal_stress'
  | 'stress';

/** By kind [J]. */
export interface Energies {
  kinetic: number;
  elastic: number;
  ties: number;
  gravity: number;
  loads: number;
  grabs: number;
  contact: number;
}

/** What is drawn. The arrays are views of the engine's memory: see Simulation. */
export interface Surface {
  /** [m] x, y, z of each point */
  points: Float32Array;
  normals: Float32Array;
  /** three points each, counter-clockwise from outside */
  triangles: Uint32Array;
  /** two points each, of springs */
  edges: Uint32Array;
  /** the vertex of each point */
  vertices: Int32Array;
  objects: SurfaceObject[];
  /** Changes when anything but points and normals does. */
  revision: number;
}
export interface SurfaceObject {
  name: string;
  firstTriangle: number;
  triangleCount: number;
  firstPoint: number;
  pointCount: number;
}

export interface Progress {
  stage: string;
  /** done of the whole, from 0 to 1 */
  share: number;
}

/** A state of one simulation with all that was changed live. */
export interface Snapshot {
  readonly number: number;
  /** Frees it now rather than when it is collected. */
  dispose(): void;
}
