// The gallery: a line for each scene.
import { pile, ring } from './bodies.ts';
import { block } from './block.ts';
import type { GalleryScene } from './scene.ts';
import { bar, beam, pendulum } from './solvers.ts';
import { xpbd } from './xpbd.ts';

export const gallery: GalleryScene[] = [
  xpbd,
  block,
  pile,
  ring,
  pendulum,
  bar,
  beam,
];

export function sceneOf(id: string): GalleryScene | undefined {
  return gallery.find((scene) => scene.id === id);
}
