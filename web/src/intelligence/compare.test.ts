import { expect, it } from 'vitest';
import { changeOf } from './compare';

it.each([
  [112, 100, { direction: 'up', percent: 12 }],
  [50, 100, { direction: 'down', percent: 50 }],
  [7, 7, { direction: 'same', percent: 0 }],
  [3, 0, { direction: 'up', percent: undefined }],
  [-2, 3, { direction: 'down', percent: 167 }],
  [undefined, 3, undefined],
  [3, undefined, undefined],
])('%s after %s', (now, before, change) => {
  expect(changeOf(now, before)).toEqual(change);
});
