import { describe, expect, it } from 'vitest';
import { type ClosureValues, closureProblems } from './closure-values';

const christmas: ClosureValues = {
  firstDate: '2026-12-25',
  lastDate: '2026-12-26',
  open: false,
  spans: [],
  label: 'Christmas',
};

describe('a closure', () => {
  it('is sound with both days in order', () => {
    expect(closureProblems(christmas)).toEqual([]);
    expect(closureProblems({ ...christmas, lastDate: '2026-12-25' })).toEqual([]);
  });

  it.each([
    ['without a first day', { firstDate: '' }, 'firstDate'],
    ['without a last day', { lastDate: '' }, 'lastDate'],
    ['that ends before it begins', { lastDate: '2026-12-24' }, 'lastDate'],
    ['longer than a year', { lastDate: '2028-01-01' }, 'lastDate'],
    ['open at no time', { open: true }, 'spans'],
    ['open backwards', { open: true, spans: [{ from: 720, to: 600 }] }, 'spans'],
  ])('%s says so at its field', (_, changed, field) => {
    expect(closureProblems({ ...christmas, ...changed }).map((problem) => problem.field)).toEqual([field]);
  });

  it('with hours of its own is sound', () => {
    expect(closureProblems({ ...christmas, open: true, spans: [{ from: 600, to: 840 }] })).toEqual([]);
  });
});
