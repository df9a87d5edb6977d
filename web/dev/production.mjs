// Makes a production build in a separate folder, and fails if it contains a developer tool.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';

/** A text that occurs only in the query devtools. */
const DEVTOOLS = 'tsqd-';

const outDir = mkdtempSync(join(tmpdir(), 'frontdesk-web-'));
try {
  await build({ mode: 'production', logLevel: 'error', build: { outDir, emptyOutDir: true } });
  const assets = join(outDir, 'assets');
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'));
  const carriers = scripts.filter((name) => readFileSync(join(assets, name), 'utf8').includes(DEVTOOLS));
  if (scripts.length === 0 || carriers.length > 0) {
    console.error(`The production build carries the query devtools: ${carriers.join(', ')}`);
    process.exitCode = 1;
  }
} finally {
  rmSync(outDir, { recursive: true, force: true });
}
