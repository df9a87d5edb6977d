import { Box, chakra, Flex } from '@chakra-ui/react';
import {
  Ban,
  Check,
  Circle,
  CircleCheck,
  CircleHelp,
  DoorOpen,
  type LucideIcon,
  Scissors,
  UserX,
} from 'lucide-react';
import { memo } from 'react';
import { stateName } from '../appointments/state';
import { minuteText } from '../businesses/opening';
import { AppointmentState } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import type { Tone } from '../ui/badge';
import type { VisitCard } from './visit-cards';

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
export const timesOf = ({ from, to }: VisitCard) => `${minuteText(from)} – ${minuteText(to)}`;

/** A card for those who hear it. */
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
    part && `part ${part.number} of ${part.of}`,
  ]
    .filter(Boolean)
    .join(', ');
}

const Line = chakra('span', { base: { display: 'block', truncate: true } });

/** Pixels below which a card has one line, and two. */
const ONE_LINE = 40;
const TWO_LINES = 60;

/** What a card shows: who, what, when, and how it stands, as far as there is room. */
export const VisitFace = memo(
  function VisitFace({ card, height }: { card: VisitCard; height: number }) {
    const { appointment, customer, services, resources, part } = card;
    const { icon: Icon, tone } = LOOK[appointment.state] ?? LOOK[AppointmentState.UNSPECIFIED];
    const state = stateName(appointment.state);
    const struck = appointment.state === AppointmentState.NO_SHOW ? 'line-through' : undefined;
    if (height < ONE_LINE) {
      return (
        <Flex gap="1.5" align="center" height="100%" minWidth="0">
          <Icon size={13} aria-hidden />
          <Line fontWeight="650" textDecoration={struck}>
            {customer}
          </Line>
          <Line color="fg.muted" flex="1" fontVariantNumeric="tabular-nums">
            {minuteText(card.from)} {services}
          </Line>
        </Flex>
      );
    }
    const extra = [
      appointment.squeezedIn && 'Squeezed in',
      resources,
      part && `Part ${part.number} of ${part.of}`,
    ]
      .filter(Boolean)
      .join(' · ');
    return (
      <Box minWidth="0" pt="1" position="relative">
        <Flex gap="1.5" align="center" minWidth="0">
          <Line fontWeight="650" flex="1" textDecoration={struck}>
            {customer}
          </Line>
          <chakra.span color={`${tone}.fg`} display="inline-flex" flexShrink="0">
            <Icon size={14} aria-hidden />
          </chakra.span>
        </Flex>
        <Line>{services}</Line>
        {height >= TWO_LINES && (
          <Line color="fg.muted" fontVariantNumeric="tabular-nums">
            {timesOf(card)} · {state}
          </Line>
        )}
        {extra && height >= TWO_LINES && <Line color="fg.muted">{extra}</Line>}
      </Box>
    );
  },
  (before, after) => before.card.look === after.card.look && before.height === after.height,
);
