// Writes the types of a scene from the JSON Schema of the built module: node scripts/scene-types.mjs MODULE OUTPUT
import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

const [module, output] = process.argv.slice(2);
const schema = await schemaOf(module);

// Parts with names of their own, by their path in the schema. What is the same elsewhere has the same name.
const names = {
  '/time': 'TimeSettings',
  '/materials/*': 'Material',
  '/objects/*': 'SceneObject',
  '/objects/*/mesh': 'Mesh',
  '/objects/*/fibres': 'Fibres',
  '/objects/*/transform': 'Transform',
  '/objects/*/contact': 'ObjectContact',
  '/pins/*': 'ScenePin',
  '/pins/*/select': 'Selection',
  '/pins/*/motion': 'Motion',
  '/loads/*': 'SceneLoad',
  '/probes/*': 'SceneProbe',
  '/bindings/*': 'SceneBinding',
  '/contact': 'ContactSettings',
  '/colliders/*': 'SceneCollider',
  '/colliders/*/shape': 'ColliderShape',
  '/solver': 'SolverSettings',
  '/solver/accelerator': 'AcceleratorSettings',
  '/output': 'OutputSettings',
  '/render': 'RenderSettings',
};
const written = new Map(); // name -> text
const nameOf = new Map(); // JSON of a part -> name
collectNames(schema, '');

written.set('Scene', `/** ${schema.title}. ${schema.description} */\nexport type Scene = ${typeOf(schema, '', true)};\n`);
for (const [name, part] of Object.entries(schema.definitions ?? {})) {
  define(pascal(name), part, '/#' + name);
}
const lines = ["// Written by scripts/scene-types.mjs from the engine's JSON Schema of a scene.", '', ...written.values()];
await writeFile(output, lines.join('\n'));

async function schemaOf(path) {
  const create = (await import(pathToFileURL(path))).default;
  const memory = new WebAssembly.Memory({ initial: 1024, maximum: 32768 });
  const native = await create({ wasmMemory: memory, wasmBinary: await readFile(path.replace(/\.js$/, '.wasm')) });
  native._sinew_start(1, 2 ** 31);
  if (!native._sinew_schema()) throw new Error('the module has no schema');
  const at = native._sinew_result();
  return JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, at, native._sinew_result_count())));
}

function pascal(name) {
  return name.replace(/(^|_)([a-z])/g, (_, __, letter) => letter.toUpperCase());
}

// What a part says, without what belongs to the place where it is used.
function key(part) {
  const { description, default: fallback, ...rest } = part;
  return JSON.stringify(rest);
}

function collectNames(part, path) {
  if (names[path]) nameOf.set(key(part), names[path]);
  collectBelow(part, path);
}
function collectBelow(part, path) {
  for (const [name, member] of Object.entries(part.properties ?? {})) {
    if (typeof member === 'object') collectNames(member, `${path}/${name}`);
  }
  for (const below of [part.items, part.additionalProperties]) {
    if (below && typeof below === 'object') collectNames(below, `${path}/*`);
  }
  for (const choice of part.anyOf ?? []) collectBelow(choice, path);
}

function define(name, part, path) {
  if (written.has(name)) return;
  written.set(name, ''); // recursive types
  const about = part.description ? `/** ${comment(part)} */\n` : '';
  written.set(name, `${about}export type ${name} = ${typeOf(part, path, true)};\n`);
}

function comment(part) {
  const fallback = part.default === undefined ? '' : ` Default: ${JSON.stringify(part.default)}`;
  const text = part.description ?? '';
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text ? '.' : ''}${fallback}`.replaceAll('*/', '*\\/').trim();
}

function typeOf(part, path, inPlace = false) {
  if (part === true) return 'unknown';
  if (part.$ref) return pascal(part.$ref.split('/').pop());
  const name = nameOf.get(key(part));
  if (name && !inPlace) {
    define(name, part, path);
    return name;
  }
  if (part.const !== undefined) return literal(part.const);
  if (part.enum) return part.enum.map((value) => literal(value)).join(' | ');
  const choices = (part.anyOf ?? []).filter((choice) => choice.type ?? choice.enum ?? choice.anyOf ?? choice.$ref);
  if (choices.length > 0 && !part.properties) {
    return [...new Set(choices.map((choice) => typeOf(choice, path)))].join(' | ');
  }
  switch (part.type) {
    case 'number':
    case 'integer':
      return 'number';
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'array': {
      const item = typeOf(part.items ?? true, `${path}/*`);
      const many = part.minItems !== undefined && part.minItems === part.maxItems && part.minItems <= 12;
      if (many) return `[${Array(part.minItems).fill(item).join(', ')}]`;
      return /[|{ ]/.test(item) ? `(${item})[]` : `${item}[]`;
    }
    case 'object':
      return objectOf(part, path);
    default:
      return 'unknown';
  }
}

function literal(value) {
  if (typeof value === 'string') return `'${value}'`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  return `{ ${Object.entries(value).map(([name, item]) => `${name}: ${literal(item)}`).join('; ')} }`;
}

function objectOf(part, path) {
  if (!part.properties) {
    const item = part.additionalProperties;
    return `Record<string, ${item && typeof item === 'object' ? typeOf(item, `${path}/*`) : 'unknown'}>`;
  }
  // What else there is depends on the value of one member: a type for each of its values.
  const branches = (part.allOf ?? []).filter((condition) => condition.if?.properties && condition.then);
  if (branches.length === 0) return membersOf(part.properties, part.required ?? [], path);
  return branches
    .map(({ if: condition, then }) => {
      const [name] = Object.keys(condition.properties);
      const value = condition.properties[name].const;
      const members = {};
      for (const [member, own] of Object.entries({ ...part.properties, ...then.properties })) {
        // `true`, or a rule about a value that types do not have, such as a minimum.
        const says = typeof own === 'object' && typeOf(own, path) !== 'unknown';
        const known = own === false || says ? own : part.properties[member];
        const left = then.additionalProperties === false && !(member in (then.properties ?? {}));
        if (known !== false && !left) members[member] = known;
      }
      const base = part.properties[name];
      members[name] = { const: value, description: base.description };
      const required = new Set(part.required ?? []);
      if (base.default !== value) required.add(name);
      return membersOf(members, [...required], path);
    })
    .join(' | ');
}

function membersOf(properties, required, path) {
  const indent = '  ';
  let text = '{\n';
  for (const [name, part] of Object.entries(properties)) {
    const about = typeof part === 'object' ? comment(part) : '';
    const type = typeOf(part, `${path}/${name}`).replaceAll('\n', `\n${indent}`);
    const word = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    if (about) text += `${indent}/** ${about} */\n`;
    text += `${indent}${word}${required.includes(name) ? '' : '?'}: ${type};\n`;
  }
  return `${text}}`;
}
