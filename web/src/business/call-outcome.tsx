import { type Call, CallOutcome, CallState } from '../gen/frontdesk/telemetry/v1/call_pb';
import { moment } from '../time/zoned';
import { Badge, LiveDot, type Tone } from '../ui/badge';
import { phoneText } from '../ui/phone';
import { NUMBER_HIDDEN } from './contact-policy';

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

export const isLive = (call: Call) => call.state === CallState.LIVE;

/** The outcome of a call, or that it is live. */
export function OutcomeBadge({ call }: { call: Call }) {
  if (isLive(call)) {
    return (
      <Badge tone="good">
        <LiveDot />
        On the line
      </Badge>
    );
  }
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

/** How long a call lasted, or has lasted by now. */
export function lengthOf(call: Call, now: Date): number {
  const from = moment(call.startedAt);
  const to = moment(call.endedAt) ?? now;
  return from ? to.getTime() - from.getTime() : 0;
}
