import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  AppointmentDifference_Kind,
  AppointmentState,
} from '../src/gen/frontdesk/scheduling/v1/appointment_pb';
import { EmployeeWish } from '../src/gen/frontdesk/scheduling/v1/availability_pb';
import { ACCOUNT_ANSWERS } from './account-answers';
import type { Answer, Request, Scenario } from './answer';
import { CACHE_ANSWERS } from './cache-answers';
import { fullestDay } from './day-answers';
import { delayWindowOf, stepsOf } from './days';
import { CONTRADICTED } from './deed-answers';
import {
  type Account,
  appointments,
  businesses,
  calls,
  conflicts,
  id,
  memberships,
  NOW,
  openingHours,
  toolCalls,
  turns,
} from './fixtures';
import { INTELLIGENCE_ANSWERS } from './intelligence-answers';
import { SALON_ANSWERS } from './salon-answers';
import { longHistory, shownVisits, VISIT_ANSWERS } from './visit-answers';

export type Outcome =
  | { kind: 'answered'; answer: object }
  | { kind: 'refused'; status: number; reason: string; message: string; metadata?: Record<string, string> }
  | { kind: 'silent' };

const MANY = 240;

function ago(minutes: number) {
  return timestampFromDate(new Date(NOW.getTime() - minutes * 60_000));
}

/** The canned answer to a call. */
export async function answerFor(
  method: string,
  request: Request,
  account: Account,
  scenario: Scenario,
): Promise<Outcome> {
  if (method === 'GetHome') return { kind: 'answered', answer: await homeFor(request, account, scenario) };
  const mood = scenario[method];
  if (mood === 'silent') return { kind: 'silent' };
  if (mood === 'broken')
    return { kind: 'refused', status: 400, reason: 'UNAVAILABLE', message: 'Unavailable.' };
  if (mood === 'contradicting')
    return {
      kind: 'refused',
      status: 400,
      reason: 'CONTRADICTION',
      message: 'Rules contradict each other.',
      metadata: { ids: CONTRADICTED.join() },
    };
  const answer = ANSWERS[method]?.(request, account, mood === 'many');
  // No answer is without the zone that it is meant in.
  if (mood === 'empty')
    return {
      kind: 'answered',
      answer: answer && 'timeZone' in answer ? { timeZone: answer.timeZone } : {},
    };
  if (answer) return { kind: 'answered', answer };
  return { kind: 'refused', status: 404, reason: 'NOT_FOUND', message: 'Not found.' };
}

/** The home's parts, and the method that answers each. */
const HOME_PARTS = {
  business: 'GetBusiness',
  openingHours: 'GetOpeningHours',
  today: 'GetDay',
  appointments: 'ListAppointments',
  conflicts: 'ListConflicts',
  calls: 'ListCalls',
} as const;
const OF_GUESTS = ['business', 'openingHours'];

/** What each part answers by itself in the scenario; one that fails is named. */
async function homeFor(request: Request, account: Account, scenario: Scenario): Promise<object> {
  const shown = Object.entries(HOME_PARTS).filter(
    ([part]) => account.role !== 'GUEST' || OF_GUESTS.includes(part),
  );
  const today = NOW.toISOString().slice(0, 10);
  const asked = { ...request, pageSize: request.calls, firstDate: today, lastDate: today, employeeId: '' };
  const parts = await Promise.all(
    shown.map(async ([part, method]) => [part, await answerFor(method, asked, account, scenario)] as const),
  );
  return {
    ...Object.fromEntries(
      parts.flatMap(([part, outcome]) => (outcome.kind === 'answered' ? [[part, outcome.answer]] : [])),
    ),
    failures: parts.flatMap(([part, { kind }]) =>
      kind === 'answered' ? [] : [{ part, reason: 'UNAVAILABLE' }],
    ),
  };
}

/** What was done with a visit, one of each kind. */
const HISTORY = {
  stateChanges: [
    { state: AppointmentState.BOOKED, enteredAt: ago(1300), enteredBy: 'agent:1' },
    { state: AppointmentState.CONFIRMED, enteredAt: ago(60), enteredBy: 'user:me' },
  ],
  placesLeft: [
    { startsAt: ago(-120), employeeNames: ['Jin Park'], leftAt: ago(700), leftBy: 'user:someone' },
  ],
  edits: [
    {
      editedAt: ago(400),
      editedBy: 'user:someone',
      differences: [
        { kind: AppointmentDifference_Kind.SERVICE_ADDED, serviceName: 'Blow-dry' },
        { kind: AppointmentDifference_Kind.LENGTH, serviceName: 'Full colour', minutes: 80 },
        {
          kind: AppointmentDifference_Kind.WISH,
          serviceName: 'Full colour',
          employeeWish: EmployeeWish.ONLY,
          wishedEmployeeName: 'Maya Okafor',
        },
      ],
    },
  ],
};

const byId = <T extends { id?: string | undefined }>(list: T[], wanted: unknown) =>
  list.find(({ id }) => id === wanted);

const ANSWERS: Record<string, Answer> = {
  ...ACCOUNT_ANSWERS,
  ...CACHE_ANSWERS,
  ...SALON_ANSWERS,
  ...INTELLIGENCE_ANSWERS,
  ...VISIT_ANSWERS,
  ...fullestDay(SALON_ANSWERS),
  GetFrontendConfiguration: () => ({
    oauth: {
      googleClientId: 'made-up',
      googleAuthUrl: 'https://accounts.example',
      scopes: 'openid email profile',
    },
    app: { environment: 'development' },
  }),
  ListMyMemberships: (_, { businessIds, role }) => ({
    memberships: memberships
      .filter((m) => businessIds.includes(m.businessId ?? ''))
      .map((m) => ({ ...m, role })),
  }),
  GetBusiness: ({ businessId }) => ({ business: byId(businesses, businessId) }),
  ListBusinesses: () => ({ businesses }),
  GetOpeningHours: () => ({ timeZone: 'Europe/London', spans: openingHours }),
  ListOpeningExceptions: () => ({ openingExceptions: [] }),
  GetAppointment: ({ appointmentId }) => {
    const appointment = byId([...appointments, ...shownVisits], appointmentId);
    const isShown = shownVisits.some(({ id }) => id === appointmentId);
    return (
      appointment && {
        appointment,
        steps: stepsOf(appointment),
        ...delayWindowOf(appointment),
        ...(isShown ? longHistory : HISTORY),
        timeZone: 'Europe/London',
      }
    );
  },
  CancelAppointment: ({ appointmentId }) => ({
    appointment: { ...byId(appointments, appointmentId), state: AppointmentState.CANCELLED },
  }),
  ListConflicts: () => ({ conflicts }),
  ListCalls: ({ pageSize }, _, many) => {
    if (!many) return { calls: calls.slice(0, (pageSize as number) || 50) };
    const copies = Array.from({ length: MANY }, (_, copy) => {
      const startedAt = timestampFromDate(new Date(NOW.getTime() - copy * 3_600_000));
      return { ...calls[1 + (copy % 7)], id: id(9, copy), startedAt, endedAt: startedAt };
    });
    return { calls: copies, nextPageToken: 'more' };
  },
  // Calls are not recorded there.
  GetRecording: () => ({}),
  GetCall: ({ callId }) => {
    const call = byId(calls, callId);
    const live = call && !call.endedAt;
    return (
      call && {
        call,
        turns: live ? turns.slice(0, 3) : turns,
        toolCalls: live ? toolCalls.slice(0, 1) : toolCalls,
      }
    );
  },
};
