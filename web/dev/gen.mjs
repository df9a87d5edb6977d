// Generates src/gen from the contract; with --check it fails when the committed files differ.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFileRegistry, fromBinary, getOption } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

const web = fileURLToPath(new URL('..', import.meta.url));
const contract = join(web, '../proto');
const committed = join(web, 'src/gen');

/** Packages for calls between services, which the browser never uses. */
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
  buf('generate', '--template', JSON.stringify(template));
  writeFileSync(join(out, 'access.ts'), access());
}

function buf(command, ...options) {
  const excluded = privateDirectories(join(contract, 'frontdesk')).flatMap((path) => [
    '--exclude-path',
    relative(web, path),
  ]);
  return execFileSync(join(web, 'node_modules/.bin/buf'), [command, '../proto', ...options, ...excluded], {
    cwd: web,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** The role that each method requires, without the descriptors of its messages, which a menu does not need. */
function access() {
  const set = fromBinary(FileDescriptorSetSchema, buf('build', '-o', '-#format=binpb'));
  const registry = createFileRegistry(set);
  const rule = registry.getExtension('frontdesk.access.v1.rule');
  const audiences = registry.getEnum('frontdesk.access.v1.Audience');
  const roles = registry.getEnum('frontdesk.access.v1.Role');
  const number = (name) => audiences.values.find((value) => value.name === `AUDIENCE_${name}`).number;
  const least = (method) => {
    const { audience, leastRole } = getOption(method, rule);
    if (audience.includes(number('PUBLIC'))) return 'PUBLIC';
    if (audience.includes(number('USER'))) return roles.value[leastRole].name.replace('ROLE_', '');
    return undefined;
  };
  const services = [...registry].filter(({ kind }) => kind === 'service');
  const tables = services
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map((service) => {
      const rows = service.methods
        .map((method) => [method.localName, least(method)])
        .filter(([, role]) => role !== undefined)
        .map(([name, role]) => `  ${name}: '${role}',\n`);
      return rows.length > 0
        ? `\nexport const ${service.name.replace(/Service$/, '')}Access = {\n${rows.join('')}} as const;\n`
        : '';
    });
  return `// Generated from the access rules of the contract. A method without a row lets no person in.\n${tables.join('')}`;
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
