import { Grid, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Clock } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { may } from '../api/access';
import { openingHoursQuery } from '../business/queries';
import { BookingPolicyAccess, ScheduleAccess } from '../gen/access';
import type { GetOpeningHoursResponse } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { OnceRead } from '../layout/once-read';
import { Reading } from '../layout/reading';
import { daysOffText, hoursText, weekLines, weekOfSpans } from '../team/hours';
import { zoneCity } from '../time/zoned';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { Fact, Facts } from '../ui/facts';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { ClosuresCard } from './closures-card';
import { PolicyCard } from './policy-card';
import type { TabProps } from './tab-props';

const OpeningHoursDialog = lazy(() =>
  import('./opening-hours-dialog').then(({ OpeningHoursDialog }) => ({ default: OpeningHoursDialog })),
);

/** When the salon is open, when it is not, and when visits can be booked. */
export function HoursTab({ businessId, role, zone }: TabProps) {
  const query = useQuery(openingHoursQuery(businessId));
  return (
    <Grid
      gap="6"
      alignItems="start"
      gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) minmax(0, 1fr)' }}
    >
      <Stack gap="6" minWidth="0">
        <Reading
          query={query}
          what="The opening hours"
          framed
          skeleton={
            <Card title="Opening hours">
              <RowsSkeleton rows={4} label="Loading opening hours" />
            </Card>
          }
        >
          {(hours) => (
            <OpeningHoursCard
              businessId={businessId}
              hours={hours}
              changes={may(ScheduleAccess.setOpeningHours, role)}
            />
          )}
        </Reading>
        {may(BookingPolicyAccess.getBookingPolicy, role) && (
          <OnceRead queries={[query]} skeleton={null}>
            <PolicyCard
              businessId={businessId}
              zone={zone}
              changes={may(BookingPolicyAccess.updateBookingPolicy, role)}
            />
          </OnceRead>
        )}
      </Stack>
      <OnceRead queries={[query]} skeleton={null}>
        <ClosuresCard businessId={businessId} role={role} zone={zone} />
      </OnceRead>
    </Grid>
  );
}

type OpeningHoursCardProps = { businessId: string; hours: GetOpeningHoursResponse; changes: boolean };

function OpeningHoursCard({ businessId, hours, changes }: OpeningHoursCardProps) {
  const [changing, setChanging] = useState(false);
  const week = weekOfSpans(hours.spans);
  const lines = weekLines(week);
  const closed = daysOffText(week);
  const change = changes && <Button onClick={() => setChanging(true)}>Change hours</Button>;
  return (
    <Card title="Opening hours" action={lines.length > 0 && change}>
      {lines.length === 0 ? (
        <Empty icon={Clock} title="No opening hours yet" action={change}>
          Without them no time can be offered on the phone.
        </Empty>
      ) : (
        <Facts>
          {lines.map(({ days, spans }) => (
            <Fact key={days} name={days}>
              {hoursText(spans)}
            </Fact>
          ))}
          {closed && <Fact name={closed}>Closed</Fact>}
          <Fact name="Time zone">
            {zoneCity(hours.timeZone)} ({hours.timeZone})
          </Fact>
        </Facts>
      )}
      {changing && (
        <Suspense>
          <OpeningHoursDialog businessId={businessId} hours={hours} onClose={() => setChanging(false)} />
        </Suspense>
      )}
    </Card>
  );
}
