// Making elements.
type Child = Node | string | null;
type Attributes = Record<string, string | number | boolean | ((event: Event) => void) | undefined>;

/** element('button', { class: 'x', onclick: f }, 'text'): functions become listeners, `true` an attribute without value. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') made.addEventListener(key.replace(/^on/, ''), value);
    else made.setAttribute(key, value === true ? '' : String(value));
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** Three significant digits, with powers of ten where numbers are very large or small. */
export function digits(value: number, count = 3): string {
  if (Number.isNaN(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return value.toExponential(count - 1).replace(/\.?0*e\+?/, 'e');
  return String(Number(value.toPrecision(count)));
}
