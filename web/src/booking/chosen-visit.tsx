import { Box, Flex, Stack } from '@chakra-ui/react';
import { extraText } from '../day/lengths';
import type { Offer } from '../gen/frontdesk/scheduling/v1/availability_pb';
import { dayName, minutesText, moment, timeSpan } from '../time/zoned';
import { moneyText } from '../ui/money';
import { Figures, Muted, Text } from '../ui/text';
import { minutesOf } from './offers';

/** A visit as it would be: when, what by whom, and what all of it takes and costs. */
export function ChosenVisit({ offer, zone }: { offer: Offer; zone: string }) {
  const [from, to] = [moment(offer.startsAt), moment(offer.endsAt)];
  const guests = new Set(offer.items.map(({ guest }) => guest)).size;
  if (!from || !to) return null;
  return (
    <Stack gap="3">
      <Stack gap="0">
        <Text fontSize="1.1875rem" fontWeight="650">
          {dayName(from, zone, new Date())}, {timeSpan(from, to, zone)}
        </Text>
        <Muted>
          <Figures>
            {minutesText(minutesOf(offer))}
            {offer.currency && ` · ${moneyText(offer.priceMinor, offer.currency)}`}
          </Figures>
        </Muted>
      </Stack>
      <Box as="ul" listStyleType="none" border="1px solid" borderColor="line" borderRadius="button">
        {offer.items.map((item, index) => {
          const [start, end] = [moment(item.startsAt), moment(item.endsAt)];
          return (
            <Flex
              as="li"
              key={index}
              gap="3"
              justify="space-between"
              px="3.5"
              py="2"
              borderTop={index > 0 ? '1px solid' : undefined}
              borderColor="line"
            >
              <Stack gap="0" minWidth="0">
                <Text fontWeight="550" fontSize="0.9375rem">
                  {item.serviceName}
                  {guests > 1 && ` · guest ${item.guest + 1}`}
                </Text>
                <Muted fontSize="0.875rem">
                  {[
                    item.employeeName,
                    ...item.resources.map(({ resourceName }) => resourceName),
                    extraText(item.extraMinutes),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </Muted>
              </Stack>
              {start && end && (
                <Figures fontSize="0.9375rem" whiteSpace="nowrap">
                  {timeSpan(start, end, zone)}
                </Figures>
              )}
            </Flex>
          );
        })}
      </Box>
    </Stack>
  );
}
