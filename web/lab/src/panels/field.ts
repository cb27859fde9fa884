// A control for one parameter, made from its description: what the engine's tables say of the options of solvers, and
// scenes of their own parameters.
import { spelled, type Value } from '../state.ts';
import { digits, element } from './dom.ts';

export interface FieldInfo {
  label: string;
  help: string;
  unit: string;
  kind: 'number' | 'whole' | 'choice' | 'toggle';
  low?: number;
  high?: number;
  /** What can be typed at most, where that is more than a slider's end. */
  most?: number;
  lowOpen?: boolean;
  log?: boolean;
  /** What 0 stands for, where it is allowed below a slider that cannot reach it. */
  zero?: string;
  choices?: string[];
  /** Of choices, where they are not what people would say. */
  names?: Record<string, string>;
  value: Value;
}

let count = 0;
const sliderSteps = 1000;

/** `change` gets every valid value, while a slider moves too. */
export function field(info: FieldInfo, change: (value: Value) => void): HTMLElement {
  const id = `field-${++count}`;
  const help = element('small', { id: `${id}-help`, class: 'help' }, info.help + (info.zero ? ` (0: ${info.zero})` : ''));
  const label = element('label', { for: id }, info.label, info.unit && info.unit !== '-' ? element('span', { class: 'unit' }, ` [${info.unit}]`) : null);
  const row = (...inputs: HTMLElement[]): HTMLElement => element('div', { class: 'field' }, label, element('div', { class: 'inputs' }, ...inputs), help);

  if (info.kind === 'toggle') {
    const box = element('input', { id, type: 'checkbox', 'aria-describedby': `${id}-help` });
    box.checked = info.value === true;
    box.addEventListener('change', () => change(box.checked));
    return row(box);
  }
  if (info.kind === 'choice') {
    const select = element('select', { id, 'aria-describedby': `${id}-help` });
    for (const choice of info.choices ?? []) select.append(element('option', { value: choice, selected: choice === info.value }, info.names?.[choice] ?? spelled(choice)));
    select.addEventListener('change', () => change(select.value));
    return row(select);
  }

  const entry = element('input', { id, type: 'text', inputmode: 'decimal', autocomplete: 'off', size: 8, 'aria-describedby': `${id}-help` });
  const show = (value: Value): void => {
    entry.value = typeof value === 'number' ? digits(value, 4) : String(value);
  };
  show(info.value);
  const { low, high } = info;
  const bounded = low !== undefined && high !== undefined;
  const slider = bounded
    ? element('input', { type: 'range', min: 0, max: sliderSteps, step: 1, 'aria-label': info.label })
    : null;
  const clean = (value: number): number => {
    const rounded = info.kind === 'whole' ? Math.round(value) : Number(value.toPrecision(3));
    return bounded ? Math.min(high, Math.max(low, rounded)) : rounded;
  };
  const atSlider = (position: number): number => {
    const share = position / sliderSteps;
    return clean(info.log ? low! * (high! / low!) ** share : low! + share * (high! - low!));
  };
  const setSlider = (value: number): void => {
    if (!slider || !bounded) return;
    const share = info.log ? Math.log(Math.max(value, low) / low) / Math.log(high / low) : (value - low) / (high - low);
    slider.value = String(Math.round(sliderSteps * Math.min(1, Math.max(0, share))));
    slider.setAttribute('aria-valuetext', `${digits(value)} ${info.unit}`);
  };
  if (typeof info.value === 'number') setSlider(info.value);
  slider?.addEventListener('input', () => {
    const value = atSlider(Number(slider.value));
    show(value);
    slider.setAttribute('aria-valuetext', `${digits(value)} ${info.unit}`);
    entry.setCustomValidity('');
    change(value);
  });
  // A slider reaches what is usual; what is allowed can be typed.
  entry.addEventListener('change', () => {
    const value = Number(entry.value.replace(',', '.'));
    const isZero = value === 0 && info.zero !== undefined;
    const whole = info.kind !== 'whole' || Number.isInteger(value);
    const above = low === undefined || (info.lowOpen ? value > low : value >= (info.log ? Number.MIN_VALUE : low));
    const below = info.most === undefined || value <= info.most;
    const good = entry.value.trim() !== '' && Number.isFinite(value) && whole && (isZero || (above && below));
    entry.setCustomValidity(good ? '' : `${info.label} is ${info.kind === 'whole' ? 'a whole number' : 'a number'}${low === undefined ? '' : `, from ${digits(low)}${info.most === undefined ? '' : ` to ${digits(info.most)}`}`}${info.zero ? `, or 0: ${info.zero}` : ''}`);
    if (!entry.reportValidity()) return;
    setSlider(value);
    change(value);
  });
  return slider ? row(slider, entry) : row(entry);
}
