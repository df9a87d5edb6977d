import { expect, it } from 'vitest';
import { daysText } from './days-text';

it('tells of whole years as years', () => {
  expect([1, 30, 365, 730].map(daysText)).toEqual(['1 day', '30 days', '1 year', '2 years']);
});
