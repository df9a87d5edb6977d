import { Box, Flex, Stack } from '@chakra-ui/react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { meQuery } from '../business/queries';
import { useEmployeesOnRecord } from '../business/use-employees';
import { employeesOf, servicesOf } from '../day/naming';
import { type Appointment, AppointmentState } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { Reading } from '../layout/reading';
import { VisitLink } from '../layout/visit-link';
import { dayName, moment, timeOfDay } from '../time/zoned';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { LongList } from '../ui/long-list';
import { moneyText } from '../ui/money';
import { RowsSkeleton } from '../ui/skeleton';
import { H3, Muted } from '../ui/text';
import { cancellationText, type Readers } from './cancellation-text';
import { allUpcomingQuery, pastPages } from './queries';
import { AppointmentBadge } from './state';

const ROW_HEIGHT = 60;
/** More visits to come than that are a series. */
const FEW = 10;

type CustomerVisitsProps = {
  businessId: string;
  customerId: string;
  zone: string;
  title: string;
  /** A visit that is shown already. */
  except?: string;
};

/** A customer's visits, coming and past. */
export function CustomerVisits({ businessId, customerId, zone, title, except }: CustomerVisitsProps) {
  const upcoming = useQuery(allUpcomingQuery(businessId, customerId));
  const past = useInfiniteQuery(pastPages(businessId, customerId));
  const employees = useEmployeesOnRecord(businessId);
  const userId = useQuery(meQuery()).data?.id ?? '';
  const others = (visits: Appointment[]) => visits.filter(({ id }) => id !== except);
  const rows = { businessId, zone, readers: { employees, userId } };
  return (
    <Card title={title}>
      <Stack gap="4">
        <Reading
          query={upcoming}
          what="Upcoming visits"
          skeleton={<RowsSkeleton rows={1} label="Loading visits" />}
        >
          {(appointments) => {
            const isCancelled = ({ state }: Appointment) => state === AppointmentState.CANCELLED;
            const gone = others(appointments).filter(isCancelled);
            return (
              <>
                <Visits
                  {...rows}
                  title="Upcoming"
                  visits={others(appointments).filter((visit) => !isCancelled(visit))}
                  none="None booked."
                  rest="Show later visits"
                />
                {gone.length > 0 && (
                  <Visits
                    {...rows}
                    title="Cancelled"
                    visits={gone}
                    none=""
                    rest="Show later cancelled visits"
                  />
                )}
              </>
            );
          }}
        </Reading>
        <Reading
          query={past}
          what="Earlier visits"
          skeleton={<RowsSkeleton rows={2} label="Loading visits" />}
        >
          {({ pages }) => (
            <Visits
              {...rows}
              title="Past"
              visits={others(pages.flatMap(({ appointments }) => appointments))}
              none="None on record."
            />
          )}
        </Reading>
        {past.hasNextPage && (
          <Button
            alignSelf="flex-start"
            loading={past.isFetchingNextPage}
            onClick={() => void past.fetchNextPage()}
          >
            Show earlier visits
          </Button>
        )}
      </Stack>
    </Card>
  );
}

/** "Cut & finish with Mia Larsen · £62". */
export function whatAndWho(visit: Appointment): string {
  const employees = employeesOf(visit);
  const what = employees ? `${servicesOf(visit)} with ${employees}` : servicesOf(visit);
  return [what, moneyText(visit.priceMinor, visit.currency)].filter(Boolean).join(' · ');
}

type VisitsProps = {
  businessId: string;
  zone: string;
  readers: Readers;
  title: string;
  visits: Appointment[];
  none: string;
  /** Shows those after the first few, where they are kept back. */
  rest?: string;
};

function Visits({ businessId, zone, readers, title, visits, none, rest }: VisitsProps) {
  const [all, setAll] = useState(false);
  const shown = rest && !all ? visits.slice(0, FEW) : visits;
  return (
    <Stack gap="1">
      <H3>{title}</H3>
      {visits.length === 0 && <Muted>{none}</Muted>}
      <LongList label={title} items={shown} keyOf={({ id }) => id} rowHeight={ROW_HEIGHT}>
        {(visit) => {
          const at = moment(visit.startsAt);
          const cancelled = cancellationText(visit, readers, zone, new Date());
          return (
            <Flex gap="3" py="1.5" align="baseline" justify="space-between">
              <Box minWidth="0">
                <VisitLink businessId={businessId} appointmentId={visit.id}>
                  {at ? `${dayName(at, zone, new Date())}, ${timeOfDay(at, zone)}` : 'A visit'}
                </VisitLink>
                <Muted overflowWrap="anywhere">{whatAndWho(visit)}</Muted>
                {cancelled && <Muted overflowWrap="anywhere">{cancelled}</Muted>}
              </Box>
              <AppointmentBadge state={visit.state} />
            </Flex>
          );
        }}
      </LongList>
      {shown.length < visits.length && (
        <Button alignSelf="flex-start" onClick={() => setAll(true)}>
          {rest}
        </Button>
      )}
    </Stack>
  );
}
