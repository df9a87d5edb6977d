// Generates src/gen from the contract; with --check it fails when the committed files differ.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const web = fileURLToPath(new URL('..', import.meta.url));
const contract = join(web, '../proto');
const committed = join(web, 'src/gen');

/** Packages in which services talk among themselves: the browser never learns of them. */
const PRIVATE = new Set(['internal', 'events']);

function privateDirectories(directory) {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => {
      const path = join(directory, entry.name);
      return PRIVATE.has(entry.name) ? [path] : privateDirectories(path);
    });
}

function generate(out) {
  const template = {
    version: 'v2',
    clean: true,
    plugins: [
      {
        local: join(web, 'node_modules/.bin/protoc-gen-es'),
        out,
        include_imports: true,
        opt: ['target=ts', 'import_extension=none'],
      },
    ],
  };
  const excluded = privateDirectories(join(contract, 'frontdesk')).flatMap((path) => [
    '--exclude-path',
    relative(web, path),
  ]);
  execFileSync(
    join(web, 'node_modules/.bin/buf'),
    ['generate', '../proto', '--template', JSON.stringify(template), ...excluded],
    { cwd: web, stdio: 'inherit' },
  );
}

function contents(directory) {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((e) => e.isFile());
  return new Map(
    files.map((file) => {
      const path = join(file.parentPath, file.name);
      return [relative(directory, path).split(sep).join('/'), readFileSync(path, 'utf8')];
    }),
  );
}

function check() {
  const fresh = mkdtempSync(join(tmpdir(), 'frontdesk-gen-'));
  try {
    generate(fresh);
    const [wanted, found] = [contents(fresh), contents(committed)];
    const names = new Set([...wanted.keys(), ...found.keys()]);
    return [...names].filter((name) => wanted.get(name) !== found.get(name)).sort();
  } finally {
    rmSync(fresh, { recursive: true });
  }
}

if (process.argv.includes('--check')) {
  const stale = check();
  if (stale.length > 0) {
    console.error(`src/gen does not match the contract; run "npm run gen":\n  ${stale.join('\n  ')}`);
    process.exit(1);
  }
} else {
  generate(committed);
}
