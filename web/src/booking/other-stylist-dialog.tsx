import { Stack } from '@chakra-ui/react';
import { useQueries, useQuery } from '@tanstack/react-query';
import { UserX } from 'lucide-react';
import { useState } from 'react';
import { employeesQuery } from '../business/queries';
import { useConsent } from '../business/use-consent';
import { placeOf } from '../day/move-visit';
import { customerOf, servicesOf } from '../day/naming';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { messageOf } from '../http/errors';
import { Reading } from '../layout/reading';
import { MoveSeriesDialog } from '../series/move-series-dialog';
import { dayName, moment, timeSpan } from '../time/zoned';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty, Failed, Refusal } from '../ui/states';
import { Text } from '../ui/text';
import { itemsWith, stylistsFor } from './other-stylists';
import { bookableServicesQuery, startQuery } from './queries';
import { useMoving } from './use-moving';
import { offerRefused } from './why-refused';

type OtherStylistDialogProps = {
  businessId: string;
  appointment: Appointment;
  /** Who can't serve. */
  employeeId: string;
  zone: string;
  /** To the days on which another time is free. */
  onAnotherTime: () => void;
  onClose: () => void;
};

/** Who else is free for a visit at its own time. */
export function OtherStylistDialog(props: OtherStylistDialogProps) {
  const { businessId, appointment, employeeId, zone, onAnotherTime, onClose } = props;
  const services = useQuery(bookableServicesQuery(businessId));
  const employees = useQuery(employeesQuery(businessId));
  const start = moment(appointment.startsAt) ?? new Date();
  const able = stylistsFor(appointment, employeeId, services.data?.services ?? []);
  const answers = useQueries({
    queries: able.map((id) =>
      startQuery(
        businessId,
        itemsWith(appointment, employeeId, id),
        start,
        appointment.customerId,
        appointment.id,
      ),
    ),
  });
  // A visit that keeps its start needs no notice, so an offer says whether a colleague can take it over.
  const free = able.filter((_, index) => answers[index]?.data?.offer);
  const failed = answers.find(({ error }) => error)?.error;
  const { act, running, error } = useMoving({ visit: appointment, zone, onDone: onClose });
  const [asked, setAsked] = useState<string[] | null>(null);
  const { ask, question } = useConsent(
    (id) => employees.data?.employees.find((employee) => employee.id === id)?.name ?? '',
  );
  const move = (employeeIds: string[]) => {
    const { id: appointmentId, version } = appointment;
    ask(appointment, employeeIds, (customerAgreed) =>
      act({ businessId, appointmentId, employeeIds, version, customerAgreed }),
    );
  };
  const give = (id: string) => {
    const employeeIds = itemsWith(appointment, employeeId, id).map((item) => item.employeeId);
    if (appointment.seriesId) setAsked(employeeIds);
    else move(employeeIds);
  };
  const when = whenOf(appointment, zone);
  return (
    <>
      <FormDialog title="Another stylist" busy={running} onSubmit={() => undefined} onClose={onClose}>
        <Text>
          {customerOf(appointment)} · {servicesOf(appointment)} · {when}
        </Text>
        <Reading
          query={services}
          what="The team"
          skeleton={<RowsSkeleton rows={3} label="Looking for free colleagues" />}
        >
          {() => {
            if (failed && free.length === 0) {
              return <Failed title="Colleagues can’t be shown" message={messageOf(failed)} />;
            }
            if (answers.some(({ isPending }) => isPending)) {
              return <RowsSkeleton rows={3} label="Looking for free colleagues" />;
            }
            if (free.length === 0) {
              return (
                <Empty
                  icon={UserX}
                  title="No colleague is free then"
                  action={<Button onClick={onAnotherTime}>Another time</Button>}
                >
                  {able.length === 0
                    ? `No one else does ${servicesOf(appointment)}.`
                    : `Everyone else who does ${servicesOf(appointment)} is taken or not at work.`}
                </Empty>
              );
            }
            return (
              <Stack as="ul" gap="2" listStyleType="none" aria-label="Free colleagues">
                {free.map((id) => (
                  <li key={id}>
                    <Button
                      width="100%"
                      minHeight="12"
                      justifyContent="flex-start"
                      disabled={running}
                      onClick={() => give(id)}
                    >
                      {employees.data?.employees.find((employee) => employee.id === id)?.name ??
                        'An employee'}
                    </Button>
                  </li>
                ))}
              </Stack>
            );
          }}
        </Reading>
        <Refusal>{error && offerRefused(error, 'The visit could not be given to a colleague.')}</Refusal>
        <DialogActions>
          <Button onClick={onClose} disabled={running} minHeight="12">
            Close
          </Button>
        </DialogActions>
      </FormDialog>
      {asked && (
        <MoveSeriesDialog
          businessId={businessId}
          visit={appointment}
          to={{ ...placeOf(appointment), employeeIds: asked }}
          zone={zone}
          onOne={() => {
            setAsked(null);
            move(asked);
          }}
          onDone={onClose}
          onClose={() => setAsked(null)}
        />
      )}
      {question}
    </>
  );
}

function whenOf({ startsAt, endsAt }: Appointment, zone: string): string {
  const [from, to] = [moment(startsAt), moment(endsAt)];
  return from && to ? `${dayName(from, zone, new Date())}, ${timeSpan(from, to, zone)}` : '';
}
