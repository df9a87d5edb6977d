import { create } from '@bufbuild/protobuf';
import { type Timestamp, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import {
  CalendarSchema,
  EventShortfallSchema,
  ShortfallReason,
} from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { calendarOf, isOneOfSeveral, othersText, readOnlyText, shortfallText, unreadText } from './wording';

const ZONE = 'Europe/London';
const at = (text: string): Timestamp => timestampFromDate(new Date(text));
const event = { startsAt: at('2026-03-01T10:00:00Z'), endsAt: at('2029-03-01T10:00:00Z') };

describe('an event that is not held as a whole', () => {
  it('is described by its days, its reason and the consequence', () => {
    const told = (more: Parameters<typeof create<typeof EventShortfallSchema>>[1]) =>
      shortfallText(create(EventShortfallSchema, { ...event, ...more }), ZONE);
    expect(told({ reason: ShortfallReason.TOO_LONG, heldUntil: at('2027-06-01T00:00:00Z') })).toBe(
      'The event from 1 Mar 2026 to 1 Mar 2029 is longer than a year. Its time is kept free until 1 Jun 2027 for now, and further as time goes by.',
    );
    expect(told({ reason: ShortfallReason.OUT_OF_RANGE })).toBe(
      'The event from 1 Mar 2026 to 1 Mar 2029 lies outside the years 2000 to 2199. Nothing is booked there.',
    );
    expect(told({ reason: ShortfallReason.REFUSED, fault: 'title is a riddle' })).toBe(
      'The event from 1 Mar 2026 to 1 Mar 2029 can’t be read: title is a riddle. Its time is not kept free here.',
    );
    expect(told({ reason: ShortfallReason.REFUSED, endsAt: at('2026-03-01T11:00:00Z') })).toBe(
      'The event on 1 Mar 2026 can’t be read. Its time is not kept free here.',
    );
    expect(told({ reason: ShortfallReason.UNSPECIFIED })).toContain('can’t be read. Its time');
  });

  it('is left out with its reason when it can’t be read at all', () => {
    const unread = [{ id: 'a.ics', reason: 'has no start' }];
    const text = (unreadCount: number) =>
      unreadText(create(CalendarSchema, { unread: unreadCount ? unread : [], unreadCount }));
    expect([text(0), text(1), text(2), text(4)]).toEqual([
      '',
      'One entry is left out: it has no start.',
      'One entry is left out: it has no start. So is one more.',
      'One entry is left out: it has no start. So are 3 more.',
    ]);
  });

  it('stands for further ones that are only counted', () => {
    const others = (shortfallCount: number) =>
      othersText(create(CalendarSchema, { shortfallCount, shortfalls: [event, event, event] }));
    expect([others(3), others(4), others(6)]).toEqual([
      '',
      'One more event is affected.',
      '3 more events are affected.',
    ]);
  });
});

describe('calendars that are only read', () => {
  const calendar = (employeeId: string, isReadOnly = true) =>
    create(CalendarSchema, { name: 'Work', employeeId, isReadOnly });
  const text = (...calendars: ReturnType<typeof calendar>[]) =>
    readOnlyText(
      calendars,
      new Map([
        ['s', 'Sofia'],
        ['n', 'Noah'],
      ]),
    );

  it('are named as those that appointments are not written to', () => {
    expect(text(calendar('s', false))).toBe('');
    expect(text(calendar('s'), calendar('n', false))).toBe(
      'Appointments are not written to Work of Sofia, which is only read.',
    );
    expect(text(calendar('s'), calendar('n'))).toBe(
      'Appointments are not written to Work of Sofia and Work of Noah, which are only read.',
    );
  });

  it('are not named until all of their employees are', () => {
    expect(text(calendar('s'), calendar('unread'))).toBe('');
    expect(text(calendar('s'), calendar('unread', false))).toContain('Work of Sofia');
  });
});

it('a calendar is one of several only beside another one of the same employee', () => {
  const [mias, alsoMias, noahs] = [
    { id: 'c1', employeeId: 'mia' },
    { id: 'c2', employeeId: 'mia' },
    { id: 'c3', employeeId: 'noah' },
  ] as const;
  expect(isOneOfSeveral(mias, [mias, alsoMias, noahs])).toBe(true);
  expect(isOneOfSeveral(noahs, [mias, alsoMias, noahs])).toBe(false);
});

describe('a calendar', () => {
  it('is named with its employee, once', () => {
    expect(calendarOf('Work', 'Sofia')).toBe('Work of Sofia');
    expect(calendarOf('Sofia’s calendar', 'Sofia')).toBe('Sofia’s calendar');
    expect(calendarOf('Work', '')).toBe('Work');
  });
});
