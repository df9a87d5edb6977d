// Prints what the browser loads for the first pages, compressed as the door sends it.
import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';

const dist = new URL('../dist/', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'));

/** Page, the lazy modules it loads beside the entry, and its budget in KB. */
const PAGES = [
  ['/login', ['src/session/login-page.tsx'], 140],
  ['/{businessId}', ['src/shell/workplace.tsx', 'src/businesses/home-page.tsx'], 165],
];

function withImports(key, seen = new Set()) {
  if (seen.has(key)) return seen;
  seen.add(key);
  for (const imported of manifest[key].imports ?? []) withImports(imported, seen);
  return seen;
}

function kilobytes(keys) {
  const files = new Set(keys.map((key) => manifest[key].file));
  const bytes = [...files].map((file) => brotliCompressSync(readFileSync(new URL(file, dist))).length);
  return bytes.reduce((sum, size) => sum + size, 0) / 1024;
}

let over = false;
for (const [page, modules, budget] of PAGES) {
  const keys = new Set(['index.html', ...modules].flatMap((key) => [...withImports(key)]));
  const size = kilobytes([...keys]);
  over ||= size > budget;
  console.log(`${page.padEnd(16)} ${size.toFixed(1).padStart(7)} KB of ${budget} KB (JavaScript, brotli)`);
}
if (process.argv.includes('--assert') && over) process.exit(1);
