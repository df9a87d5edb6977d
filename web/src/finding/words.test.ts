import { expect, it } from 'vitest';
import { hasDigits, saysAll } from './words';

it.each([
  ['Salon Zürich West', 'zur', true],
  ['Salon Zürich West', 'west sal', true],
  ['Salon Zürich West', 'est', false],
  ['14 Lamb’s Conduit Street, London', 'london 14', true],
  ['Hair-Studio', 'studio', true],
  ['Salon', ' ', true],
])('“%s” and “%s” typed: %s', (text, typed, found) => {
  expect(saysAll(text, typed)).toBe(found);
});

it.each([
  ['+442079460123', '020 7946', true],
  ['+442079460123', '+44 20', true],
  ['+442079460123', '0', false],
  ['+442079460123', 'Willow', false],
  ['', '020', false],
])('the number %s and “%s” typed: %s', (phone, typed, found) => {
  expect(hasDigits(phone, typed)).toBe(found);
});
