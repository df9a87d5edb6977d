import { expect, it } from 'vitest';
import { listedCustomers, listedText } from './listed';

it('a list that was cut counts at least what it has', () => {
  expect([1, 2, 199].map(listedCustomers)).toEqual(['1 customer', '2 customers', '199 customers']);
  expect(listedCustomers(200)).toBe('At least 200 customers');
  expect(listedText(200, 'visit is', 'visits are')).toBe('At least 200 visits are');
});
