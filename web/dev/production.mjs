// Makes a production build in a separate folder, and fails if it contains a developer tool.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';

/** Texts that occur only in developer tools. */
const ONLY_IN = {
  'query devtools': 'tsqd-',
  'launcher of the panels': 'Development panels',
  'auth panel': 'Expire token locally',
  'cache panel': 'Auth failed: Please log in again',
};

const outDir = mkdtempSync(join(tmpdir(), 'frontdesk-web-'));
try {
  await build({ mode: 'production', logLevel: 'error', build: { outDir, emptyOutDir: true } });
  const assets = join(outDir, 'assets');
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'));
  const sources = scripts.map((name) => ({ name, source: readFileSync(join(assets, name), 'utf8') }));
  const carried = Object.entries(ONLY_IN).flatMap(([tool, text]) =>
    sources.filter(({ source }) => source.includes(text)).map(({ name }) => `the ${tool}: ${name}`),
  );
  if (scripts.length === 0) carried.push('no script at all');
  for (const what of carried) console.error(`The production build has ${what}`);
  if (carried.length > 0) process.exitCode = 1;
} finally {
  rmSync(outDir, { recursive: true, force: true });
}
