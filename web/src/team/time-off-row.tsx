import { Flex, Stack } from '@chakra-ui/react';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { may } from '../api/access';
import { kindText, STATES, whenText } from '../day/time-off-words';
import { TimeOffAccess } from '../gen/access';
import { type TimeOff, TimeOffState } from '../gen/frontdesk/scheduling/v1/time_off_pb';
import { TextLink } from '../layout/links';
import { Avatar } from '../ui/avatar';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Note } from '../ui/states';
import { Muted, ScreenReaderOnly, Text } from '../ui/text';
import { type Decision, DecisionDialog } from './decision-dialog';
import { bookedText, strandedOf } from './stranded';
import { StrandedList } from './stranded-list';
import { useTeamPaths } from './use-team-paths';

export type TimeOffContext = {
  businessId: string;
  zone: string;
  role: string;
  /** The id of the signed-in user; empty until it is known. */
  me: string;
};

type TimeOffRowProps = TimeOffContext & {
  timeOff: TimeOff;
  /** On a list of several people's. */
  named: boolean;
  /** Visits that the page lists already, as to be moved; unknown until they are read. */
  listed: ReadonlySet<string> | undefined;
};

/** An employee's time off: when, what for, the visits booked then, and the actions allowed. */
export function TimeOffRow({ businessId, zone, role, me, timeOff, named, listed }: TimeOffRowProps) {
  const [deciding, setDeciding] = useState<Decision>();
  const { employee } = useTeamPaths();
  const { state, employeeId, decision } = timeOff;
  const name = timeOff.employeeName || 'An employee';
  const decides = state === TimeOffState.REQUESTED && may(TimeOffAccess.approveTimeOff, role);
  const stands = state === TimeOffState.REQUESTED || state === TimeOffState.APPROVED;
  const mine = me !== '' && timeOff.requestedBy === `user:${me}`;
  const withdraws = stands && (mine || (may(TimeOffAccess.approveTimeOff, role) && !decides));
  const standing = stands && listed ? timeOff.appointments.flatMap(strandedOf) : [];
  const others = standing.filter(({ appointmentId }) => !listed?.has(appointmentId));
  const when = whenText(timeOff, zone);
  const kind = kindText(timeOff.kind);
  const { label, tone } = STATES[state] ?? STATES[TimeOffState.UNSPECIFIED];
  const forWhom = <ScreenReaderOnly> for {named ? `${name}, ${when}` : when}</ScreenReaderOnly>;
  return (
    <Stack gap="3" px={{ base: '4', sm: '6' }} py="4">
      <Flex gap="4" rowGap="3" align="center" wrap="wrap">
        {named && <Avatar name={name} size="40px" />}
        <Stack gap="0.5" flex="1 1 15rem" minWidth="0">
          <Flex gap="2.5" rowGap="0.5" align="center" wrap="wrap">
            {named ? (
              <TextLink plain to={employee(employeeId)} fontWeight="600">
                {name}
              </TextLink>
            ) : (
              <Text as="span" fontWeight="600">
                {kind || when}
              </Text>
            )}
            <Badge tone={tone}>{label}</Badge>
          </Flex>
          <Muted>
            {[
              named && kind ? `${kind}, ${when}` : (named || kind) && when,
              timeOff.reason && `“${timeOff.reason}”`,
            ]
              .filter(Boolean)
              .join(' · ')}
          </Muted>
          {decision?.note && (
            <Muted>
              {label}: “{decision.note}”
            </Muted>
          )}
        </Stack>
        <Flex gap="2" wrap="wrap">
          {withdraws && (
            <Button variant="quiet" onClick={() => setDeciding('withdraw')}>
              Take back
              {forWhom}
            </Button>
          )}
          {decides && (
            <>
              <Button variant="quiet" onClick={() => setDeciding('decline')}>
                Decline
                {forWhom}
              </Button>
              <Button onClick={() => setDeciding('approve')}>
                Approve
                {forWhom}
              </Button>
            </>
          )}
        </Flex>
      </Flex>
      {standing.length > 0 && (
        <Stack gap="2">
          <Note tone="warn" icon={TriangleAlert}>
            {bookedText(standing.length, others.length, state === TimeOffState.APPROVED)}
          </Note>
          {others.length > 0 && (
            <StrandedList
              businessId={businessId}
              employeeId={employeeId}
              zone={zone}
              label={`Booked while ${name} is away`}
              stranded={others}
            />
          )}
        </Stack>
      )}
      {deciding && (
        <DecisionDialog
          businessId={businessId}
          zone={zone}
          timeOff={timeOff}
          decision={deciding}
          onClose={() => setDeciding(undefined)}
        />
      )}
    </Stack>
  );
}
