import { Flex, Stack } from '@chakra-ui/react';
import { Undo2 } from 'lucide-react';
import { useAction } from '../api/action';
import { showChanged } from '../appointments/queries';
import { stateName } from '../appointments/state';
import { isOpen, untimelyText } from '../business/open-now';
import { readVisitsAgain } from '../business/read-visits-again';
import { undoAction } from '../business/undo-change';
import { customerOf, whenAndWho } from '../day/naming';
import {
  type Appointment,
  AppointmentState,
  type AppointmentStep,
} from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { AppointmentService } from '../gen/frontdesk/scheduling/v1/appointment_service_pb';
import { ApiError, messageOf } from '../http/errors';
import { inSentence } from '../time/in-sentence';
import { Button } from '../ui/button';
import { Refusal } from '../ui/states';
import { toasts } from '../ui/toasts';
import { useNow } from '../ui/use-now';
import { STEP_NAMES } from './step-names';

type StepsProps = {
  businessId: string;
  visit: Appointment;
  zone: string;
  /** The states that it may be brought to. */
  steps: readonly AppointmentStep[];
  /** The one that a wrong click can be taken back to. */
  stepBack: AppointmentStep | undefined;
};

/** Buttons for the visit's next states, and to revert a wrong one. */
export function VisitSteps({ businessId, visit, zone, steps, stepBack }: StepsProps) {
  const now = useNow(15_000);
  const step = useAction(AppointmentService.method.setAppointmentState, {
    onDone: ({ appointment: stands, changeId }) => {
      showChanged(businessId, stands);
      readVisitsAgain();
      const now = stands ?? visit;
      const customer = customerOf(visit);
      toasts.show(
        'good',
        `${customer} is “${stateName(now.state)}”: ${inSentence(whenAndWho(now, zone))}.`,
        undoAction(businessId, changeId, `${customer} is “${stateName(visit.state)}” again.`),
      );
    },
  });
  const restoring = useAction(AppointmentService.method.restoreAppointment, {
    onDone: ({ appointment: restored, changeId }) => {
      showChanged(businessId, restored);
      readVisitsAgain();
      const customer = customerOf(visit);
      toasts.show(
        'good',
        `${customer} is booked again: ${inSentence(whenAndWho(restored ?? visit, zone))}.`,
        undoAction(businessId, changeId, `${customer} is cancelled again.`),
      );
    },
  });
  const running = step.running || restoring.running;
  const appointment = { businessId, appointmentId: visit.id, version: visit.version };
  // What was just done is no next step, though the steps are those of before until they are read again.
  const isNext = (one: AppointmentStep) => isOpen(one, now) && one.state !== visit.state;
  const back = stepBack && isNext(stepBack) ? stepBack.state : undefined;
  const onward = steps.filter(isNext).map(({ state }) => state);
  const isCancelled = visit.state === AppointmentState.CANCELLED;
  const refused = step.error ?? restoring.error;

  if (onward.length === 0 && back === undefined && !refused) return null;

  const begin = (run: () => void) => {
    step.reset();
    restoring.reset();
    run();
  };
  return (
    <Stack gap="3">
      <Flex role="group" aria-label="State" gap="2" wrap="wrap">
        {onward.map((state, index) => (
          <Button
            key={state}
            disabled={running}
            variant={index === 0 ? 'tinted' : 'outline'}
            onClick={() => begin(() => step.act({ ...appointment, state }))}
          >
            {STEP_NAMES[state]}
          </Button>
        ))}
        {back !== undefined && (
          <Button
            variant="quiet"
            disabled={running}
            onClick={() =>
              begin(() =>
                isCancelled ? restoring.act(appointment) : step.act({ ...appointment, state: back }),
              )
            }
          >
            <Undo2 size={17} aria-hidden />
            Back to “{stateName(back)}”
          </Button>
        )}
      </Flex>
      <Refusal>{refused && (untimelyText(refused, zone) ?? refusalText(refused))}</Refusal>
    </Stack>
  );
}

function refusalText(error: unknown): string {
  if (error instanceof ApiError && error.reason === 'WRONG_STATE')
    return 'This visit has moved on and can no longer be changed this way.';
  return messageOf(error, 'The visit could not be changed.');
}
