import { Flex } from '@chakra-ui/react';
import { type Call, CallOutcome, CallState } from '../gen/frontdesk/telemetry/v1/call_pb';
import { moment, timeOfDay } from '../time/zoned';
import { Badge, LiveDot, type Tone } from '../ui/badge';
import { phoneText } from '../ui/phone';
import { CONTACT_HIDDEN, NUMBER_HIDDEN } from './contact-policy';

const LOOK: Record<CallOutcome, { label: string; tone: Tone }> = {
  [CallOutcome.UNSPECIFIED]: { label: 'Ended', tone: 'quiet' },
  [CallOutcome.BOOKED]: { label: 'Booked', tone: 'brand' },
  [CallOutcome.MOVED]: { label: 'Moved', tone: 'info' },
  [CallOutcome.CANCELLED]: { label: 'Cancelled', tone: 'bad' },
  [CallOutcome.ANSWERED]: { label: 'Answered', tone: 'quiet' },
  [CallOutcome.MESSAGE]: { label: 'Message', tone: 'violet' },
  [CallOutcome.TRANSFERRED]: { label: 'Transferred', tone: 'warn' },
  [CallOutcome.ABANDONED]: { label: 'Hung up', tone: 'quiet' },
};

/** What an outcome is called. */
export const outcomeName = (outcome: CallOutcome): string => LOOK[outcome].label;

/** Whether it goes on; one that is not heard of may be over. */
export const isLive = (call: Call) => call.state === CallState.LIVE;

/** No end was reported, and nothing was heard of it for minutes: neither its length nor its outcome is known. */
const isUnheard = (call: Call) => call.state === CallState.UNHEARD;

/** Whether it is known how long it lasted, or has lasted by now. */
export const hasLength = (call: Call) => !isUnheard(call);

/** So long after the last word of a call, an employee is no longer reminded that it may go on. */
const REMINDED_MS = 3_600_000;

/** Whether it may go on still, though nothing is heard of it. */
export function mayGoOn(call: Call, now: Date): boolean {
  const heard = moment(call.lastHeardAt) ?? moment(call.startedAt);
  return isUnheard(call) && heard !== null && now.getTime() - heard.getTime() < REMINDED_MS;
}

/** Since when nothing is heard of it. */
export function silenceText(call: Call, zone: string): string {
  const heard = moment(call.lastHeardAt);
  return heard ? `No word since ${timeOfDay(heard, zone)}` : 'No end reported';
}

/** How soon calls are read again while one goes on: the server says when it is not heard of any more. */
export const READ_LIVE_AGAIN_MS = 30_000;

/** What a person's booking from a call is called, beside the outcome, which is the agent's. */
export const BOOKED_BY_TEAM = 'Booked by team';

type OutcomeProps = { call: Call; zone: string };

/** The outcome of a call, or that it is live; and that a person booked from it. */
export function OutcomeBadge({ call, zone }: OutcomeProps) {
  return (
    <Flex as="span" gap="1" wrap="wrap">
      <Outcome call={call} zone={zone} />
      {call.bookedByTeam && <Badge tone="brand">{BOOKED_BY_TEAM}</Badge>}
    </Flex>
  );
}

function Outcome({ call, zone }: OutcomeProps) {
  if (isLive(call)) {
    return (
      <Badge tone="good">
        <LiveDot />
        On the line
      </Badge>
    );
  }
  if (isUnheard(call)) return <Badge tone="quiet">{silenceText(call, zone)}</Badge>;
  const { label, tone } = LOOK[call.outcome] ?? LOOK[CallOutcome.UNSPECIFIED];
  return <Badge tone={tone}>{label}</Badge>;
}

/** Who called: by name where the agent knew it, else by number. */
export function callerOf(call: Call): string {
  return call.customerName || numberOf(call);
}

export function numberOf(call: Call): string {
  if (call.contactHidden) return NUMBER_HIDDEN;
  return call.fromNumber ? phoneText(call.fromNumber) : 'Number withheld';
}

/** Why a caller's number is not shown, with what names it. */
export function whyHidden(call: Call): string {
  if (call.customerId !== '') return CONTACT_HIDDEN;
  if (call.state === CallState.ENDED) return `A customer’s number. ${CONTACT_HIDDEN}`;
  return 'Hidden until the call has ended: the agent may still recognise a customer';
}

/** How long a call lasted, or has lasted by now. */
export function lengthOf(call: Call, now: Date): number {
  const from = moment(call.startedAt);
  const to = moment(call.endedAt) ?? now;
  return from ? to.getTime() - from.getTime() : 0;
}
