import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { CalendarKind, CalendarService } from '../src/gen/frontdesk/calendarsync/v1/calendar_pb';
import { DemoCalendarService } from '../src/gen/frontdesk/calendarsync/v1/demo_calendar_pb';
import { RestClient } from './rest';
import { people, WILLOW } from './stack';

const MINUTE_MS = 60_000;

/** The calendar of an employee; who has none gets one. */
async function calendarOf(client: RestClient, employeeId: string): Promise<string> {
  const { calendars } = await client.call(CalendarService.method.listCalendars, { businessId: WILLOW });
  const found = calendars.find((calendar) => calendar.employeeId === employeeId);
  if (found) return found.id;
  const owner = await RestClient.as(people.owner);
  const { calendar } = await owner.call(CalendarService.method.connectCalendar, {
    businessId: WILLOW,
    kind: CalendarKind.DEMO,
    employeeId,
    name: 'Noah',
  });
  return calendar?.id ?? '';
}

/** An employee has a calendar. */
export async function withCalendar(client: RestClient, employeeId: string): Promise<void> {
  await calendarOf(client, employeeId);
}

/** Twenty minutes of an employee are taken in their own calendar. Returns the way back. */
export async function busyInCalendar(client: RestClient, employeeId: string, title: string, start: Date) {
  const calendarId = await calendarOf(client, employeeId);
  const { event } = await client.call(DemoCalendarService.method.putDemoEvent, {
    businessId: WILLOW,
    calendarId,
    title,
    startsAt: timestampFromDate(start),
    endsAt: timestampFromDate(new Date(start.getTime() + 20 * MINUTE_MS)),
  });
  const eventId = event?.id ?? '';
  return () =>
    client.call(DemoCalendarService.method.deleteDemoEvent, { businessId: WILLOW, calendarId, eventId });
}
