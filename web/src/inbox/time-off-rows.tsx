import { Flex, Stack } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../api/action';
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
import { customersText } from '../proposals/wording';
import { dateAndTime, moment } from '../time/zoned';
import { Avatar } from '../ui/avatar';
import { Button } from '../ui/button';
import { Refusal } from '../ui/states';
import { Muted, ScreenReaderOnly, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { undos } from '../ui/undos';
import { ownerOf, timeOffDue } from './due';
import { requestedTimeOffQuery } from './queries';

type TimeOffRowProps = { businessId: string; timeOff: TimeOff; zone: string; now: Date };

/** A time-off request: when, why, the visits booked then, approve or decline. */
export function TimeOffRow({ businessId, timeOff, zone, now }: TimeOffRowProps) {
  const queries = useQueryClient();
  const name = timeOff.employeeName || 'An employee';
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
      const open = left.length > 0 ? ` ${customersText(left.length)} to settle in the inbox.` : '';
      settled(`${name} has the time off.${open}`, changeId);
    },
    onRefused,
  });
  const decline = useAction(declineTimeOff, {
    onDone: ({ changeId }) => settled(`Declined the time off of ${name}.`, changeId),
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
            {KIND_NAMES[timeOff.kind]}, {whenText(timeOff, zone)}
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
      {timeOff.appointments.length > 0 && <Standing businessId={businessId} timeOff={timeOff} zone={zone} />}
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

/** The visits booked in that time: approving leaves them without an employee. */
function Standing({ businessId, timeOff, zone }: Omit<TimeOffRowProps, 'now'>) {
  return (
    <Muted>
      Booked then:{' '}
      {timeOff.appointments.map(({ appointmentId, startsAt }, index) => {
        const at = moment(startsAt);
        return (
          <span key={appointmentId}>
            {index > 0 && ', '}
            <VisitLink businessId={businessId} appointmentId={appointmentId}>
              {at ? dateAndTime(at, zone) : 'a visit'}
            </VisitLink>
          </span>
        );
      })}
    </Muted>
  );
}
