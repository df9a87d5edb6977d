import { Flex, Stack } from '@chakra-ui/react';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { CalendarCheck } from 'lucide-react';
import { useState } from 'react';
import { may } from '../api/access';
import { useAction } from '../api/action';
import { methodKey } from '../api/query';
import { ChosenBusiness, useBusinessHere } from '../business/chosen-business';
import { useZone } from '../business/use-zone';
import { ReadOnlyNote } from '../calendars/read-only-note';
import { useSearch } from '../finding/use-search';
import { AppointmentSyncAccess } from '../gen/access';
import {
  AppointmentSyncService,
  type SyncedAppointment,
  type SyncedEvent,
  SyncState,
} from '../gen/frontdesk/calendarsync/v1/appointment_sync_pb';
import { asSentence, messageOf } from '../http/errors';
import { TextLink } from '../layout/links';
import { Page } from '../layout/page';
import { Reading } from '../layout/reading';
import { paths } from '../paths';
import { agoText } from '../time/ago';
import { dateAndTime, moment, timeOfDay } from '../time/zoned';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Surface } from '../ui/card';
import { CheckField } from '../ui/check-field';
import { LongTable } from '../ui/long-table';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { Muted, ScreenReaderOnly } from '../ui/text';
import { toasts } from '../ui/toasts';
import { useNow } from '../ui/use-now';
import { HistoryDrawer } from './history-drawer';
import { appointmentSyncPages } from './queries';
import { kindText, stateText } from './wording';

const MINUTE_MS = 60_000;
const ROW_HEIGHT = 65;

export function Component() {
  const { businessId, role } = useBusinessHere();
  return (
    <Page title="Appointment sync" lead="Which calendars each appointment was written to, and what failed.">
      <ChosenBusiness>
        <Appointments key={businessId} businessId={businessId} role={role} />
      </ChosenBusiness>
    </Page>
  );
}

function Appointments({ businessId, role }: { businessId: string; role: string | undefined }) {
  const [search, changeSearch] = useSearch();
  const needsLook = search.get('only') === 'failed';
  const [history, setHistory] = useState<SyncedAppointment>();
  const zone = useZone(businessId);
  const query = useInfiniteQuery(appointmentSyncPages(businessId, needsLook));
  const filter = (failed: boolean) =>
    changeSearch(
      (search) => {
        if (failed) search.set('only', 'failed');
        else search.delete('only');
        return search;
      },
      { replace: true },
    );
  return (
    <Stack gap="5">
      <ReadOnlyNote businessId={businessId} />
      <CheckField
        label="Only what failed or was refused"
        checked={needsLook}
        onChange={(event) => filter(event.currentTarget.checked)}
      />
      <Reading
        query={query}
        what="The appointments"
        framed
        missingIsPage
        skeleton={
          <Surface>
            <RowsSkeleton rows={5} label="Loading appointments" />
          </Surface>
        }
      >
        {({ pages }) => {
          const appointments = pages.flatMap((page) => page.appointments);
          if (appointments.length === 0) {
            return (
              <Surface>
                <Empty
                  icon={CalendarCheck}
                  title={needsLook ? 'Nothing failed' : 'No appointment is in a calendar'}
                >
                  {needsLook
                    ? 'Every appointment is in its employee’s calendars, or on its way there.'
                    : 'Appointments are written once their employee has a connected calendar that takes them.'}
                </Empty>
              </Surface>
            );
          }
          return (
            <Surface overflow="hidden">
              <LongTable
                label="Appointments and their calendars"
                paired
                head={
                  <>
                    <th scope="col">Appointment</th>
                    <th scope="col">When</th>
                    <th scope="col">In calendars</th>
                    <th scope="col" aria-label="Actions" />
                  </>
                }
                items={appointments}
                keyOf={({ appointmentId }) => appointmentId}
                rowHeight={ROW_HEIGHT}
              >
                {(appointment) => (
                  <Cells
                    businessId={businessId}
                    appointment={appointment}
                    role={role}
                    zone={zone}
                    onHistory={() => setHistory(appointment)}
                  />
                )}
              </LongTable>
            </Surface>
          );
        }}
      </Reading>
      {query.hasNextPage && (
        <Flex justify="center">
          <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show more
          </Button>
        </Flex>
      )}
      {history && (
        <HistoryDrawer
          businessId={businessId}
          appointment={history}
          zone={zone}
          onClose={() => setHistory(undefined)}
        />
      )}
    </Stack>
  );
}

type CellsProps = {
  businessId: string;
  appointment: SyncedAppointment;
  role: string | undefined;
  zone: string;
  onHistory: () => void;
};

function Cells({ businessId, appointment, role, zone, onHistory }: CellsProps) {
  const { appointmentId, title, startsAt, endsAt, events } = appointment;
  const [from, to] = [moment(startsAt), moment(endsAt)];
  const queries = useQueryClient();
  const list = methodKey(AppointmentSyncService.method.listAppointmentSync);
  const { act, running } = useAction(AppointmentSyncService.method.retryAppointmentSync, {
    onDone: () => {
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === list });
      toasts.show('good', `${title || 'The appointment'} is being written again.`);
    },
    onRefused: (error) => toasts.show('bad', messageOf(error, 'It could not be tried again.')),
  });
  const failed = events.some(({ state }) => state === SyncState.PARKED || state === SyncState.RETRYING);
  return (
    <>
      <th scope="row">
        <TextLink to={paths.appointment(businessId, appointmentId)}>{title || 'Taken out'}</TextLink>
      </th>
      <td data-label="When">{from && to && `${dateAndTime(from, zone)} – ${timeOfDay(to, zone)}`}</td>
      <td data-label="In calendars">
        <Stack gap="2">
          {events.map((event, index) => (
            <Side key={`${event.calendarId} ${index}`} event={event} />
          ))}
        </Stack>
      </td>
      <td data-figures>
        <Flex display="inline-flex" gap="2">
          {failed && may(AppointmentSyncAccess.retryAppointmentSync, role) && (
            <Button loading={running} onClick={() => act({ businessId, appointmentId })}>
              Try again
              <ScreenReaderOnly>: {title}</ScreenReaderOnly>
            </Button>
          )}
          <Button variant="quiet" onClick={onHistory}>
            History
            <ScreenReaderOnly> of {title}</ScreenReaderOnly>
          </Button>
        </Flex>
      </td>
    </>
  );
}

function Side({ event: { state, calendarName, kind, fault, againAt, failures } }: { event: SyncedEvent }) {
  const now = useNow(MINUTE_MS);
  const { label, tone } = stateText(state);
  const again = moment(againAt);
  return (
    <Stack gap="0.5">
      <Flex gap="2" align="baseline">
        <Badge tone={tone}>{label}</Badge>
        <span>
          {calendarName} ({kindText(kind)})
        </span>
      </Flex>
      {fault && (
        <Muted fontSize="0.875rem">
          {asSentence(fault)}
          {again && ` Attempt ${failures + 1} is ${agoText(again > now ? again : now, now)}.`}
        </Muted>
      )}
    </Stack>
  );
}
