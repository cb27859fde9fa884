// Colours of quantities: viridis, which is even to the eye and can be told apart by the colour-blind.
import viridis from 'colors:viridis';
import { DataTexture, LinearFilter, RGBAFormat, SRGBColorSpace } from 'three';

const count = viridis.length / 6;

/** `#rrggbb` for a share from 0 to 1. */
export function colorAt(share: number): string {
  const k = Math.round(Math.min(1, Math.max(0, share)) * (count - 1));
  return `#${viridis.slice(6 * k, 6 * k + 6)}`;
}

export function colorTexture(): DataTexture {
  const data = new Uint8Array(4 * count);
  for (let k = 0; k < count; ++k) {
    const rgb = [0, 2, 4].map((at) => parseInt(viridis.slice(6 * k + at, 6 * k + at + 2), 16));
    data.set([...rgb, 255], 4 * k);
  }
  const texture = new DataTexture(data, count, 1, RGBAFormat);
  texture.colorSpace = SRGBColorSpace;
  texture.magFilter = texture.minFilter = LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

/** The next of 1, 2, 5, 10, ... that is not below a number. */
export function roundUp(value: number): number {
  if (!(value > 0) || !Number.isFinite(value)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  for (const factor of [1, 2, 5]) if (factor * power >= value * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

/** What all but a hundredth of the values stay below: single elements that are inside out do not count. */
export function highOf(values: Float32Array): number {
  const sorted = values.filter(Number.isFinite).sort();
  return sorted[Math.floor(0.99 * (sorted.length - 1))] ?? 0;
}

/** Of bodies, in the order of the scene. */
export const palette: [number, number, number][] = [
  [0.16, 0.48, 0.62],
  [0.82, 0.42, 0.25],
  [0.36, 0.55, 0.33],
  [0.56, 0.41, 0.68],
  [0.85, 0.67, 0.25],
  [0.45, 0.5, 0.55],
];
