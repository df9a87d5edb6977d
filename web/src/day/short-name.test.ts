import { expect, it } from 'vitest';
import { shortName } from './short-name';

it.each([
  ['Hannah Weiss', 'H. Weiss'],
  ['María del Carmen  López', 'M. López'],
  ['Walk-in', 'Walk-in'],
  ['Øyvind Å', 'Ø. Å'],
  ['', ''],
])('%s is short %s', (name, short) => {
  expect(shortName(name)).toBe(short);
});
