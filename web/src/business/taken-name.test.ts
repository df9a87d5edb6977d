import { expect, it } from 'vitest';
import { takenName } from './taken-name';

const team = [{ name: 'Ivy Maple' }];

it('a name of the team is taken, however it is written', () => {
  for (const name of ['Ivy Maple', ' ivy  maple '])
    expect(takenName(name, team)).toBe(
      'Ivy Maple is in the team already. Add a surname or an initial to tell them apart.',
    );
});

it('another name is free, as every name is while the team is not known', () => {
  expect(takenName('Ivy M. Maple', team)).toBeUndefined();
  expect(takenName('Ivy Maple', undefined)).toBeUndefined();
});
