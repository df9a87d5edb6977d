import { CallOutcome, CallState, MissedReason } from '../gen/frontdesk/telemetry/v1/call_pb';
import { isId } from '../paths';
import { isDay } from '../time/local-day';

/** Which calls the list shows, as its address says; what is empty wants all. */
export type CallWish = {
  first: string;
  last: string;
  state: '' | 'live' | 'ended';
  outcomes: CallOutcome[];
  platform: string;
  reason: MissedReason;
  /** Ended calls in which a booking was looked for or made. */
  wanted: boolean;
  /** Calls from which a person booked a visit, or those from which none did. */
  team: '' | 'yes' | 'no';
  failed: boolean;
  service: string;
  /** Of the service: calls in which it was booked. */
  serviceBooked: boolean;
  /** Calls with a look-up of at least so many milliseconds, as figures count them. */
  lookupMs: number;
  customer: string;
  hour: number | undefined;
  words: string;
};

export const EVERY_CALL: CallWish = {
  first: '',
  last: '',
  state: '',
  outcomes: [],
  platform: '',
  reason: MissedReason.UNSPECIFIED,
  wanted: false,
  team: '',
  failed: false,
  service: '',
  serviceBooked: false,
  lookupMs: 0,
  customer: '',
  hour: undefined,
  words: '',
};

export const OUTCOMES = [
  CallOutcome.BOOKED,
  CallOutcome.MOVED,
  CallOutcome.CANCELLED,
  CallOutcome.ANSWERED,
  CallOutcome.MESSAGE,
  CallOutcome.TRANSFERRED,
  CallOutcome.ABANDONED,
];

/** All but those in which the caller hung up without a word. */
export const ANSWERED = OUTCOMES.filter((outcome) => outcome !== CallOutcome.ABANDONED);
/** Ended calls in which a booking was looked for, and made neither by the agent nor by the team. */
export const LOST = {
  wanted: true,
  outcomes: OUTCOMES.filter((outcome) => outcome !== CallOutcome.BOOKED),
  team: 'no',
} as const satisfies Partial<CallWish>;

/** As `lookupMs`: no look-up is shorter. */
export const ANY_LOOKUP = 1;

export const REASONS = [
  MissedReason.NO_FREE_TIME,
  MissedReason.TIME_TAKEN,
  MissedReason.NOT_OFFERED,
  MissedReason.NOT_ALLOWED,
  MissedReason.UNCLEAR,
  MissedReason.NOT_TAKEN,
  MissedReason.FAULT,
];

const NAMES = {
  first: 'from',
  last: 'to',
  state: 'state',
  outcomes: 'outcome',
  platform: 'platform',
  reason: 'reason',
  wanted: 'wanted',
  team: 'team',
  failed: 'failed',
  service: 'service',
  serviceBooked: 'booked',
  lookupMs: 'lookup',
  customer: 'customer',
  hour: 'hour',
  words: 'words',
} as const satisfies Record<keyof CallWish, string>;

const MOST_WORDS = 200;
/** Up to ten minutes, the longest that is counted. */
const MILLISECONDS = /^[1-9]\d{0,5}$/;

/** What an address says; what it should not say is left out. */
export function wishOf(search: URLSearchParams): CallWish {
  const text = (field: keyof CallWish) => search.get(NAMES[field]) ?? '';
  const day = (field: 'first' | 'last') => (isDay(text(field)) ? text(field) : '');
  const state = text('state');
  const team = text('team');
  const hour = text('hour');
  const outcomes = text('outcomes').split(',');
  return {
    first: day('first'),
    last: day('last'),
    state: state === 'live' || state === 'ended' ? state : '',
    outcomes: OUTCOMES.filter((outcome) => outcomes.includes(CallOutcome[outcome])),
    platform: text('platform').slice(0, MOST_WORDS),
    reason: REASONS.find((reason) => MissedReason[reason] === text('reason')) ?? MissedReason.UNSPECIFIED,
    wanted: text('wanted') === '1',
    team: team === 'yes' || team === 'no' ? team : '',
    failed: text('failed') === '1',
    service: isId(text('service')) ? text('service') : '',
    serviceBooked: isId(text('service')) && text('serviceBooked') === '1',
    lookupMs: MILLISECONDS.test(text('lookupMs')) ? Number(text('lookupMs')) : 0,
    customer: isId(text('customer')) ? text('customer') : '',
    hour: /^(\d|1\d|2[0-3])$/.test(hour) ? Number(hour) : undefined,
    words: text('words').slice(0, MOST_WORDS),
  };
}

/** The query of the list's address for a wish. */
export function queryOf(wish: Partial<CallWish>): string {
  const { outcomes = [], reason = MissedReason.UNSPECIFIED } = wish;
  const said: Record<keyof CallWish, string> = {
    first: wish.first ?? '',
    last: wish.last ?? '',
    state: wish.state ?? '',
    outcomes: outcomes.map((outcome) => CallOutcome[outcome]).join(','),
    platform: wish.platform ?? '',
    reason: reason === MissedReason.UNSPECIFIED ? '' : MissedReason[reason],
    wanted: wish.wanted ? '1' : '',
    team: wish.team ?? '',
    failed: wish.failed ? '1' : '',
    service: wish.service ?? '',
    serviceBooked: wish.service && wish.serviceBooked ? '1' : '',
    lookupMs: wish.lookupMs ? String(wish.lookupMs) : '',
    customer: wish.customer ?? '',
    hour: wish.hour === undefined ? '' : String(wish.hour),
    words: wish.words?.trim() ?? '',
  };
  const search = new URLSearchParams();
  for (const [field, value] of Object.entries(said))
    if (value) search.set(NAMES[field as keyof CallWish], value);
  return search.toString();
}

/** What is wrong with a wish; null if nothing is. */
export function problemOf({ first, last }: CallWish): string | null {
  return first && last && last < first ? 'The last date is before the first.' : null;
}

/** The filter as the list is asked for it. */
export function filterOf(wish: CallWish) {
  const { first, last, state, outcomes, platform, reason, wanted, failed, service, hour, words } = wish;
  const { serviceBooked, lookupMs, team } = wish;
  return {
    firstDate: first,
    lastDate: last,
    state: { '': CallState.UNSPECIFIED, live: CallState.LIVE, ended: CallState.ENDED }[state],
    outcomes,
    platform,
    missedReason: reason,
    wantedBooking: wanted,
    ...(team !== '' && { bookedByTeam: team === 'yes' }),
    failedTool: failed,
    serviceId: service,
    serviceBooked: service !== '' && serviceBooked,
    lookupMs,
    ...(hour !== undefined && { hour }),
    words: words.trim(),
  };
}

export const REASON_TEXT: Readonly<Record<MissedReason, string>> = {
  [MissedReason.UNSPECIFIED]: 'Unknown',
  [MissedReason.NO_FREE_TIME]: 'No free time',
  [MissedReason.TIME_TAKEN]: 'The time was just taken',
  [MissedReason.NOT_OFFERED]: 'Not offered here',
  [MissedReason.NOT_ALLOWED]: 'Booking rules',
  [MissedReason.FAULT]: 'The book could not be reached',
  [MissedReason.UNCLEAR]: 'The agent had to ask again',
  [MissedReason.NOT_TAKEN]: 'Offered times not taken',
};
