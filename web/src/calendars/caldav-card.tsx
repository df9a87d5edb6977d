import { Box } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { may } from '../api/access';
import { fetchedAhead } from '../api/fetched-ahead';
import { employeesQuery, meQuery } from '../business/queries';
import { CalendarAccess } from '../gen/access';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { Muted } from '../ui/text';
import { calendarsQuery } from './queries';

const ConnectCaldavDialog = fetchedAhead(() =>
  import('./connect-caldav-dialog').then(({ ConnectCaldavDialog }) => ConnectCaldavDialog),
);

/** Connecting calendars by a server, a name and a password. */
export function CaldavCard({ businessId, role }: { businessId: string; role: string }) {
  const [connecting, setConnecting] = useState(false);
  const allowed = may(CalendarAccess.connectCaldavCalendar, role);
  const me = useQuery({ ...meQuery(), enabled: allowed }).data?.id;
  const employees = useQuery({ ...employeesQuery(businessId), enabled: allowed }).data?.employees ?? [];
  const { mayConnectOthers = false } =
    useQuery({ ...calendarsQuery(businessId), enabled: allowed }).data ?? {};
  const people = employees.filter(({ userId }) => mayConnectOthers || (userId && userId === me));
  // Who is no employee has no calendar to connect.
  if (!allowed || people.length === 0) return null;
  return (
    <Card title="Calendars on a CalDAV server">
      <Muted>
        What is entered there keeps its owner’s time free here, and their appointments are written there.
      </Muted>
      <Box mt="4">
        <Button onClick={() => setConnecting(true)}>Connect a CalDAV calendar</Button>
      </Box>
      {connecting && (
        <ConnectCaldavDialog businessId={businessId} people={people} onClose={() => setConnecting(false)} />
      )}
    </Card>
  );
}
