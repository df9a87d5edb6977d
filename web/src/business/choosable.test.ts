import { expect, it } from 'vitest';
import { choosable } from './choosable';

const here = [{ id: 'mia', name: 'Mia Larsen' }];
const former = [
  { id: 'noah', name: 'Noah Adeyemi' },
  { id: 'tom', name: 'Tom Reed' },
];

it('offers those who are here, and a former employee only where one is chosen already', () => {
  expect(choosable(here, former, ['mia', ''])).toEqual(here);
  expect(choosable(here, former, ['tom'])).toEqual([
    ...here,
    { id: 'tom', name: 'Tom Reed (no longer here)' },
  ]);
});
