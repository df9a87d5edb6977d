// Prints what the browser loads for each page, compressed as the door sends it.
import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';

const dist = new URL('../dist/production/', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'));

const LATER_BUDGET_KB = 60;
const GRAPH = ['a graph, besides', 'src/dependencies/dependency-graph.tsx', 110];

const named = (name) =>
  Object.keys(manifest).find((key) => manifest[key].name === name && !key.endsWith('.css'));

function withImports(key, seen = new Set()) {
  if (seen.has(key)) return seen;
  seen.add(key);
  for (const imported of manifest[key].imports ?? []) withImports(imported, seen);
  return seen;
}

const sizes = new Map();
function sizeOf(key) {
  const { file } = manifest[key];
  if (!sizes.has(file)) sizes.set(file, brotliCompressSync(readFileSync(new URL(file, dist))).length / 1024);
  return sizes.get(file);
}

const kilobytes = (keys) => [...keys].reduce((sum, key) => sum + sizeOf(key), 0);

let over = false;
function row(page, size, budget) {
  over ||= size > budget;
  console.log(`${page.padEnd(36)} ${size.toFixed(1).padStart(7)} KB of ${budget} KB`);
}

const first = withImports(named('base'));
const home = withImports(named('workplace'), new Set(first));
const beyond = (key) => [...withImports(key)].filter((loaded) => !home.has(loaded));

console.log('JavaScript, brotli');
row('/login', kilobytes(withImports('src/sign-in/login-page.tsx', new Set(first))), 140);
row('/{businessId}', kilobytes(home), 185);

const later = (manifest[named('base')].dynamicImports ?? [])
  .map((key) => [key, kilobytes(beyond(key))])
  .sort(([, one], [, other]) => other - one);
for (const [key, size] of later.slice(0, 3))
  row(`besides: ${key.replace('src/', '')}`, size, LATER_BUDGET_KB);
const [graph, module, budget] = GRAPH;
row(graph, kilobytes(beyond(module)), budget);
if (process.argv.includes('--assert') && over) process.exit(1);
