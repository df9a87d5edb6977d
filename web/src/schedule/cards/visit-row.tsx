import { chakra, Flex, Stack } from '@chakra-ui/react';
import { CalendarX2, Lock, StickyNote, TriangleAlert } from 'lucide-react';
import { AppointmentBadge } from '../../appointments/state';
import type { PlacedCard } from '../../day/columns';
import type { BlockedTime } from '../../day/day-entries';
import { minuteText } from '../../day/opening';
import type { Span } from '../../day/spans';
import { Badge } from '../../ui/badge';
import { Figures, Muted, Text } from '../../ui/text';
import { toneOf } from './visit-face';

const Row = chakra('button', {
  base: {
    display: 'grid',
    gridTemplateColumns: '4.25rem minmax(0, 1fr)',
    gap: '3',
    width: '100%',
    minHeight: '16',
    px: { base: '4', sm: '6' },
    py: '3',
    textAlign: 'start',
    color: 'fg',
    cursor: 'pointer',
    _hover: { bg: 'bg.hover' },
    _focusVisible: { outlineOffset: '-3px' },
  },
});

const Side = chakra(Stack, {
  base: { gap: '1', minWidth: '0', ps: '3', borderInlineStart: '3px solid' },
});

function Times({ from, to }: Span) {
  return (
    <Stack gap="0" lineHeight="1.35">
      <Figures fontWeight="650">{minuteText(from)}</Figures>
      <Figures color="fg.muted" fontSize="0.875rem">
        {minuteText(to)}
      </Figures>
    </Stack>
  );
}

type VisitRowProps = {
  card: PlacedCard;
  /** Why it can't stay where it is. */
  why?: string;
  /** Of a list of one employee's visits: who serves goes without saying. */
  alone?: boolean;
  onOpen: (appointmentId: string) => void;
};

/** A visit in a list by time. */
export function VisitRow({ card, why, alone = false, onOpen }: VisitRowProps) {
  const { appointment, customer, services, employeeName, resources } = card;
  const details = [services, !alone && employeeName && `with ${employeeName}`, resources];
  return (
    <Row
      type="button"
      data-card={why === undefined ? card.key : undefined}
      onClick={() => onOpen(appointment.id)}
    >
      <Times from={card.from} to={card.to} />
      <Side borderColor={card.stranded ? 'bad.fg' : `${toneOf(appointment.state)}.fg`}>
        <Flex gap="2" align="center" justify="space-between" wrap="wrap">
          <Text as="span" fontWeight="600">
            {customer}
          </Text>
          {why === undefined ? (
            <AppointmentBadge state={appointment.state} />
          ) : (
            <Badge tone="warn">
              <CalendarX2 size={13} aria-hidden />
              {why}
            </Badge>
          )}
        </Flex>
        <Muted as="span">{details.filter(Boolean).join(' · ')}</Muted>
        {card.stranded && why === undefined && (
          <Flex as="span" gap="1.5" align="center" color="bad.fg" fontSize="0.875rem" fontWeight="550">
            <TriangleAlert size={13} aria-hidden />
            {card.told ? 'Not at work · Customer told' : 'Not at work'}
          </Flex>
        )}
        {card.locked && (
          <Flex as="span" gap="1.5" align="center" color="fg.muted" fontSize="0.875rem">
            <Lock size={13} aria-hidden />
            Stylist: {card.locked}
          </Flex>
        )}
        {appointment.notes && (
          <Flex as="span" gap="1.5" align="baseline" color="fg.muted" fontSize="0.875rem">
            <chakra.span flexShrink="0" alignSelf="center">
              <StickyNote size={13} aria-hidden />
            </chakra.span>
            <chakra.span lineClamp="2" overflowWrap="anywhere">
              {appointment.notes}
            </chakra.span>
          </Flex>
        )}
      </Side>
    </Row>
  );
}

type BlockRowProps = { block: BlockedTime; onOpen: (blockId: string) => void };

/** Blocked time in a list by time. */
export function BlockRow({ block, onOpen }: BlockRowProps) {
  return (
    <Row type="button" bg="bg.sunken" onClick={() => onOpen(block.blockId)}>
      <Times from={block.from} to={block.to} />
      <Side borderColor="line.strong">
        <Flex gap="2" align="center" justify="space-between" wrap="wrap">
          <Text as="span" fontWeight="600" overflowWrap="anywhere">
            {block.label}
          </Text>
          <Badge>
            <Lock size={13} aria-hidden />
            Blocked
          </Badge>
        </Flex>
        <Muted as="span">{block.employeeName}</Muted>
      </Side>
    </Row>
  );
}
