import { Flex } from '@chakra-ui/react';
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
const ConnectIcsDialog = fetchedAhead(() =>
  import('./connect-ics-dialog').then(({ ConnectIcsDialog }) => ConnectIcsDialog),
);

/** Connecting calendars that ask for no consent: by an account on a server, or by the address they are published at. */
export function ConnectCard({ businessId, role }: { businessId: string; role: string }) {
  const [connecting, setConnecting] = useState<'caldav' | 'ics'>();
  const allowed = may(CalendarAccess.connectCaldavCalendar, role);
  const me = useQuery({ ...meQuery(), enabled: allowed }).data?.id;
  const employees = useQuery({ ...employeesQuery(businessId), enabled: allowed }).data?.employees ?? [];
  const { mayConnectOthers = false } =
    useQuery({ ...calendarsQuery(businessId), enabled: allowed }).data ?? {};
  const people = employees.filter(({ userId }) => mayConnectOthers || (userId && userId === me));
  // Who is no employee has no calendar to connect.
  if (!allowed || people.length === 0) return null;
  const Dialog = connecting === 'ics' ? ConnectIcsDialog : ConnectCaldavDialog;
  return (
    <Card title="Other calendars">
      <Muted>
        What is entered in a CalDAV calendar keeps its owner’s time free here, and their appointments are
        written there. A calendar that only has an address is read, and nothing is written to it.
      </Muted>
      <Flex mt="4" gap="3" wrap="wrap">
        <Button onClick={() => setConnecting('caldav')}>Connect a CalDAV calendar</Button>
        <Button onClick={() => setConnecting('ics')}>Connect a calendar by its address</Button>
      </Flex>
      {connecting && (
        <Dialog businessId={businessId} people={people} onClose={() => setConnecting(undefined)} />
      )}
    </Card>
  );
}
