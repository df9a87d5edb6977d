import { Box, chakra, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { LineChange } from '../gen/frontdesk/tenancy/v1/agent_settings_pb';
import { Reading } from '../layout/reading';
import { RowsSkeleton } from '../ui/skeleton';
import { Muted, ScreenReaderOnly, Text } from '../ui/text';
import { agentComparison } from './queries';
import { SETTING_NAME } from './values';

type ChangesProps = { businessId: string; from: number; to: number };

/** What one version says differently from another, setting by setting and of the prompt line by line. */
export function Changes({ businessId, from, to }: ChangesProps) {
  const query = useQuery(agentComparison(businessId, from, to));
  return (
    <Reading
      query={query}
      what="The changes"
      skeleton={<RowsSkeleton rows={2} label="Loading the changes" />}
    >
      {({ changes }) =>
        changes.length === 0 ? (
          <Muted>Nothing differs.</Muted>
        ) : (
          <Stack as="ul" aria-label="Changes" gap="4" listStyleType="none">
            {changes.map(({ field, before, after, lines }) => (
              <Box as="li" key={field} minWidth="0">
                <Text fontWeight="600">{SETTING_NAME[field] ?? field}</Text>
                {lines.length > 0 ? (
                  <Box fontSize="0.875rem" overflowWrap="anywhere">
                    {lines.map((line, index) => (
                      <Line key={`${index} ${line.before ?? ''}`} line={line} />
                    ))}
                  </Box>
                ) : (
                  <Muted overflowWrap="anywhere">
                    {before || 'empty'} → {after || 'empty'}
                  </Muted>
                )}
              </Box>
            ))}
          </Stack>
        )
      }
    </Reading>
  );
}

function Line({ line: { before, after } }: { line: LineChange }) {
  if (before === undefined)
    return (
      <chakra.div bg="good.subtle" px="2">
        <ScreenReaderOnly>Added: </ScreenReaderOnly>+ {after}
      </chakra.div>
    );
  if (after === undefined)
    return (
      <chakra.div bg="bad.subtle" px="2">
        <ScreenReaderOnly>Removed: </ScreenReaderOnly>− {before}
      </chakra.div>
    );
  return <chakra.div px="2">{before || '\u00A0'}</chakra.div>;
}
