import { Box, Flex, Stack } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../api/action';
import { listedCustomers, listedText } from '../business/listed';
import { readVisitsAgain } from '../business/read-visits-again';
import { undoChange } from '../business/undo-change';
import { KIND_NAMES, whenText } from '../day/time-off-words';
import { DueAndOwner } from '../follow-ups/due-and-owner';
import { TimeOffAccess } from '../gen/access';
import type { StrandedAppointment } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { type TimeOff, TimeOffService } from '../gen/frontdesk/scheduling/v1/time_off_pb';
import { messageOf } from '../http/errors';
import { VisitLink } from '../layout/visit-link';
import { StrandsDialog } from '../proposals/strands-dialog';
import { dayName, moment, timeOfDay } from '../time/zoned';
import { Avatar } from '../ui/avatar';
import { Button } from '../ui/button';
import { Refusal } from '../ui/states';
import { Figures, Muted, ScreenReaderOnly, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { undos } from '../ui/undos';
import { ownerOf, timeOffDue } from './due';
import { requestedTimeOffQuery } from './queries';

type TimeOffRowProps = { businessId: string; timeOff: TimeOff; zone: string; now: Date };

/** A time-off request: when, why, the visits booked then, approve or decline. */
export function TimeOffRow({ businessId, timeOff, zone, now }: TimeOffRowProps) {
  const queries = useQueryClient();
  const name = timeOff.employeeName || 'An employee';
  const when = whenText(timeOff, zone);
  const [stranded, setStranded] = useState<StrandedAppointment[]>([]);
  const settled = (text: string, changeId: string) => {
    void queries.invalidateQueries({ queryKey: requestedTimeOffQuery(businessId).queryKey });
    void readVisitsAgain();
    const undo = undoChange(businessId, changeId, `The request of ${name} is to be decided again.`);
    toasts.show('good', text, undos.push(undo));
  };
  const onRefused = () =>
    void queries.invalidateQueries({ queryKey: requestedTimeOffQuery(businessId).queryKey });
  const { approveTimeOff, declineTimeOff } = TimeOffService.method;
  const approve = useAction(approveTimeOff, {
    onDone: ({ timeOff: approved, stranded: left, changeId }) => {
      // Only asked whom it would leave: nothing left, nothing to confirm.
      if (!approved) return left.length > 0 ? setStranded(left) : approve.act(request);
      setStranded([]);
      const open = left.length > 0 ? ` ${listedCustomers(left.length)} to settle in the inbox.` : '';
      settled(`${name} has the time off, ${when}.${open}`, changeId);
    },
    onRefused,
  });
  const decline = useAction(declineTimeOff, {
    onDone: ({ changeId }) => settled(`Declined the time off of ${name}, ${when}.`, changeId),
    onRefused,
  });
  const running = approve.running || decline.running;
  const error = approve.error ?? decline.error;
  const request = { businessId, timeOffId: timeOff.id };
  return (
    <Stack gap="3" px={{ base: '4', sm: '6' }} py="4" borderTop="1px solid" borderColor="line">
      <Flex gap="4" align="center" wrap="wrap">
        <Avatar name={name} size="40px" />
        <Stack gap="0" flex="1 1 14rem" minWidth="0">
          <Text fontWeight="600">{name}</Text>
          <Muted>
            {KIND_NAMES[timeOff.kind]}, {when}
            {timeOff.reason && ` · “${timeOff.reason}”`}
          </Muted>
          <Flex columnGap="3" rowGap="1" wrap="wrap" align="center">
            <DueAndOwner due={timeOffDue(timeOff, zone, now)} owner={ownerOf(TimeOffAccess.approveTimeOff)} />
          </Flex>
        </Stack>
        <Flex gap="2">
          <Button
            variant="quiet"
            loading={decline.running}
            disabled={running}
            onClick={() => decline.act(request)}
          >
            Decline
            <ScreenReaderOnly> for {name}</ScreenReaderOnly>
          </Button>
          <Button
            loading={approve.running}
            disabled={running}
            onClick={() => approve.act({ ...request, validateOnly: true })}
          >
            Approve
            <ScreenReaderOnly> for {name}</ScreenReaderOnly>
          </Button>
        </Flex>
      </Flex>
      {timeOff.appointments.length > 0 && (
        <BookedThen businessId={businessId} timeOff={timeOff} zone={zone} now={now} />
      )}
      <Refusal>{error && messageOf(error, 'The request could not be decided.')}</Refusal>
      {stranded.length > 0 && (
        <StrandsDialog
          title={`Approve the time off of ${name}?`}
          what={`${stranded.length === 1 ? 'is' : 'are'} booked with ${name} then`}
          stranded={stranded}
          zone={zone}
          confirm="Approve"
          running={approve.running}
          refused={approve.error && messageOf(approve.error, 'The request could not be approved.')}
          onConfirm={() => approve.act(request)}
          onClose={() => setStranded([])}
        />
      )}
    </Stack>
  );
}

/** As many as can be taken in at a glance. */
const FEW = 4;

/** Whose visits are booked in that time: approving leaves them without an employee. */
function BookedThen({ businessId, timeOff, zone, now }: TimeOffRowProps) {
  const [all, setAll] = useState(false);
  const { appointments } = timeOff;
  const count = appointments.length;
  const shown = all ? appointments : appointments.slice(0, FEW);
  return (
    <Stack gap="1">
      <Text fontWeight="550">{listedText(count, 'visit', 'visits')} booked then</Text>
      <Box
        as="ul"
        listStyleType="none"
        aria-label={`Booked in the time off of ${timeOff.employeeName || 'the employee'}`}
        display="grid"
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' }}
        columnGap="6"
      >
        {shown.map(({ appointmentId, startsAt, customerName, serviceNames }) => {
          const at = moment(startsAt);
          return (
            <Box as="li" key={appointmentId} py="1">
              <VisitLink businessId={businessId} appointmentId={appointmentId}>
                {customerName || 'Walk-in'}
              </VisitLink>
              <Muted>
                <Figures>{at && `${dayName(at, zone, now)}, ${timeOfDay(at, zone)}`}</Figures>
                {serviceNames.length > 0 && ` · ${serviceNames.join(', ')}`}
              </Muted>
            </Box>
          );
        })}
      </Box>
      {shown.length < count && (
        <Button variant="quiet" alignSelf="flex-start" onClick={() => setAll(true)}>
          Show all {count}
          <ScreenReaderOnly> booked then</ScreenReaderOnly>
        </Button>
      )}
    </Stack>
  );
}
