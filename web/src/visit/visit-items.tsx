import { Box, Flex } from '@chakra-ui/react';
import { lengthText } from '../appointments/item-length';
import { StylistWish } from '../appointments/stylist-wish';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { moment, timeSpan } from '../time/zoned';
import { Figures, H3, Muted } from '../ui/text';

/** What is done in a visit, for whom, when and by whom. */
export function VisitItems({ visit, zone }: { visit: Appointment; zone: string }) {
  const hasGuests = visit.items.some(({ guest }) => guest > 0);
  return (
    <Box as="ul" aria-label="Services" listStyleType="none" borderBottom="1px solid" borderColor="line">
      {visit.items.map((item) => {
        const [from, to] = [moment(item.startsAt), moment(item.endsAt)];
        const resources = item.resources.map(({ resourceName }) => resourceName).join(', ');
        const whom = item.employeeName ? `with ${item.employeeName}` : 'Unassigned';
        const guest = hasGuests && `Guest ${item.guest + 1}`;
        return (
          <Box
            as="li"
            key={`${item.serviceId}-${item.guest}-${from?.getTime()}`}
            py="3"
            borderTop="1px solid"
            borderColor="line"
          >
            <Flex gap="4" justify="space-between">
              <H3 overflowWrap="anywhere">{item.serviceName}</H3>
              {from && to && <Figures whiteSpace="nowrap">{timeSpan(from, to, zone)}</Figures>}
            </Flex>
            <Muted>{[guest, whom, resources].filter(Boolean).join(' · ')}</Muted>
            <Muted>{lengthText(item)}</Muted>
            <StylistWish item={item} />
          </Box>
        );
      })}
    </Box>
  );
}
