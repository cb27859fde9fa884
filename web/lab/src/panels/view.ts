// How the bodies are drawn.
import { colorings, type View } from '../state.ts';
import { element } from './dom.ts';
import { field } from './field.ts';

/** `changed` is called when `view` has changed. */
export function viewPanel(view: View, changed: () => void): HTMLElement {
  const toggle = (label: 'wireframe' | 'contacts', help: string): HTMLElement =>
    field({ label, help, unit: '', kind: 'toggle', value: view[label] }, (value) => {
      view[label] = value === true;
      changed();
    });
  return element(
    'section',
    { class: 'panel', 'aria-label': 'View' },
    element('h2', {}, 'View'),
    field({ label: 'colours', help: 'of bodies, or of the largest strain or von Mises stress', unit: '', kind: 'choice', choices: [...colorings], names: { object: 'of bodies', strain: 'largest strain', von_mises: 'von Mises stress' }, value: view.color }, (value) => {
      view.color = value as View['color'];
      changed();
    }),
    toggle('wireframe', 'the edges of the mesh'),
    toggle('contacts', 'forces where bodies touch, as lines'),
  );
}
