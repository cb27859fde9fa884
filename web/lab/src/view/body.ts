// The bodies of one lane as three.js draws them. Positions go to the graphics card from the engine's memory; nothing is
// copied on the way where that memory is shared.
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  DynamicDrawUsage,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  Points,
  PointsMaterial,
  SRGBColorSpace,
  type DataTexture,
  type IUniform,
} from 'three';

import type { LaneFrame, LaneInfo } from '../worker/protocol.ts';
import { palette } from './colors.ts';

export interface Sheet {
  object: string;
  columns: number;
  rows: number;
}

/** Shared by all lanes: what colours stand for. */
export interface Coloring {
  map: IUniform<DataTexture>;
  /** Values from 0 to this are coloured; 0: bodies have their own colours. */
  top: IUniform<number>;
}

export class Body {
  readonly group = new Group();
  readonly geometry = new BufferGeometry();
  readonly mesh: Mesh;
  readonly #wires: Mesh;
  readonly #lines: LineSegments | null = null;
  readonly #dots: Points | null = null;
  readonly #isSheet: boolean;
  readonly #info: LaneInfo;

  constructor(info: LaneInfo, coloring: Coloring, sheet: Sheet | null, colors: Map<string, [number, number, number]>) {
    this.#info = info;
    const count = info.mesh.vertices.length;
    this.#isSheet = sheet !== null;
    const dynamic = (array: Float32Array, size: number): BufferAttribute => {
      const attribute = new BufferAttribute(array, size);
      attribute.setUsage(DynamicDrawUsage);
      return attribute;
    };
    this.geometry.setAttribute('position', dynamic(new Float32Array(3 * count), 3));
    this.geometry.setAttribute('normal', dynamic(new Float32Array(3 * count), 3));
    this.geometry.setAttribute('value', dynamic(new Float32Array(count), 1));
    this.geometry.setAttribute('color', new BufferAttribute(this.#colors(colors), 3));
    const triangles = sheet ? [...info.mesh.triangles, ...this.#trianglesOf(sheet)] : info.mesh.triangles;
    this.geometry.setIndex(new BufferAttribute(Uint32Array.from(triangles), 1));

    const material = new MeshStandardMaterial({ vertexColors: true, roughness: 0.62, side: DoubleSide });
    material.onBeforeCompile = (shader) => {
      shader.uniforms.valueMap = coloring.map;
      shader.uniforms.valueTop = coloring.top;
      shader.vertexShader = shader.vertexShader
        .replace('#include <common>', '#include <common>\nattribute float value;\nvarying float vValue;')
        .replace('#include <begin_vertex>', '#include <begin_vertex>\nvValue = value;');
      shader.fragmentShader = shader.fragmentShader
        .replace(
          '#include <common>',
          '#include <common>\nuniform sampler2D valueMap;\nuniform float valueTop;\nvarying float vValue;',
        )
        .replace(
          '#include <color_fragment>',
          `#include <color_fragment>
          if (valueTop > 0.0) diffuseColor.rgb = texture2D(valueMap, vec2(clamp(vValue / valueTop, 0.002, 0.998), 0.5)).rgb;`,
        );
    };
    this.mesh = new Mesh(this.geometry, material);
    this.#wires = new Mesh(
      this.geometry,
      new MeshBasicMaterial({ wireframe: true, color: 0x10181c, transparent: true, opacity: 0.35 }),
    );
    this.#wires.visible = false;
    this.group.add(this.mesh, this.#wires);
    if (info.mesh.edges.length > 0) {
      // Lines and points share the positions of the surface.
      const lines = new BufferGeometry();
      lines.setAttribute('position', this.geometry.getAttribute('position'));
      lines.setIndex(new BufferAttribute(info.mesh.edges, 1));
      this.#lines = new LineSegments(lines, new LineBasicMaterial({ color: 0x5f6f78 }));
      const dots = new BufferGeometry();
      dots.setAttribute('position', this.geometry.getAttribute('position'));
      const large = info.mesh.edges.length < 400;
      this.#dots = new Points(dots, new PointsMaterial({ color: 0xc05a2c, size: large ? 9 : 4, sizeAttenuation: false }));
      this.group.add(this.#lines, this.#dots);
    }
    // Bodies move all the time: whether they are in view is not worth finding out.
    for (const child of this.group.children) child.frustumCulled = false;
  }

  show(wireframe: boolean): void {
    this.#wires.visible = wireframe;
    if (this.#lines && this.#isSheet) this.#lines.visible = true;
  }

  update(frame: LaneFrame): void {
    this.#set('position', frame.points);
    if (this.#isSheet) {
      // The engine has no triangles there, and so no normals.
      this.geometry.computeVertexNormals();
    } else {
      this.#set('normal', frame.normals);
    }
    if (frame.values) this.#set('value', frame.values);
  }
  #set(name: string, array: Float32Array): void {
    const attribute = this.geometry.getAttribute(name) as BufferAttribute;
    if (array.length !== attribute.array.length) return; // of a scene before
    attribute.array = array;
    attribute.needsUpdate = true;
  }

  get points(): Float32Array {
    return (this.geometry.getAttribute('position') as BufferAttribute).array as Float32Array;
  }
  get isSpringsOnly(): boolean {
    return this.#info.mesh.triangles.length === 0;
  }

  #colors(colors: Map<string, [number, number, number]>): Float32Array {
    const array = new Float32Array(3 * this.#info.mesh.vertices.length);
    const color = new Color();
    for (const [k, object] of this.#info.mesh.objects.entries()) {
      color.setRGB(...(colors.get(object.name) ?? palette[k % palette.length] ?? [0.5, 0.5, 0.5]), SRGBColorSpace);
      for (let p = object.firstPoint; p < object.firstPoint + object.pointCount; ++p) color.toArray(array, 3 * p);
    }
    return array;
  }

  #trianglesOf({ object, columns, rows }: Sheet): number[] {
    const first = this.#info.mesh.objects.find(({ name }) => name === object)?.firstPoint ?? 0;
    const triangles: number[] = [];
    for (let j = 0; j + 1 < rows; ++j) {
      for (let i = 0; i + 1 < columns; ++i) {
        const a = first + i + columns * j;
        triangles.push(a, a + 1, a + columns, a + 1, a + columns + 1, a + columns);
      }
    }
    return triangles;
  }

  dispose(): void {
    for (const child of this.group.children as Mesh[]) {
      child.geometry.dispose();
      (child.material as MeshBasicMaterial).dispose();
    }
  }
}
