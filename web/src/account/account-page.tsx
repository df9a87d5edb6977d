import { Box, chakra, Grid, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { queries } from '../api/query-client';
import { warm } from '../api/warm';
import { Page } from '../layout/page';
import { Devices } from './devices';
import { Identities } from './identities';
import { PasswordSection } from './password-section';
import { Profile } from './profile';
import { devicesQuery, eventPages, identitiesQuery, meQuery, sessionsQuery } from './queries';
import { SecurityEvents } from './security-events';
import { Sessions } from './sessions';

export function loader() {
  return warm(() => [
    queries.prefetchQuery(meQuery()),
    queries.prefetchQuery(identitiesQuery()),
    queries.prefetchQuery(sessionsQuery()),
    queries.prefetchQuery(devicesQuery()),
    queries.prefetchInfiniteQuery(eventPages()),
  ]);
}

const SECTIONS = [
  { id: 'profile', label: 'Profile' },
  { id: 'password', label: 'Password' },
  { id: 'google', label: 'Sign-in with Google' },
  { id: 'sessions', label: 'Where you are signed in' },
  { id: 'devices', label: 'Trusted devices' },
  { id: 'events', label: 'Security events' },
] as const;

export function Component() {
  const me = useQuery(meQuery());
  return (
    <Page title="Your account" lead="Who you are, how you sign in, and what happened with it.">
      <Grid
        gap={{ base: '5', lg: '10' }}
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 46rem) minmax(0, 1fr)' }}
        alignItems="start"
      >
        <Stack gap="6">
          <Anchor id="profile">
            <Profile query={me} />
          </Anchor>
          <Anchor id="password">
            <PasswordSection query={me} />
          </Anchor>
          <Anchor id="google">
            <Identities hasPassword={me.data?.hasPassword ?? true} />
          </Anchor>
          <Anchor id="sessions">
            <Sessions />
          </Anchor>
          <Anchor id="devices">
            <Devices />
          </Anchor>
          <Anchor id="events">
            <SecurityEvents />
          </Anchor>
        </Stack>
        <OnThisPage />
      </Grid>
    </Page>
  );
}

/** A scroll target that keeps clear of the top bar. */
function Anchor({ id, children }: { id: string; children: ReactNode }) {
  return (
    <Box id={id} scrollMarginTop="5.5rem">
      {children}
    </Box>
  );
}

function OnThisPage() {
  return (
    <chakra.nav aria-label="On this page" hideBelow="lg" position="sticky" top="5.5rem" fontSize="0.9375rem">
      <chakra.p fontSize="0.8125rem" fontWeight="600" color="fg.muted" pb="2">
        On this page
      </chakra.p>
      <chakra.ul listStyleType="none" borderInlineStart="1px solid" borderColor="line">
        {SECTIONS.map(({ id, label }) => (
          <li key={id}>
            <chakra.a
              href={`#${id}`}
              display="block"
              py="1.5"
              px="4"
              color="fg.muted"
              textDecoration="none"
              _hover={{ color: 'fg', textDecoration: 'underline' }}
            >
              {label}
            </chakra.a>
          </li>
        ))}
      </chakra.ul>
    </chakra.nav>
  );
}
