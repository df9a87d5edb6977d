import { expect, it } from 'vitest';
import type { AvailabilitySpan } from '../gen/frontdesk/calendarsync/v1/provider_pb';
import {
  awayInterval,
  blocksOf,
  commonFault,
  differencesOf,
  freeText,
  markedHours,
  shownHours,
  summaryText,
} from './availability';

const span = (fromMinute: number, toMinute: number, isFreeHere: boolean, isFreeThere: boolean) =>
  ({ fromMinute, toMinute, isFreeHere, isFreeThere }) as AvailabilitySpan;

const SPANS = [
  span(545, 600, false, true),
  span(600, 720, true, true),
  span(720, 780, true, false),
  span(840, 1010, true, true),
];

it('shows whole hours around all that is free on either side', () => {
  expect(shownHours([{ spans: SPANS }, { spans: [span(500, 530, true, true)] }])).toEqual({
    from: 480,
    to: 1020,
  });
  expect(shownHours([{ spans: [] }])).toEqual({ from: 540, to: 1020 });
});

it('marks few enough hours for a phone', () => {
  expect(markedHours({ from: 540, to: 780 })).toEqual([540, 600, 660, 720, 780]);
  expect(markedHours({ from: 540, to: 1080 })).toEqual([540, 660, 780, 900, 1020]);
  expect(markedHours({ from: 0, to: 1440 })).toHaveLength(9);
});

it('marks a difference on both tracks', () => {
  const shown = { from: 540, to: 1020 };
  const kinds = (side: 'book' | 'system') =>
    blocksOf({ spans: SPANS, fault: '' }, side, shown).map(({ kind }) => kind);
  expect(kinds('book')).toEqual(['lacking', 'free', 'only', 'free']);
  expect(kinds('system')).toEqual(['only', 'free', 'lacking', 'free']);
});

it('marks no difference while the other side is unknown', () => {
  const shown = { from: 540, to: 1020 };
  const away = { spans: [span(600, 720, true, false)], fault: 'it is away' };
  expect(blocksOf(away, 'book', shown)).toEqual([{ from: 600, to: 720, kind: 'free' }]);
  expect(blocksOf(away, 'system', shown)).toEqual([{ ...shown, kind: 'unknown' }]);
});

it('says what is free on a side as stretches that are whole', () => {
  expect(freeText(SPANS, 'book')).toBe('10:00 – 13:00, 14:00 – 16:50');
  expect(freeText(SPANS, 'system')).toBe('9:05 – 12:00, 14:00 – 16:50');
  expect(freeText([], 'book')).toBe('not at all');
});

it('tells on which side each difference is free', () => {
  expect(differencesOf(SPANS)).toEqual({ book: [{ from: 720, to: 780 }], system: [{ from: 545, to: 600 }] });
});

it('sums up the day without counting those that are unknown as the same', () => {
  const same = { fault: '', differenceMinutes: 0 };
  const other = { fault: '', differenceMinutes: 90 };
  const away = { fault: 'it is away', differenceMinutes: 0 };
  expect(summaryText([same, other])).toBe('1 of 2 employees differs, by 1 h 30 min in all.');
  expect(summaryText([same, same, away])).toBe(
    'All 2 compared are free at the same times on both sides. 1 could not be compared.',
  );
  expect(summaryText([away])).toBe('');
});

it('says a fault once where it is everyone’s', () => {
  expect(commonFault([{ fault: 'it is away' }, { fault: 'it is away' }])).toBe('it is away');
  expect(commonFault([{ fault: 'it is away' }, { fault: '' }])).toBe('');
  expect(commonFault([])).toBe('');
});

it('is asked again while a side is unknown, and not once both are known', () => {
  expect(awayInterval([{ fault: '' }, { fault: 'it did not answer in time' }])).toBe(10_000);
  expect(awayInterval([{ fault: '' }])).toBe(false);
  expect(awayInterval(undefined)).toBe(false);
});
