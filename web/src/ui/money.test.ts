import { describe, expect, it } from 'vitest';
import { majorText, minorOf } from './money';

describe('an amount in a field', () => {
  it.each([
    ['45', 'GBP', 4500],
    ['45.5', 'GBP', 4550],
    [' 45,50 ', 'EUR', 4550],
    ['0', 'GBP', 0],
    ['4500', 'JPY', 4500],
  ])('%s in %s is read', (text, currency, minor) => {
    expect(minorOf(text, currency)).toBe(minor);
  });

  it.each([
    ['', 'GBP'],
    ['-1', 'GBP'],
    ['1.234', 'GBP'],
    ['4.5', 'JPY'],
    ['a lot', 'GBP'],
  ])('%s in %s is none', (text, currency) => {
    expect(minorOf(text, currency)).toBeUndefined();
  });

  it('is written without pence it does not have', () => {
    expect([majorText(4500, 'GBP'), majorText(4550, 'GBP'), majorText(4500, 'JPY')]).toEqual([
      '45',
      '45.50',
      '4500',
    ]);
  });
});
