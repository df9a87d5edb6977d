import type { BusinessOwners } from '../gen/frontdesk/auth/v1/member_pb';
import type { CalendarHealth } from '../gen/frontdesk/calendarsync/v1/calendar_pb';
import type { BookingHealth } from '../gen/frontdesk/scheduling/v1/booking_health_pb';
import type { CallHealth } from '../gen/frontdesk/telemetry/v1/call_pb';
import type { BusinessSetup } from '../gen/frontdesk/tenancy/v1/business_pb';
import { openSteps, type Step, TO_DO } from '../setup/steps';

/** The answers of the services about some businesses; undefined until one has come. */
export type HealthParts = {
  setups: readonly BusinessSetup[] | undefined;
  owners: readonly BusinessOwners[] | undefined;
  bookings: readonly BookingHealth[] | undefined;
  calls: readonly CallHealth[] | undefined;
  calendars: readonly CalendarHealth[] | undefined;
};

export type BusinessHealth = {
  setup: BusinessSetup | undefined;
  owners: BusinessOwners | undefined;
  bookings: BookingHealth | undefined;
  calls: CallHealth | undefined;
  calendars: CalendarHealth | undefined;
  /** The published version of its agent; 0 before there is one, undefined while that is not known. */
  agentVersion: number | undefined;
  /** Steps of its set-up that are known to be open. */
  left: Step[];
  /** What goes wrong, each as a sentence. */
  problems: string[];
};

/** What is known of one business. */
export function healthOf(businessId: string, parts: HealthParts): BusinessHealth {
  const of = <T extends { businessId: string }>(answers: readonly T[] | undefined) =>
    answers?.find((answer) => answer.businessId === businessId);
  const [setup, owners, bookings] = [of(parts.setups), of(parts.owners), of(parts.bookings)];
  const [calls, calendars] = [of(parts.calls), of(parts.calendars)];
  const left = openSteps({
    openDays: bookings?.openDayCount,
    employees: setup?.employeeCount,
    scheduledEmployees: bookings?.scheduledEmployeeCount,
    services: bookings?.serviceCount,
    bookableServices: bookings?.bookableServiceCount,
    owners: owners?.ownerCount,
    invitedOwners: owners?.invitedOwnerCount,
    voiceConnections: setup?.voiceConnectionCount,
  });
  const failedPublications = setup?.failedPublicationCount ?? 0;
  const problems = [
    counted(calendars?.failingCount, 'calendar is not in step', 'calendars are not in step'),
    counted(
      bookings?.openConflictCount,
      'conflict with a calendar is open',
      'conflicts with calendars are open',
    ),
    counted(
      failedPublications,
      'phone line lacks the published agent',
      'phone lines lack the published agent',
    ),
    counted(
      (setup?.brokenVoiceConnectionCount ?? 0) - failedPublications,
      'phone line is broken',
      'phone lines are broken',
    ),
    counted(calls?.failedToolCallCount, 'look-up of the agent failed', 'look-ups of the agent failed'),
  ].flatMap((problem) => problem ?? []);
  const agentVersion = setup?.agentVersion;
  return { setup, owners, bookings, calls, calendars, agentVersion, left, problems };
}

function counted(count: number | undefined, one: string, several: string): string | undefined {
  if (!count) return undefined;
  return count === 1 ? `1 ${one}` : `${count} ${several}`;
}

/** Whether an administrator has something to do there. */
export function needsLook({ left, problems }: BusinessHealth): boolean {
  return left.length > 0 || problems.length > 0;
}

/** Whether look-ups that failed in calls are all that is to be seen to there. */
export function failsInCallsAlone({ left, problems, calls }: BusinessHealth): boolean {
  return left.length === 0 && problems.length === 1 && (calls?.failedToolCallCount ?? 0) > 0;
}

/** Whether publications that failed are all that is to be seen to there. */
export function failsToPublishAlone({ left, problems, setup }: BusinessHealth): boolean {
  return left.length === 0 && problems.length === 1 && (setup?.failedPublicationCount ?? 0) > 0;
}

/** "Set the opening hours, connect the telephone". */
export function leftText(left: readonly Step[]): string {
  const text = left.map((step) => TO_DO[step].title.toLowerCase()).join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A sum over businesses; undefined until it is known of each that the service answers for. */
export function sumOf<T>(answers: readonly T[] | undefined, pick: (answer: T) => number): number | undefined {
  return answers?.reduce((sum, answer) => sum + pick(answer), 0);
}
