import { Box } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Reading } from '../layout/reading';
import { dateAndTime, moment } from '../time/zoned';
import { RowsSkeleton } from '../ui/skeleton';
import { Muted, Text } from '../ui/text';
import { consentChangesQuery } from './queries';

type ConsentHistoryProps = { businessId: string; customerId: string; zone: string };

/** Every answer about advertising: what it was, when, and who recorded it. */
export function ConsentHistory({ businessId, customerId, zone }: ConsentHistoryProps) {
  const query = useQuery(consentChangesQuery(businessId, customerId));
  return (
    <Reading query={query} what="The answers" skeleton={<RowsSkeleton rows={1} label="Loading answers" />}>
      {({ changes }) =>
        changes.length > 0 && (
          <Box as="ul" listStyleType="none" aria-label="Answers so far">
            {changes.map((change) => {
              const at = moment(change.recordedAt);
              return (
                <Box as="li" key={`${at?.getTime()} ${change.given}`} py="1">
                  <Text>{change.given ? 'Agreed' : 'Refused or withdrew'}</Text>
                  <Muted fontSize="0.875rem">
                    {[at && dateAndTime(at, zone), change.authorName].filter(Boolean).join(' · ')}
                  </Muted>
                </Box>
              );
            })}
          </Box>
        )
      }
    </Reading>
  );
}
