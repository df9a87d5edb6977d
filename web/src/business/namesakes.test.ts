import { expect, it } from 'vitest';
import { namesakes, onlyLookAlike } from './namesakes';

const told = (...names: string[]) =>
  namesakes(names.map((name) => ({ id: name, name }))).map((group) => group.map(({ name }) => name));

it('finds employees of one name, with and without a number, whatever their accents', () => {
  expect(told('Zoe Ash 2', 'Ben', 'Zoë Ash', 'Ana', 'ana')).toEqual([
    ['Zoë Ash', 'Zoe Ash 2'],
    ['Ana', 'ana'],
  ]);
});

it('leaves alone those who are told apart', () => {
  expect(told('Ana Ash', 'Ana Berg', 'Ana')).toEqual([]);
  expect(told('Stylist 1', 'Stylist 2')).toEqual([]);
});

it('finds names that look the same in another alphabet, and leaves alone those that are only foreign', () => {
  const group = told('Copa', 'Сора', 'Ана', 'Ana', 'Оливия', 'Olivia');
  expect(group).toEqual([['Copa', 'Сора']]);
  expect(
    onlyLookAlike([
      { id: '1', name: 'Copa' },
      { id: '2', name: 'Сора' },
    ]),
  ).toBe(true);
  expect(
    onlyLookAlike([
      { id: '1', name: 'Zoë Ash' },
      { id: '2', name: 'zoe ash 2' },
    ]),
  ).toBe(false);
});
