// Colliders, the ground and the contacts of a lane.
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DoubleSide,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshStandardMaterial,
  PlaneGeometry,
  Quaternion,
  Vector3,
  type Material,
} from 'three';
import type { PlacedCollider } from '@sinew/engine';

const extent = 24; // [m] of a plane, as it is drawn
const square = 0.25; // [m]

/** Planes of more than one collider are the walls of a room: of those only floors are drawn. */
export class Surroundings {
  readonly group = new Group();
  #ground = 0xcfd6d8;
  #lines = 0x9aa6ab;
  #arrows: LineSegments | null = null;

  setColors(dark: boolean): void {
    this.#ground = dark ? 0x1d262b : 0xd9dfe0;
    this.#lines = dark ? 0x3c4a51 : 0xa9b5ba;
  }

  setColliders(colliders: PlacedCollider[]): void {
    this.#clear();
    for (const collider of colliders) {
      if (collider.triangles.length > 0) {
        const geometry = new BufferGeometry();
        geometry.setAttribute('position', new BufferAttribute(collider.vertices, 3));
        geometry.setIndex(new BufferAttribute(collider.triangles, 1));
        geometry.computeVertexNormals();
        this.group.add(new Mesh(geometry, new MeshStandardMaterial({ color: 0x8b979d, roughness: 0.5, metalness: 0.1 })));
      }
      if (collider.planes.length !== 1) continue;
      for (const { point, normal } of collider.planes) {
        const up = new Vector3(...normal);
        const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), up);
        const plane = new Mesh(new PlaneGeometry(extent, extent).rotateX(-Math.PI / 2), this.#tiles());
        plane.position.set(...point).addScaledVector(up, -0.002);
        plane.quaternion.copy(turn);
        this.group.add(plane);
      }
    }
  }

  /** Squares of a quarter of a metre; far away, where they would flicker, plain. */
  #tiles(): MeshStandardMaterial {
    const material = new MeshStandardMaterial({ color: this.#ground, roughness: 1, side: DoubleSide });
    material.defines = { ...material.defines, USE_UV: '' };
    const lines = new Color(this.#lines);
    material.onBeforeCompile = (shader) => {
      shader.uniforms.lineColor = { value: lines };
      shader.fragmentShader = shader.fragmentShader
        .replace('#include <common>', '#include <common>\nuniform vec3 lineColor;')
        .replace(
          '#include <color_fragment>',
          `#include <color_fragment>
          vec2 tile = ${(extent / square).toFixed(1)} * vUv, width = fwidth(tile);
          vec2 off = abs(fract(tile - 0.5) - 0.5) / width;
          float line = (1.0 - min(min(off.x, off.y), 1.0)) * (1.0 - smoothstep(0.15, 0.5, max(width.x, width.y)));
          diffuseColor.rgb = mix(diffuseColor.rgb, lineColor, 0.7 * line);`,
        );
    };
    return material;
  }

  /** Forces as lines from the place of a contact, the largest of a length of `longest` [m]. */
  setContacts(contacts: Float32Array | null, longest: number): void {
    if (this.#arrows) {
      this.group.remove(this.#arrows);
      this.#arrows.geometry.dispose();
      (this.#arrows.material as Material).dispose();
      this.#arrows = null;
    }
    if (!contacts || contacts.length === 0) return;
    let most = 0;
    for (let k = 0; k < contacts.length; k += 6) most = Math.max(most, Math.hypot(...contacts.subarray(k + 3, k + 6)));
    const ends = new Float32Array(contacts.length);
    for (let k = 0; k < contacts.length; k += 6) {
      for (let c = 0; c < 3; ++c) {
        const from = contacts[k + c] ?? 0;
        ends[k + c] = from;
        ends[k + 3 + c] = from + (most > 0 ? (longest / most) * (contacts[k + 3 + c] ?? 0) : 0);
      }
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(ends, 3));
    const lines = new LineSegments(geometry, new LineBasicMaterial({ color: 0xd6336c, depthTest: false }));
    lines.frustumCulled = false;
    lines.renderOrder = 1;
    this.#arrows = lines;
    this.group.add(lines);
  }

  #clear(): void {
    this.setContacts(null, 0);
    for (const child of [...this.group.children] as Mesh[]) {
      this.group.remove(child);
      child.geometry.dispose();
      (child.material as Material).dispose();
    }
  }
  dispose(): void {
    this.#clear();
  }
}
