import { Box, chakra, Flex, Stack } from '@chakra-ui/react';
import { CalendarDays } from 'lucide-react';
import { AppointmentBadge } from '../appointments/state';
import { minuteText } from '../businesses/opening';
import { Surface } from '../ui/card';
import { Empty } from '../ui/states';
import { Figures, H2, Muted, Text } from '../ui/text';
import type { Column, PlacedCard } from './columns';
import { toneOf } from './visit-face';

const Row = chakra('button', {
  base: {
    display: 'grid',
    gridTemplateColumns: '4.25rem minmax(0, 1fr)',
    gap: '3',
    width: '100%',
    minHeight: '16',
    px: '4',
    py: '3',
    textAlign: 'start',
    color: 'fg',
    cursor: 'pointer',
    _hover: { bg: 'bg.hover' },
    _focusVisible: { outlineOffset: '-3px' },
  },
});

type VisitListProps = {
  days: readonly string[];
  columns: readonly Column[];
  dayTitle: (day: string) => string;
  onOpen: (appointmentId: string) => void;
};

/** The same visits by time, where there is no room for columns. */
export function VisitList({ days, columns, dayTitle, onOpen }: VisitListProps) {
  const cardsOn = (day: string) =>
    columns
      .filter((column) => column.day === day)
      .flatMap(({ cards }) => cards)
      .sort((one, other) => one.from - other.from || one.to - other.to);
  const filled = days.filter((day) => cardsOn(day).length > 0);
  if (filled.length === 0) {
    return (
      <Surface>
        <Empty icon={CalendarDays} title={days.length > 1 ? 'Nothing booked this week' : 'Nothing booked'}>
          Visits stand here as soon as they are booked, at the desk or on the phone.
        </Empty>
      </Surface>
    );
  }
  return (
    <Stack gap="4">
      {filled.map((day) => (
        <Surface key={day} overflow="hidden">
          {days.length > 1 && (
            <H2 px="4" pt="3.5" pb="2" fontSize="1rem" fontWeight="600">
              {dayTitle(day)}
            </H2>
          )}
          <Box as="ul" aria-label={`Visits, ${dayTitle(day)}`} listStyleType="none">
            {cardsOn(day).map((card) => (
              <Box
                as="li"
                key={card.key}
                borderTop="1px solid"
                borderColor="line"
                _first={{ borderTop: 'none' }}
              >
                <VisitRow card={card} onOpen={onOpen} />
              </Box>
            ))}
          </Box>
        </Surface>
      ))}
    </Stack>
  );
}

function VisitRow({ card, onOpen }: { card: PlacedCard; onOpen: (appointmentId: string) => void }) {
  const { appointment, customer, services, employeeName, resources } = card;
  const details = [services, employeeName && `with ${employeeName}`, resources];
  return (
    <Row type="button" data-card={card.key} onClick={() => onOpen(appointment.id)}>
      <Stack gap="0" lineHeight="1.35">
        <Figures fontWeight="650">{minuteText(card.from)}</Figures>
        <Figures color="fg.muted" fontSize="0.875rem">
          {minuteText(card.to)}
        </Figures>
      </Stack>
      <Stack
        gap="1"
        minWidth="0"
        ps="3"
        borderInlineStart="3px solid"
        borderColor={`${toneOf(appointment.state)}.fg`}
      >
        <Flex gap="2" align="center" justify="space-between" wrap="wrap">
          <Text as="span" fontWeight="600">
            {customer}
          </Text>
          <AppointmentBadge state={appointment.state} />
        </Flex>
        <Muted as="span">{details.filter(Boolean).join(' · ')}</Muted>
      </Stack>
    </Row>
  );
}
