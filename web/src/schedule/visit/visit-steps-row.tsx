import { Flex, Stack } from '@chakra-ui/react';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { may } from '../../api/access';
import { useAction } from '../../api/action';
import { methodKey } from '../../api/query';
import { appointmentQuery } from '../../appointments/queries';
import { stateName } from '../../appointments/state';
import { AppointmentAccess } from '../../gen/access';
import {
  type Appointment,
  AppointmentService,
  type StateChange,
} from '../../gen/frontdesk/scheduling/v1/appointment_pb';
import { ApiError, messageOf } from '../../http/errors';
import { Button } from '../../ui/button';
import { Refusal } from '../../ui/states';
import { useNow } from '../../ui/use-now';
import { isCancelled, stepsOf, wayBack } from './visit-steps';

type StepsProps = {
  businessId: string;
  visit: Appointment;
  changes: readonly StateChange[];
  zone: string;
  role: string;
};

/** Buttons for the visit's next states, and to revert a wrong one. */
export function VisitSteps({ businessId, visit, changes, zone, role }: StepsProps) {
  const queries = useQueryClient();
  const now = useNow(15_000);
  const options = { onDone: () => readAgain(queries, businessId, visit.id) };
  const step = useAction(AppointmentService.method.setAppointmentState, options);
  const restoring = useAction(AppointmentService.method.restoreAppointment, options);
  const running = step.running || restoring.running;
  const appointment = { businessId, appointmentId: visit.id, version: visit.version };
  const back = wayBack(visit, changes, zone, now);
  const cancelled = isCancelled(visit);
  const steps = may(AppointmentAccess.setAppointmentState, role) ? stepsOf(visit, now) : [];
  const allowedBack = may(
    cancelled ? AppointmentAccess.restoreAppointment : AppointmentAccess.setAppointmentState,
    role,
  );
  const refused = step.error ?? restoring.error;

  const begin = (run: () => void) => {
    step.reset();
    restoring.reset();
    run();
  };
  return (
    <Stack gap="3">
      <Flex role="group" aria-label="State" gap="2" wrap="wrap" _empty={{ display: 'none' }}>
        {steps.map(({ state, label }, index) => (
          <Button
            key={state}
            disabled={running}
            variant={index === 0 ? 'tinted' : 'outline'}
            onClick={() => begin(() => step.act({ ...appointment, state }))}
          >
            {label}
          </Button>
        ))}
        {back !== undefined && allowedBack && (
          <Button
            variant="quiet"
            disabled={running}
            onClick={() =>
              begin(() =>
                cancelled ? restoring.act(appointment) : step.act({ ...appointment, state: back }),
              )
            }
          >
            <Undo2 size={17} aria-hidden />
            Back to “{stateName(back)}”
          </Button>
        )}
      </Flex>
      <Refusal>{refused && refusalText(refused)}</Refusal>
    </Stack>
  );
}

function readAgain(queries: QueryClient, businessId: string, appointmentId: string): Promise<unknown> {
  return Promise.all([
    queries.invalidateQueries({ queryKey: appointmentQuery(businessId, appointmentId).queryKey }),
    queries.invalidateQueries({ queryKey: [methodKey(AppointmentService.method.listAppointments)] }),
  ]);
}

function refusalText(error: unknown): string {
  if (error instanceof ApiError && error.reason === 'WRONG_STATE')
    return 'This visit has moved on and can no longer be changed this way.';
  return messageOf(error, 'The visit could not be changed.');
}
