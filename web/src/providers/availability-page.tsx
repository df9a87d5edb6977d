import { Flex, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { CalendarRange } from 'lucide-react';
import { ChosenBusiness, useBusinessHere } from '../business/chosen-business';
import { useZone } from '../business/use-zone';
import { useSearch } from '../finding/use-search';
import { DayNavigation } from '../layout/day-navigation';
import { ButtonLink } from '../layout/links';
import { Page } from '../layout/page';
import { Reading } from '../layout/reading';
import { paths } from '../paths';
import { longDayText } from '../time/day-text';
import { dayAfter } from '../time/local';
import { isDay } from '../time/local-day';
import { dayKey } from '../time/zoned';
import { Surface } from '../ui/card';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { H2 } from '../ui/text';
import { useNow } from '../ui/use-now';
import { useShortcuts } from '../ui/use-shortcuts';
import { AvailabilityDay } from './availability-day';
import { availabilityQuery } from './queries';
import { WithConnection } from './with-connection';

const MINUTE_MS = 60_000;

/** Where to go on from a comparison. */
export type AvailabilityPaths = { credentials: string; mapping: string; consistency: string };

export function Component() {
  const { businessId, chosen } = useBusinessHere();
  const to: AvailabilityPaths = chosen
    ? {
        credentials: paths.adminProviderCredentials(businessId),
        mapping: `${paths.adminProviderSync}?business=${businessId}`,
        consistency: `${paths.adminConsistency}?business=${businessId}`,
      }
    : {
        credentials: paths.providerCredentials(businessId),
        mapping: paths.providerSync(businessId),
        consistency: paths.consistency(businessId),
      };
  return (
    <Page
      title="Availability compared"
      lead="When each employee is free in the book and in the booking system, and where the two differ."
    >
      <ChosenBusiness>
        <WithConnection businessId={businessId} credentials={to.credentials}>
          {({ id, label }) => (
            <Availability key={id} businessId={businessId} connectionId={id} system={label} to={to} />
          )}
        </WithConnection>
      </ChosenBusiness>
    </Page>
  );
}

type AvailabilityProps = {
  businessId: string;
  connectionId: string;
  /** What the booking system is called. */
  system: string;
  to: AvailabilityPaths;
};

function Availability({ businessId, connectionId, system, to }: AvailabilityProps) {
  const [search, changeSearch] = useSearch();
  const today = dayKey(useNow(MINUTE_MS), useZone(businessId));
  const asked = search.get('date');
  const day = isDay(asked) ? asked : today;
  const query = useQuery(availabilityQuery(businessId, connectionId, day));
  const change = (next: (before: string) => string) =>
    changeSearch(
      (search) => {
        const before = search.get('date');
        const after = next(isDay(before) ? before : today);
        if (after === today) search.delete('date');
        else search.set('date', after);
        return search;
      },
      { replace: true },
    );
  const step = (days: number) => change((before) => dayAfter(before, days));
  useShortcuts({
    t: { what: 'Today', run: () => change(() => today) },
    j: { what: 'Next day', run: () => step(1) },
    k: { what: 'Previous day', run: () => step(-1) },
  });
  return (
    <Stack gap="5">
      <Flex justify="space-between" align="center" gap="3" wrap="wrap">
        <H2 aria-live="polite">{longDayText(day)}</H2>
        <Flex width={{ base: '100%', sm: 'auto' }}>
          <DayNavigation
            day={day}
            what="day"
            onDay={(date) => change(() => date)}
            onStep={step}
            onToday={() => change(() => today)}
          />
        </Flex>
      </Flex>
      <Reading
        query={query}
        what="The free time"
        framed
        skeleton={
          <Surface>
            <RowsSkeleton rows={4} label="Loading free time" />
          </Surface>
        }
      >
        {(compared) =>
          compared.employees.length === 0 ? (
            <Surface>
              <Empty
                icon={CalendarRange}
                title="No one to compare"
                action={<ButtonLink to={to.mapping}>Map employees</ButtonLink>}
              >
                No employee who works here is mapped to one of {system}. Say first who each of them is.
              </Empty>
            </Surface>
          ) : (
            <AvailabilityDay compared={compared} system={system} to={to} />
          )
        }
      </Reading>
    </Stack>
  );
}
