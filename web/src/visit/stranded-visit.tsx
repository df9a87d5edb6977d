import { Flex } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { UserX } from 'lucide-react';
import { useState } from 'react';
import { may } from '../api/access';
import { strandedVisitQuery } from '../appointments/queries';
import { isOver, whyText } from '../appointments/stranded-words';
import { ToldDialog } from '../appointments/told-dialog';
import { useNoAnswer } from '../appointments/use-no-answer';
import { DayAccess } from '../gen/access';
import type { StrandedAppointment } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { messageOf } from '../http/errors';
import { dayName, moment, timeOfDay } from '../time/zoned';
import { Button } from '../ui/button';
import { Note, Refusal } from '../ui/states';
import { useNow } from '../ui/use-now';

type StrandedVisitProps = { businessId: string; appointmentId: string; zone: string; role: string };

/** That a visit's employee is not at work then, with the calls that settle it; renders nothing otherwise. */
export function StrandedVisit({ businessId, appointmentId, zone, role }: StrandedVisitProps) {
  const { data } = useQuery({
    ...strandedVisitQuery(businessId, appointmentId),
    enabled: may(DayAccess.listStrandedAppointments, role),
  });
  const line = data?.stranded[0];
  return line && <Line businessId={businessId} line={line} zone={zone} role={role} />;
}

type LineProps = { businessId: string; line: StrandedAppointment; zone: string; role: string };

function Line({ businessId, line, zone, role }: LineProps) {
  const now = useNow(60_000);
  const [telling, setTelling] = useState(false);
  const start = moment(line.startsAt);
  const when = start ? `${dayName(start, zone, now)}, ${timeOfDay(start, zone)}` : '';
  const over = isOver(line, now);
  const called = useNoAnswer(businessId, line, when);
  return (
    <>
      <Note tone="warn" icon={UserX}>
        {whyText(line, over)}.{' '}
        {over
          ? 'What became of the visit is not known yet.'
          : 'Find another time or stylist, or tell the customer.'}
        {may(DayAccess.recordContact, role) && (
          <Flex gap="2" wrap="wrap" mt="3" color="fg" role="group" aria-label="Calls to the customer">
            {!over && (
              <Button px="3" onClick={called.note} loading={called.running}>
                Called, no answer
              </Button>
            )}
            <Button px="3" onClick={() => setTelling(true)}>
              Customer told
            </Button>
          </Flex>
        )}
      </Note>
      <Refusal>{called.error && messageOf(called.error, 'The call could not be noted.')}</Refusal>
      {telling && (
        <ToldDialog
          businessId={businessId}
          line={line}
          when={when}
          over={over}
          onClose={() => setTelling(false)}
        />
      )}
    </>
  );
}
