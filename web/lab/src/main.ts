import './style.css';

import { Lab } from './lab.ts';

const root = document.querySelector<HTMLElement>('#lab');
if (root) {
  const lab = new Lab(root);
  // For the console and for tests: lab.step(100), lab.now(), lab.set('k', 1000), await lab.link(), ...
  (window as unknown as { lab: Lab }).lab = lab;
  lab.ready.catch(() => undefined); // the page says what is missing
}
