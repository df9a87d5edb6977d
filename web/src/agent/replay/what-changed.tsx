import { Box, Grid, Stack } from '@chakra-ui/react';
import { History } from 'lucide-react';
import { Note } from '../../ui/states';
import { Text } from '../../ui/text';
import type { Changed } from '../chat/chat';

const LOOKED_UP: Readonly<Record<string, string>> = {
  list_services: 'Services',
  opening_hours: 'Opening hours',
  search_availability: 'Free times',
};

/** The same look-ups say something else today: the replay does not run on the salon of that day. */
export function WhatChanged({ changed }: { changed: readonly Changed[] }) {
  if (changed.length === 0) return null;
  return (
    <Note tone="warn" icon={History}>
      <Text fontWeight="600">The salon has changed since the call</Text>
      <Text>The draft is told what holds today, so its answers may differ for that reason alone.</Text>
      <Stack as="ul" aria-label="Changed since the call" gap="3" mt="3" listStyleType="none">
        {changed.map(({ tool, before, after }, index) => (
          <Box as="li" key={`${index} ${tool}`}>
            <Text fontWeight="600">{LOOKED_UP[tool] ?? tool}</Text>
            <Grid columnGap="6" rowGap="1" gridTemplateColumns={{ base: '1fr', lg: '1fr 1fr' }}>
              <Text>In the call: “{before}”</Text>
              <Text>Today: “{after}”</Text>
            </Grid>
          </Box>
        ))}
      </Stack>
    </Note>
  );
}
