import {
  Ban,
  Check,
  Circle,
  CircleCheck,
  CircleHelp,
  DoorOpen,
  Lock,
  type LucideIcon,
  Scissors,
  TriangleAlert,
  UserX,
} from 'lucide-react';
import { stateName } from '../../appointments/state';
import { minuteText } from '../../day/opening';
import { shortName } from '../../day/short-name';
import type { VisitCard } from '../../day/visit-cards';
import { AppointmentState } from '../../gen/frontdesk/scheduling/v1/appointment_pb';
import { initialsOf } from '../../ui/avatar';
import type { Tone } from '../../ui/badge';

const LOOK: Record<AppointmentState, { icon: LucideIcon; tone: Tone }> = {
  [AppointmentState.UNSPECIFIED]: { icon: CircleHelp, tone: 'quiet' },
  [AppointmentState.BOOKED]: { icon: Circle, tone: 'brand' },
  [AppointmentState.CONFIRMED]: { icon: CircleCheck, tone: 'good' },
  [AppointmentState.ARRIVED]: { icon: DoorOpen, tone: 'info' },
  [AppointmentState.IN_SERVICE]: { icon: Scissors, tone: 'violet' },
  [AppointmentState.COMPLETED]: { icon: Check, tone: 'quiet' },
  [AppointmentState.CANCELLED]: { icon: Ban, tone: 'bad' },
  [AppointmentState.NO_SHOW]: { icon: UserX, tone: 'warn' },
};

/** The colours of a visit's card; its icon and its words say the same. */
export const toneOf = (state: AppointmentState) => LOOK[state]?.tone ?? 'quiet';

/** "09:00 – 09:30". */
const timesOf = ({ from, to }: VisitCard) => `${minuteText(from)} – ${minuteText(to)}`;

/** When, and how it stands: broken where something may be left out for want of room, so not after the dash. */
function whenAndHow({ from, to, appointment }: VisitCard): string {
  const parts = [minuteText(from), `–\u2060 ${minuteText(to)}`, `· ${stateName(appointment.state)}`];
  return parts.map((part) => part.replaceAll(' ', '\u00a0').replaceAll('-', '\u2011')).join(' ');
}

/** The card's label for screen readers. */
export function spokenCard(card: VisitCard): string {
  const { appointment, part } = card;
  return [
    card.customer,
    timesOf(card),
    card.services,
    card.employeeName && `with ${card.employeeName}`,
    card.resources,
    stateName(appointment.state),
    appointment.squeezedIn && 'squeezed in',
    card.locked,
    card.stranded && 'employee not at work',
    card.told && 'customer told that the employee is not at work',
    part && `part ${part.number} of ${part.of}`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** "Only Sofia Marino". */
const startedWith = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Pixels below which a card has one line, two, and three. */
const ONE_LINE = 40;
const TWO_LINES = 60;
const THREE_LINES = 76;

/** As many letters as a line of a tablet's column holds. */
const FITTING = 15;
const FITTING_BESIDE_TIME = 9;

/** Whether a card has no line for its times: its tooltip says what is left out. */
export const isLowCard = (height: number) => height < TWO_LINES;

/** What a card shows: who, what, when, and how it stands, as far as there is room. */
export function VisitFace({ card, height, crowded }: { card: VisitCard; height: number; crowded: boolean }) {
  const { appointment, customer, services, resources, part } = card;
  const low = isLowCard(height);
  const { icon } = LOOK[appointment.state] ?? LOOK[AppointmentState.UNSPECIFIED];
  const Icon = card.stranded ? TriangleAlert : icon;
  const symbol = <Icon size={14} aria-hidden />;
  // What most visits are: a whole name needs the room more.
  const ordinary = appointment.state === AppointmentState.BOOKED && !card.stranded;
  // With room for two lines a long name wraps; with less a narrow column has it shortened.
  const tall = height >= THREE_LINES;
  const short = shortName(customer);
  const absent = appointment.state === AppointmentState.NO_SHOW ? ' absent' : '';
  const head = (
    <span className="head">
      {crowded && <span className={`initials${absent}`}>{initialsOf(customer)}</span>}
      <span className="who">
        {low && <span className="line aside start">{minuteText(card.from)}</span>}
        <span
          className={`line customer${customer.length > (low ? FITTING_BESIDE_TIME : FITTING) ? ' long' : ''}${absent}`}
        >
          {tall || short === customer ? (
            customer
          ) : (
            <>
              <span className="full">{customer}</span>
              <span className="short">{short}</span>
            </>
          )}
        </span>
        {!ordinary && symbol}
        {card.locked && <Lock size={13} aria-hidden />}
      </span>
      {ordinary && symbol}
    </span>
  );
  if (height < ONE_LINE) {
    return (
      <span className="face slim" aria-hidden>
        {head}
        <span className="line aside">{services}</span>
      </span>
    );
  }
  const extra = [
    card.locked && startedWith(card.locked),
    card.stranded && 'Not at work',
    card.told && 'Customer told',
    appointment.squeezedIn && 'Squeezed in',
    resources,
    part && `Part ${part.number} of ${part.of}`,
  ].filter(Boolean);
  return (
    <span className={tall ? 'face tall' : 'face'} aria-hidden>
      {head}
      <span className="line">{services}</span>
      {!low && <span className="line aside when">{whenAndHow(card)}</span>}
      {extra.length > 0 && tall && <span className="line aside">{extra.join(' · ')}</span>}
    </span>
  );
}
