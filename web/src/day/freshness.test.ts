import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, test } from 'vitest';
import {
  type BusySource,
  BusySourceKind,
  BusySourceSchema,
  Freshness,
} from '../gen/frontdesk/scheduling/v1/busy_source_pb';
import { asOfText, doubtText, inDoubt, together } from './freshness';

const seen = { zone: 'Europe/London', now: new Date('2026-06-01T09:00Z') };

type Given = MessageInitShape<typeof BusySourceSchema>;

function source(freshness: Freshness, readAt?: string, more: Given = {}): BusySource {
  return create(BusySourceSchema, {
    sourceId: 'c1',
    employeeName: 'Sofia',
    kind: BusySourceKind.GOOGLE,
    freshness,
    readAt: readAt ? timestampFromDate(new Date(readAt)) : undefined,
    ...more,
  });
}

describe('a source in doubt', () => {
  test('that can’t be read says why, since when, and that it is not full', () => {
    const reason = 'it did not answer in time';
    expect(doubtText(source(Freshness.UNREACHABLE, '2026-06-01T08:12Z', { reason }), seen)).toBe(
      'Sofia’s Google Calendar is out of date (it did not answer in time). It was last read at 9:12: what changed there since is missing here.',
    );
    expect(doubtText(source(Freshness.UNREACHABLE, undefined, { reason }), seen)).toBe(
      'Sofia’s Google Calendar was never read (it did not answer in time). Times that it takes may look free.',
    );
  });

  test('that is silent names the day, where it was another', () => {
    expect(doubtText(source(Freshness.STALE, '2026-05-31T08:12Z'), seen)).toBe(
      'Sofia’s Google Calendar was last read yesterday at 9:12: what changed there since is missing here.',
    );
  });

  test('that was never read says so', () => {
    const booking = { kind: BusySourceKind.PROVIDER, name: 'Salon book' };
    expect(doubtText(source(Freshness.UNREAD, undefined, booking), seen)).toBe(
      'Sofia’s column in Salon book is being read for the first time. Times that it takes may still look free.',
    );
  });

  test('is told from those that are current', () => {
    const fresh = source(Freshness.FRESH, '2026-06-01T08:59Z');
    const stale = source(Freshness.STALE, '2026-06-01T08:00Z');
    expect(inDoubt([fresh, stale])).toEqual([stale]);
  });
});

describe('current sources', () => {
  test('are as of the one that was read first', () => {
    const one = source(Freshness.FRESH, '2026-06-01T08:58Z');
    expect(asOfText([one], seen)).toBe('Sofia’s Google Calendar was last read at 9:58.');
    const other = source(Freshness.FRESH, '2026-06-01T08:57Z', { sourceId: 'c2' });
    const stale = source(Freshness.STALE, '2026-06-01T08:00Z', { sourceId: 'c3' });
    expect(asOfText([one, other, stale], seen)).toBe(
      '2 calendars and booking systems were last read at 9:57 or later.',
    );
    expect(asOfText([stale], seen)).toBe('');
    expect(asOfText([], seen)).toBe('');
  });

  test('of several answers come once', () => {
    const [one, later] = [source(Freshness.STALE), source(Freshness.FRESH, '2026-06-01T08:58Z')];
    expect(together([[one], [later]])).toEqual([later]);
  });
});
