import { Box, Flex } from '@chakra-ui/react';
import { lengthText } from '../appointments/item-length';
import { StylistWish } from '../appointments/stylist-wish';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { moment, timeSpan } from '../time/zoned';
import { Figures, H3, Muted, Text } from '../ui/text';
import { pricesOf } from './prices';

/** What is done in a visit, for whom, when, by whom and for how much. */
export function VisitItems({ visit, zone }: { visit: Appointment; zone: string }) {
  const hasGuests = visit.items.some(({ guest }) => guest > 0);
  const prices = pricesOf(visit);
  return (
    <Box borderBottom="1px solid" borderColor="line">
      <Box as="ul" aria-label="Services" listStyleType="none">
        {visit.items.map((item, index) => {
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
              <Flex gap="4" justify="space-between">
                <Muted>{lengthText(item)}</Muted>
                {prices?.items[index] && <Figures whiteSpace="nowrap">{prices.items[index]}</Figures>}
              </Flex>
              <StylistWish item={item} />
            </Box>
          );
        })}
      </Box>
      <Flex gap="4" py="3" justify="space-between" align="baseline" borderTop="1px solid" borderColor="line">
        <Text as="span" fontWeight="600">
          Total{' '}
          {prices && (
            <Muted as="span" fontWeight="400" fontSize="0.875rem">
              at list prices
            </Muted>
          )}
        </Text>
        {prices ? <Figures fontWeight="650">{prices.total}</Figures> : <Muted as="span">No prices set</Muted>}
      </Flex>
    </Box>
  );
}
