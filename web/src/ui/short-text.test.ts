import { expect, test } from 'vitest';
import { shortText } from './short-text';

test('a short text stays, on one line', () => {
  expect(shortText('6/0 + 6/7\n20 vol')).toBe('6/0 + 6/7 20 vol');
});

test('a long text ends with the last whole part that has room', () => {
  expect(shortText('x'.repeat(60))).toBe('x'.repeat(60));
  expect(shortText(`${'x'.repeat(59)} y`)).toBe(`${'x'.repeat(59)}…`);
});
