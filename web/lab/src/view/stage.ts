// The picture: one canvas with a field for each lane, seen by one camera.
import {
  Box3,
  DirectionalLight,
  Fog,
  HemisphereLight,
  PerspectiveCamera,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
  type DataTexture,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { PlacedCollider, Vec3 } from '@sinew/engine';

import type { Triple } from '../state.ts';
import { mostHeld, type Frame, type LaneInfo } from '../worker/protocol.ts';
import { Body, type Coloring, type Sheet } from './body.ts';
import { colorTexture } from './colors.ts';
import { Surroundings } from './surroundings.ts';

/** Of the diagonal of an object's box: how far a hand reaches around its place. */
const handReach = 0.12;

interface Field {
  scene: Scene;
  body: Body;
  surroundings: Surroundings;
}

/** In the canvas, in pixels of the page, from its upper left corner. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** What a hand takes hold of: a place, and the vertices around it. */
export interface Hit {
  lane: number;
  position: Vector3;
  vertices: number[];
  /** Of each from the place. */
  offsets: number[];
  /** [kg] of the object; 0: of springs alone */
  mass: number;
}

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly camera = new PerspectiveCamera(40, 1, 0.01, 200);
  readonly controls: OrbitControls;
  readonly #renderer: WebGLRenderer;
  readonly #coloring: Coloring = { map: { value: null as unknown as DataTexture }, top: { value: 0 } };
  #fields: Field[] = [];
  #size = 1; // [m] of what is seen
  #wireframe = false;
  #dark = false;
  #dirty = true;
  readonly #fog = new Fog(0xffffff);
  onDrawn: () => void = () => undefined;
  onResize: () => void = () => undefined;
  /** The user has moved the camera. */
  onCamera: () => void = () => undefined;
  /** The picture is lost, or is there again. */
  onLost: () => void = () => undefined;

  /** Throws where the browser has no WebGL. */
  constructor(canvas: HTMLCanvasElement) {
    this.canvas = canvas;
    this.#renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: 'high-performance' });
    this.#renderer.setScissorTest(true);
    this.#coloring.map.value = colorTexture();
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = !matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.controls.addEventListener('change', () => {
      this.#dirty = true;
    });
    this.controls.addEventListener('end', () => this.onCamera());
    canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault();
      this.onLost();
    });
    canvas.addEventListener('webglcontextrestored', () => {
      // What three.js forgets with the old context.
      this.#renderer.setScissorTest(true);
      this.#setBackground();
      this.#dirty = true;
      this.onLost();
    });
    new ResizeObserver(() => this.#resize()).observe(canvas);
    this.#resize();
    this.#renderer.setAnimationLoop(() => this.#draw());
  }

  load(lanes: LaneInfo[], colliders: PlacedCollider[], sheet: Sheet | null, colors: Map<string, [number, number, number]>): void {
    this.#clear();
    this.#fields = lanes.map((info) => {
      const scene = new Scene();
      scene.fog = this.#fog; // in which far grounds end
      const sun = new DirectionalLight(0xffffff, 2.2);
      sun.position.set(2, 5, 3);
      scene.add(sun, new HemisphereLight(0xffffff, 0x8a8f88, 1.5));
      const body = new Body(info, this.#coloring, sheet, colors);
      body.show(this.#wireframe);
      const surroundings = new Surroundings();
      surroundings.setColors(this.#dark);
      surroundings.setColliders(colliders);
      scene.add(body.group, surroundings.group);
      return { scene, body, surroundings };
    });
    this.#size = sizeOf(lanes[0]?.rest ?? new Float64Array());
    this.#dirty = true;
  }

  update(frame: Frame): void {
    frame.lanes.forEach((lane, k) => {
      const field = this.#fields[k];
      if (!field) return;
      field.body.update(lane);
      if (frame.colliders) field.surroundings.setColliders(frame.colliders);
      field.surroundings.setContacts(lane.contacts, 0.25 * this.#size);
    });
    this.#dirty = true;
  }

  /** top: the value at the end of the scale; 0: bodies have their own colours. */
  setScale(top: number): void {
    if (this.#coloring.top.value !== top) this.#dirty = true;
    this.#coloring.top.value = top;
  }
  setWireframe(on: boolean): void {
    this.#wireframe = on;
    for (const { body } of this.#fields) body.show(on);
    this.#dirty = true;
  }
  setTheme(dark: boolean, colliders: PlacedCollider[]): void {
    this.#dark = dark;
    this.#setBackground();
    for (const { surroundings } of this.#fields) {
      surroundings.setColors(dark);
      surroundings.setColliders(colliders);
    }
    this.#dirty = true;
  }

  #setBackground(): void {
    const background = this.#dark ? 0x12181b : 0xf1f4f4;
    this.#renderer.setClearColor(background);
    this.#fog.color.setHex(background);
  }

  look(position: Triple, target: Triple): void {
    this.camera.position.set(...position);
    this.controls.target.set(...target);
    this.controls.update();
    this.#dirty = true;
  }
  /** So that all points of these lists are seen. */
  lookAtAll(lists: ArrayLike<number>[]): void {
    const { middle, radius } = boundsOf(lists);
    const away = radius / Math.sin((this.camera.fov * Math.PI) / 360);
    const to = new Vector3(0.5, 0.4, 1).normalize().multiplyScalar(1.25 * away);
    this.look([middle[0] + to.x, middle[1] + to.y, middle[2] + to.z], middle);
  }
  /** The middle of these points is out of view. */
  isLookingAway(points: ArrayLike<number>): boolean {
    const at = this.project(0, boundsOf([points]).middle);
    const box = this.boxes()[0];
    return !at || !box || !(at.x > box.left && at.x < box.left + box.width && at.y > box.top && at.y < box.top + box.height);
  }

  /** Where each lane is drawn: side by side, or in two rows where that shows more. */
  boxes(): Box[] {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const count = this.#fields.length;
    const columns = count < 2 ? 1 : count === 2 ? (width >= height ? 2 : 1) : count === 3 ? (width > 1.6 * height ? 3 : height > 1.6 * width ? 1 : 2) : 2;
    const rows = Math.ceil(count / columns);
    return this.#fields.map((_, k) => ({
      left: ((k % columns) * width) / columns,
      top: (Math.floor(k / columns) * height) / rows,
      width: width / columns,
      height: height / rows,
    }));
  }

  /** What the pointer is on; `reach` [px]: how near a point of a spring has to be. */
  hit(x: number, y: number, reach = 22): Hit | null {
    const lane = this.laneAt(x, y);
    const field = this.#fields[lane];
    if (!field) return null;
    const ray = this.#ray(lane, x, y);
    const { mesh, geometry } = field.body;
    geometry.boundingSphere = null; // of the positions of now
    const found = ray.intersectObject(mesh, false)[0];
    if (found?.face) {
      const { a, b, c } = found.face;
      const solid = this.#solidPoints(lane);
      if (a < solid && b < solid && c < solid) return this.#handful(lane, a, found.point.clone());
    }
    // Springs have no surface: the nearest of their points on the screen; of any body, if it may be far.
    const box = this.boxes()[lane];
    const anything = reach === Infinity;
    if (!box || (this.#edges(lane) === 0 && !anything)) return null;
    this.#aim(box);
    const points = field.body.points;
    const projected = new Vector3();
    let best = -1;
    let least = reach;
    const first = anything || field.body.isSpringsOnly ? 0 : this.#solidPoints(lane);
    for (let p = first; p < points.length / 3; ++p) {
      projected.fromArray(points, 3 * p).project(this.camera);
      const dx = box.left + ((projected.x + 1) / 2) * box.width - x;
      const dy = box.top + ((1 - projected.y) / 2) * box.height - y;
      const distance = Math.hypot(dx, dy);
      if (distance < least && Math.abs(projected.z) < 1) {
        least = distance;
        best = p;
      }
    }
    if (best < 0) return null;
    const place = new Vector3().fromArray(points, 3 * best);
    if (best < this.#solidPoints(lane)) return this.#handful(lane, best, place);
    return { lane, position: place, vertices: [this.#vertices(lane)[best] ?? 0], offsets: [0, 0, 0], mass: 0 };
  }

  /** The points of an object that are near a place: a single one would be drawn out of a soft body. */
  #handful(lane: number, point: number, place: Vector3): Hit {
    const info = this.#infos[lane];
    const points = this.#fields[lane]?.body.points ?? new Float32Array();
    const number = info?.mesh.objects.findIndex((o) => point >= o.firstPoint && point < o.firstPoint + o.pointCount) ?? 0;
    const object = info?.mesh.objects[number];
    const [first, last] = object ? [object.firstPoint, object.firstPoint + object.pointCount] : [0, 0];
    const at = (p: number): Vector3 => new Vector3().fromArray(points, 3 * p);
    const reach = handReach * new Box3().setFromArray(points.subarray(3 * first, 3 * last)).getSize(new Vector3()).length();
    const near = Array.from({ length: last - first }, (_, k) => ({ p: first + k, distance: at(first + k).distanceTo(place) }))
      .sort((u, v) => u.distance - v.distance)
      .slice(0, mostHeld)
      .filter(({ distance }, k) => k === 0 || distance < reach);
    return {
      lane,
      position: place,
      vertices: near.map(({ p }) => this.#vertices(lane)[p] ?? 0),
      offsets: near.flatMap(({ p }) => at(p).sub(place).toArray()),
      mass: info?.objectMasses[number] ?? 0,
    };
  }

  /** The point under the pointer on the plane through `through` that faces the camera. */
  onPlane(lane: number, x: number, y: number, through: Vector3): Vector3 {
    const { ray } = this.#ray(lane, x, y);
    const facing = this.camera.getWorldDirection(new Vector3());
    const along = facing.dot(ray.direction);
    const t = along > 1e-6 ? through.clone().sub(ray.origin).dot(facing) / along : 0;
    return ray.at(t, new Vector3());
  }

  laneAt(x: number, y: number): number {
    return this.boxes().findIndex((b) => x >= b.left && x < b.left + b.width && y >= b.top && y < b.top + b.height);
  }

  /** Where a point of a lane is seen, in pixels of the canvas. */
  project(lane: number, point: Vec3): { x: number; y: number } | null {
    const box = this.boxes()[lane];
    if (!box) return null;
    this.#aim(box);
    const place = new Vector3(...point).project(this.camera);
    return { x: box.left + ((place.x + 1) / 2) * box.width, y: box.top + ((1 - place.y) / 2) * box.height };
  }

  /** A PNG of what is seen. */
  async picture(): Promise<Blob | null> {
    this.#dirty = true;
    this.#draw();
    return new Promise((resolve) => this.canvas.toBlob(resolve, 'image/png'));
  }

  /** The graphics card has taken its memory back. */
  get isLost(): boolean {
    return this.#renderer.getContext().isContextLost();
  }

  get memory(): { geometries: number; textures: number } {
    return { ...this.#renderer.info.memory };
  }

  #infos: LaneInfo[] = [];
  setInfos(infos: LaneInfo[]): void {
    this.#infos = infos;
  }
  #vertices(lane: number): Int32Array {
    return this.#infos[lane]?.mesh.vertices ?? new Int32Array();
  }
  #edges(lane: number): number {
    return this.#infos[lane]?.mesh.edges.length ?? 0;
  }
  /** How many points, from the first, are of bodies with a surface: objects of springs may lie behind them. */
  #solidPoints(lane: number): number {
    let last = 0;
    for (const o of this.#infos[lane]?.mesh.objects ?? []) if (o.triangleCount > 0) last = Math.max(last, o.firstPoint + o.pointCount);
    return last;
  }

  #ray(lane: number, x: number, y: number): Raycaster {
    const box = this.boxes()[lane] ?? { left: 0, top: 0, width: 1, height: 1 };
    this.#aim(box);
    const caster = new Raycaster();
    const at = new Vector2((2 * (x - box.left)) / box.width - 1, 1 - (2 * (y - box.top)) / box.height);
    caster.setFromCamera(at, this.camera);
    return caster;
  }
  #aim(box: Box): void {
    this.camera.aspect = box.width / Math.max(1, box.height);
    // A narrow field shows as much across as a square one.
    this.camera.zoom = Math.min(1, this.camera.aspect);
    // Near and far by what is looked at: the depth buffer has few bits.
    const away = this.camera.position.distanceTo(this.controls.target);
    this.camera.near = 0.02 * away;
    this.camera.far = 40 * away;
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this.canvas;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.#renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.#renderer.setSize(clientWidth, clientHeight, false);
    this.#dirty = true;
    this.onResize();
  }

  #draw(): void {
    this.controls.update();
    if (!this.#dirty || document.hidden) return;
    this.#dirty = false;
    const height = this.canvas.clientHeight;
    const away = this.camera.position.distanceTo(this.controls.target);
    this.#fog.near = 1.6 * away;
    this.#fog.far = 4.5 * away;
    this.boxes().forEach((box, k) => {
      const field = this.#fields[k];
      if (!field) return;
      this.#aim(box);
      this.#renderer.setViewport(box.left, height - box.top - box.height, box.width, box.height);
      this.#renderer.setScissor(box.left, height - box.top - box.height, box.width, box.height);
      this.#renderer.render(field.scene, this.camera);
    });
    this.onDrawn();
  }

  #clear(): void {
    for (const { body, surroundings } of this.#fields) {
      body.dispose();
      surroundings.dispose();
    }
    this.#fields = [];
  }
}

function boundsOf(lists: ArrayLike<number>[]): { middle: Triple; radius: number } {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const xyz of lists) {
    for (let k = 0; k < xyz.length; ++k) {
      const c = k % 3;
      low[c] = Math.min(low[c] ?? 0, xyz[k] ?? 0);
      high[c] = Math.max(high[c] ?? 0, xyz[k] ?? 0);
    }
  }
  const mid = (c: number): number => ((low[c] ?? 0) + (high[c] ?? 0)) / 2;
  const radius = Math.hypot(...[0, 1, 2].map((c) => (high[c] ?? 0) - (low[c] ?? 0))) / 2;
  if (!Number.isFinite(radius)) return { middle: [0, 0, 0], radius: 1 };
  return { middle: [mid(0), mid(1), mid(2)], radius: Math.max(radius, 1e-6) };
}
function sizeOf(rest: Float64Array): number {
  return boundsOf([rest]).radius;
}
