import { expect, it } from 'vitest';
import { followed } from './followed';

const all = Array.from({ length: 205 }, (_, n) => `business ${n}`);

it('follows the business in front and as many others as a socket takes', () => {
  const ids = followed(['business 204'], all);
  expect(ids).toHaveLength(200);
  expect(ids[0]).toBe('business 204');
  expect(ids).toEqual(['business 204', ...all.slice(0, 199)]);
});

it('follows each business once', () => {
  expect(followed(['b'], ['a', 'b'])).toEqual(['b', 'a']);
  expect(followed([], [])).toEqual([]);
});
