import { Box, Stack } from '@chakra-ui/react';
import { CalendarCheck2 } from 'lucide-react';
import { Empty } from '../../ui/states';
import { Muted } from '../../ui/text';
import { VisitRow } from '../cards/visit-row';
import { PANEL_EDGE } from './day-panel';
import type { ToBeMoved } from './to-be-moved';

type StrandedPanelProps = { stranded: readonly ToBeMoved[]; onOpen: (appointmentId: string) => void };

/** Visits whose employee is not at work, and why. A click opens the visit, where it can be moved. */
export function StrandedPanel({ stranded, onOpen }: StrandedPanelProps) {
  if (stranded.length === 0) {
    return (
      <Empty icon={CalendarCheck2} title="Nothing to be moved">
        Every visit on this day has an employee who is at work then.
      </Empty>
    );
  }
  return (
    <Stack gap="3">
      <Muted>Their employee is not at work then. Open one to move it, or to tell the customer.</Muted>
      <Box as="ul" listStyleType="none" aria-label="Visits to be moved" mx={PANEL_EDGE} mb="-4">
        {stranded.map(({ card, why }) => (
          <Box as="li" key={card.key} borderTop="1px solid" borderColor="line">
            <VisitRow card={card} why={why} onOpen={onOpen} />
          </Box>
        ))}
      </Box>
    </Stack>
  );
}
