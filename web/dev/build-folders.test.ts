import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { resolveConfig } from 'vite';
import { describe, expect, it } from 'vitest';

const web = fileURLToPath(new URL('..', import.meta.url));
const repository = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => readFileSync(`${repository}${file}`, 'utf8');

async function folderOf(mode: string): Promise<string> {
  const { root, build } = await resolveConfig({ root: web, mode, logLevel: 'silent' }, 'build', mode);
  return relative(repository, `${root}/${build.outDir}`);
}

describe('a build', () => {
  it('has a folder of its own for each mode', async () => {
    expect(await folderOf('development')).toBe('web/dist/development');
    expect(await folderOf('production')).toBe('web/dist/production');
  });

  it.each([
    ['Makefile', /^build: .* (\S+)\/index\.html/m, 'development'],
    ['.ci/e2e', /^make .* (\S+)\/index\.html$/m, 'development'],
    ['services/local/src/all.rs', /"(web\/dist[^"]*)"/, 'development'],
    ['Makefile', /^bench: .* (\S+)\/index\.html/m, 'production'],
    ['.ci/bench', /--web (\S+)/, 'production'],
    ['bff/src/config.rs', /"(web\/dist[^"]*)"/, 'production'],
  ])('is served by %s (%s) from the folder of its mode', async (file, place, mode) => {
    expect(place.exec(read(file))?.[1]).toBe(await folderOf(mode));
  });
});
