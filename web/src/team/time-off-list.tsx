import { Box, Flex } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Palmtree, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { may } from '../api/access';
import { strandedOfEmployeeQuery } from '../appointments/queries';
import { TimeOffAccess } from '../gen/access';
import { type TimeOff, TimeOffState } from '../gen/frontdesk/scheduling/v1/time_off_pb';
import { Reading } from '../layout/reading';
import { instantOf } from '../time/local';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { LongList } from '../ui/long-list';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { timeOffFromQuery } from './queries';
import { TimeOffDialog } from './time-off-dialog';
import { type TimeOffContext, TimeOffRow } from './time-off-row';

const ROW_HEIGHT = 84;

type TimeOffListProps = TimeOffContext & {
  today: string;
  /** The employee; empty for all. */
  employeeId: string;
  /** The employees for whom the user may request time off. */
  people: readonly { id: string; name: string }[];
};

/** Time off, with requests first. */
export function TimeOffList({ today, employeeId, people, ...context }: TimeOffListProps) {
  const { businessId, zone, role } = context;
  const [earlier, setEarlier] = useState(false);
  const [asking, setAsking] = useState(false);
  const from = earlier ? undefined : instantOf(today, 0, zone);
  const query = useQuery(timeOffFromQuery(businessId, employeeId, from));
  const decides = may(TimeOffAccess.approveTimeOff, role);
  const asks = people.length > 0 && may(TimeOffAccess.requestTimeOff, role);
  const everyone = employeeId === '';
  const listed = useListed(businessId, employeeId);
  return (
    <Card
      title="Time off"
      flush
      action={
        asks && (
          <Button onClick={() => setAsking(true)}>
            <Plus size={18} aria-hidden />
            {decides ? 'Add time off' : 'Ask for time off'}
          </Button>
        )
      }
    >
      <Reading query={query} what="Time off" skeleton={<RowsSkeleton rows={2} label="Loading time off" />}>
        {(list) => {
          const shown = list.filter(isShown(everyone && decides, earlier)).sort(byUrgency);
          if (shown.length === 0) {
            return (
              <Empty icon={Palmtree} title={earlier ? 'No time off' : 'No time off ahead'}>
                {decides ? 'Requests appear here for you to decide.' : 'Your requests appear here.'}
              </Empty>
            );
          }
          return (
            <LongList items={shown} keyOf={({ id }) => id} rowHeight={ROW_HEIGHT}>
              {(timeOff) => (
                <Box borderTop="1px solid" borderColor="line">
                  <TimeOffRow {...context} timeOff={timeOff} named={everyone} listed={listed} />
                </Box>
              )}
            </LongList>
          );
        }}
      </Reading>
      {!everyone && (
        <Flex justify="center" py="2">
          <Button variant="quiet" onClick={() => setEarlier(!earlier)}>
            {earlier ? 'Show only what is ahead' : 'Show past and withdrawn time off'}
          </Button>
        </Flex>
      )}
      {asking && (
        <TimeOffDialog
          businessId={businessId}
          zone={zone}
          today={today}
          people={people}
          decides={decides}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  );
}

const NONE: ReadonlySet<string> = new Set();

/** The visits that an employee's own page lists as to be moved; unknown until they are read. */
function useListed(businessId: string, employeeId: string): ReadonlySet<string> | undefined {
  const { data, error } = useQuery({
    ...strandedOfEmployeeQuery(businessId, employeeId),
    enabled: employeeId !== '',
  });
  return useMemo(() => {
    // After an error that list is not shown, even if it was read before.
    if (employeeId === '' || error) return NONE;
    return data && new Set(data.stranded.map(({ appointmentId }) => appointmentId));
  }, [data, error, employeeId]);
}

/** A declined request matters to the employee who made it, not to those who decide. */
function isShown(settledElsewhere: boolean, earlier: boolean) {
  return ({ state }: TimeOff) =>
    earlier || (state !== TimeOffState.WITHDRAWN && !(settledElsewhere && state === TimeOffState.DECLINED));
}

/** Requests first, then by start. */
function byUrgency(one: TimeOff, other: TimeOff): number {
  const waits = ({ state }: TimeOff) => (state === TimeOffState.REQUESTED ? 0 : 1);
  const start = ({ startsAt }: TimeOff) => Number(startsAt?.seconds ?? 0);
  return waits(one) - waits(other) || start(one) - start(other);
}
