import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { declares } from './evidence';
import { rows } from './rows';
import { statementsOf } from './split';

const here = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');
const inRepository = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url));

const said = statementsOf(here('./specification.md')).filter(({ section }) => section >= 2 && section <= 9);
const deviations = [...here('./deviations.md').matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number));
const key = ({ section, line }: { section: number; line: string }) => `${section}: ${line}`;

describe('the specification as a table', () => {
  it('quotes nothing the specification does not say there', () => {
    const lines = new Set(said.map(key));
    expect(rows.map(key).filter((line) => !lines.has(line))).toEqual([]);
  });

  it('leaves out nothing the specification says, and has each line once', () => {
    expect(rows.map(key).sort()).toEqual([...new Set(said.map(key))].sort());
  });

  it('names only tests that exist and run', () => {
    const sources = new Map<string, string>();
    const read = (file: string) => {
      const path = inRepository(file);
      if (!sources.has(file)) sources.set(file, existsSync(path) ? readFileSync(path, 'utf8') : '');
      return sources.get(file) ?? '';
    };
    const missing = rows
      .flatMap(({ tests = [] }) => tests)
      .filter((test) => !declares(read(test.file), test))
      .map(({ file, name }) => `${file}: ${name}`);
    expect([...new Set(missing)]).toEqual([]);
  });

  it('has for every line a test, or says whose screens will show it', () => {
    const bare = rows.filter(({ tests = [], elsewhere = '' }) => tests.length === 0 && elsewhere === '');
    expect(bare.map(key)).toEqual([]);
  });

  it('departs only where a deviation says so, and shows every deviation', () => {
    const named = rows.flatMap(({ deviation }) => deviation ?? []);
    expect([...new Set(named)].sort((a, b) => a - b)).toEqual(deviations);
    const unshown = rows.filter(({ deviation, tests = [] }) => deviation !== undefined && tests.length === 0);
    expect(unshown.map(key)).toEqual([]);
  });
});
