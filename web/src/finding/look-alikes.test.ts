import { expect, it } from 'vitest';
import { alphabetOf, asItLooks } from './look-alikes';

it('reads a text as it looks, and says in which alphabet it is written', () => {
  expect(asItLooks('Сора')).toBe('Copa');
  expect(asItLooks('ΜΑΡΤΑ')).toBe('MAPTA');
  // Most names of another alphabet look like none of ours.
  expect(asItLooks('Оливия')).not.toMatch(/^\p{Script=Latin}+$/u);
  expect(['Copa', 'Сора', 'ΜΑΡΤΑ', 'Zoë'].map(alphabetOf)).toEqual(['Latin', 'Cyrillic', 'Greek', 'Latin']);
});
