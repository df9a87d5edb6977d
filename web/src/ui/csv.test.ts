import { expect, it } from 'vitest';
import { csvOf } from './csv';

it('cells are quoted', () => {
  expect(csvOf([['a', 'b "c", d', ''], ['e']])).toBe('"a","b ""c"", d",""\r\n"e"\r\n');
});

it.each([
  ['=HYPERLINK("x")', `'=HYPERLINK(""x"")`],
  [' +1', "' +1"],
  ['-2', "'-2"],
  ['@x', "'@x"],
  ['\tx', "'\tx"],
  ['＝1', "'＝1"],
  ['1 - 2', '1 - 2'],
  ['Max;=1+1;b', "Max;'=1+1;b"],
  ['Max;" =1+1', `Max;'"" =1+1`],
])('%j is no formula', (cell, expected) => {
  expect(csvOf([[cell]])).toBe(`"${expected}"\r\n`);
});
