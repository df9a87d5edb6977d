import { expect, it } from 'vitest';
import { CalendarKind } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import { outOfStepTitle } from './calendar-words';

it('names the booking system and whose appointments are not read there', () => {
  expect(outOfStepTitle({ kind: CalendarKind.PROVIDER, name: 'Square' }, 'Sofia')).toBe(
    'The appointments of Sofia in Square are not up to date',
  );
  expect(outOfStepTitle({ kind: CalendarKind.CALDAV, name: 'Work' }, 'Sofia')).toBe(
    'The calendar of Sofia is not up to date',
  );
});
