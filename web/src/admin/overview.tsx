import { Box, Flex, Grid, Stack } from '@chakra-ui/react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Building2, CircleAlert, CircleCheck, ListTodo } from 'lucide-react';
import type { ReactNode } from 'react';
import { allBusinessesPages } from '../business/queries';
import type { Business } from '../gen/frontdesk/tenancy/v1/business_pb';
import { ButtonLink, TextLink } from '../layout/links';
import { Reading } from '../layout/reading';
import { paths } from '../paths';
import { dayKey } from '../time/zoned';
import { Card, CardRow, Surface } from '../ui/card';
import { Bar, RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { Figures, Muted, ScreenReaderOnly } from '../ui/text';
import { FailedParts } from './failed-parts';
import {
  type BusinessHealth,
  failsInCallsAlone,
  failsToPublishAlone,
  healthOf,
  leftText,
  needsLook,
  sumOf,
} from './health';
import { DAYS, useHealth, useSince } from './health-queries';

/** So many businesses are asked about at once. */
const FEW = 8;

/** How the installation does, and what an administrator has to do. */
export function Overview() {
  const query = useInfiniteQuery(allBusinessesPages());
  return (
    <Reading
      query={query}
      what="The businesses"
      framed
      skeleton={
        <Surface>
          <RowsSkeleton rows={4} label="Loading businesses" />
        </Surface>
      }
    >
      {({ pages }) => <Figured businesses={pages[0]?.businesses ?? []} more={query.hasNextPage} />}
    </Reading>
  );
}

function Figured({ businesses, more }: { businesses: Business[]; more: boolean }) {
  const { parts, failed } = useHealth([businesses.map(({ id }) => id)]);
  const waiting = businesses
    .map((business) => ({ business, health: healthOf(business.id, parts) }))
    .filter(({ health }) => needsLook(health));
  const answered = Object.values(parts).every((part) => part !== undefined);
  // Of a first page alone nothing is said as if it were of all.
  const of = more ? `the first ${businesses.length} businesses` : 'all businesses';
  return (
    <Stack gap="6">
      {businesses.length > 0 && (
        <Grid gap={{ base: '3', sm: '4' }} gridTemplateColumns={{ base: '1fr 1fr', xl: 'repeat(4, 1fr)' }}>
          <Figure
            name="Businesses"
            value={businesses.length}
            suffix={more ? '+' : ''}
            note="in this installation"
          />
          <Figure
            name="Calls"
            value={sumOf(parts.calls, ({ callCount }) => callCount)}
            note={`in the last ${DAYS} days, of ${of}`}
          />
          <Figure
            name="Visits to come"
            value={sumOf(parts.bookings, ({ comingVisitCount }) => comingVisitCount)}
            note={`in the next ${DAYS} days, of ${of}`}
          />
          <Figure
            name="Calendars not up to date"
            value={sumOf(parts.calendars, ({ failingCount }) => failingCount)}
            note={`now, of ${of}`}
          />
        </Grid>
      )}
      <FailedParts failed={failed} />
      <Card
        title="Needs an administrator"
        flush
        action={<TextLink to={paths.adminHealth}>Businesses at a glance</TextLink>}
      >
        {waiting.length > 0 ? (
          <Box as="ul" aria-label="Needs an administrator" listStyleType="none">
            {waiting.slice(0, FEW).map(({ business, health }) => (
              <Waiting key={business.id} business={business} health={health} />
            ))}
          </Box>
        ) : answered || businesses.length === 0 ? (
          <Empty
            icon={businesses.length === 0 ? Building2 : CircleCheck}
            title={businesses.length === 0 ? 'No businesses yet' : 'Nothing needs you'}
            action={
              businesses.length === 0 && (
                <ButtonLink to={paths.adminCreateBusiness()} variant="contained">
                  Create a business
                </ButtonLink>
              )
            }
          >
            {businesses.length > 0
              ? `All is set up, and nothing fails, in ${of}.`
              : 'Set up the first salon step by step: its hours, team, services, owner and telephone.'}
          </Empty>
        ) : (
          failed.length === 0 && <RowsSkeleton rows={2} label="Loading how businesses are" />
        )}
        {waiting.length > FEW && (
          <Muted px={{ base: '4', sm: '6' }} py="2">
            {waiting.length - FEW} more are under businesses at a glance.
          </Muted>
        )}
      </Card>
    </Stack>
  );
}

type FigureProps = {
  name: string;
  value: number | undefined;
  suffix?: string;
  note: ReactNode;
};

function Figure({ name, value, suffix = '', note }: FigureProps) {
  return (
    <Surface p={{ base: '4', sm: '5' }}>
      <Stack gap="1">
        <Muted fontWeight="600">{name}</Muted>
        {value === undefined ? (
          <Box py="2.5">
            <Bar width="64px" height="1.5rem" />
          </Box>
        ) : (
          <Figures fontSize="2rem" fontWeight="600" lineHeight="1.25">
            {value}
            {suffix}
          </Figures>
        )}
        <Muted fontSize="0.8125rem">{note}</Muted>
      </Stack>
    </Surface>
  );
}

type WaitingProps = { business: Business; health: BusinessHealth };

function Waiting({ business: { id, name, timeZone }, health }: WaitingProps) {
  const { left, problems } = health;
  const since = useSince();
  return (
    <CardRow align="center" justify="space-between" wrap="wrap">
      <Stack gap="1" flex="1 1 16rem" minWidth="0">
        <TextLink to={paths.business(id)} fontWeight="600" alignSelf="flex-start">
          {name}
        </TextLink>
        {problems.map((problem) => (
          <Flex key={problem} align="center" gap="1.5" color="bad.fg" fontSize="0.9375rem">
            <Box flexShrink="0">
              <CircleAlert size={16} aria-hidden />
            </Box>
            {problem}
          </Flex>
        ))}
        {left.length > 0 && (
          <Flex align="flex-start" gap="1.5" color="fg.muted" fontSize="0.9375rem">
            <Box flexShrink="0" pt="1">
              <ListTodo size={16} aria-hidden />
            </Box>
            {leftText(left)}
          </Flex>
        )}
      </Stack>
      {left.length > 0 ? (
        <ButtonLink to={paths.adminCreateBusiness(id)} aria-label={`Go on setting up ${name}`}>
          Go on setting up
        </ButtonLink>
      ) : failsInCallsAlone(health) ? (
        <ButtonLink to={paths.calls(id, `failed=1&from=${dayKey(since, timeZone)}`)}>
          See the calls
          <ScreenReaderOnly> of {name} in which a look-up failed</ScreenReaderOnly>
        </ButtonLink>
      ) : failsToPublishAlone(health) ? (
        <ButtonLink to={paths.adminAgentSettings(id)}>
          Agent settings
          <ScreenReaderOnly> of {name}</ScreenReaderOnly>
        </ButtonLink>
      ) : (
        <ButtonLink to={paths.inbox(id)}>
          Open inbox
          <ScreenReaderOnly> of {name}</ScreenReaderOnly>
        </ButtonLink>
      )}
    </CardRow>
  );
}
