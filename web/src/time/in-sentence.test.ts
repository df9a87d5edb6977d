import { expect, test } from 'vitest';
import { inSentence } from './in-sentence';

test('words for days near by lose their capital, names of days keep it', () => {
  expect(inSentence('Today, 12:00')).toBe('today, 12:00');
  expect(inSentence('Tomorrow')).toBe('tomorrow');
  expect(inSentence('Friday, 5 December')).toBe('Friday, 5 December');
});
