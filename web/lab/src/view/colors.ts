// Colours of quantities: viridis, which is even to the eye and can be told apart by the colour-blind.
import { interpolateViridis } from 'd3-scale-chromatic';
import { DataTexture, LinearFilter, RGBAFormat, SRGBColorSpace } from 'three';

const count = 256;

/** `rgb(...)` for a share from 0 to 1. */
export function colorAt(share: number): string {
  return interpolateViridis(Math.min(1, Math.max(0, share)));
}

export function colorTexture(): DataTexture {
  const data = new Uint8Array(4 * count);
  for (let k = 0; k < count; ++k) {
    const text = colorAt(k / (count - 1));
    const hex = /^#([0-9a-f]{6})$/i.exec(text)?.[1];
    const rgb = hex
      ? [0, 2, 4].map((i) => parseInt(hex.slice(i, i + 2), 16))
      : (text.match(/\d+/g) ?? []).slice(0, 3).map(Number);
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

/** Of bodies, in the order of the scene. */
export const palette: [number, number, number][] = [
  [0.16, 0.48, 0.62],
  [0.82, 0.42, 0.25],
  [0.36, 0.55, 0.33],
  [0.56, 0.41, 0.68],
  [0.85, 0.67, 0.25],
  [0.45, 0.5, 0.55],
];
