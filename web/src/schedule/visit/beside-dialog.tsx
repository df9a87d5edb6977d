import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { useAction } from '../../api/action';
import { readVisitsAgain } from '../../business/read-visits-again';
import { undoAction } from '../../business/undo-change';
import type { Person } from '../../day/columns';
import { customerOf, movedBackText, whenAndWho } from '../../day/naming';
import type { Catalogue } from '../../day/visit-cards';
import { AppointmentService } from '../../gen/frontdesk/scheduling/v1/appointment_service_pb';
import { inSentence } from '../../time/in-sentence';
import { Text } from '../../ui/text';
import { toasts } from '../../ui/toasts';
import type { Beside } from './squeeze';
import { SqueezeForm } from './squeeze-form';

type BesideDialogProps = {
  businessId: string;
  zone: string;
  employees: readonly Person[];
  catalogue: Catalogue;
  wish: Beside;
  onClose: () => void;
};

/** Moves a visit to a taken time, after a warning that two customers will be there at once. */
export function BesideDialog({ businessId, zone, employees, catalogue, wish, onClose }: BesideDialogProps) {
  const { visit, to } = wish;
  const customer = customerOf(visit);
  const { act, running, error } = useAction(AppointmentService.method.moveAppointment, {
    onDone: ({ appointment, changeId }) => {
      onClose();
      void readVisitsAgain();
      if (!appointment) return;
      toasts.show(
        'good',
        `Squeezed ${customer} in: ${inSentence(whenAndWho(appointment, zone))}.`,
        undoAction(businessId, changeId, movedBackText(visit, zone)),
      );
    },
    onRefused: () => void readVisitsAgain(),
  });
  return (
    <SqueezeForm
      title={`Squeeze ${customer} in?`}
      start={to.startsAt}
      zone={zone}
      who={visit.items.map(({ serviceId, serviceName }, index) => ({
        service: catalogue.get(serviceId)?.name ?? serviceName,
        employee: employees.find(({ id }) => id === to.employeeIds[index])?.name,
      }))}
      running={running}
      error={error}
      onSubmit={() =>
        act({
          businessId,
          appointmentId: visit.id,
          startsAt: timestampFromDate(to.startsAt),
          employeeIds: to.employeeIds,
          extraMinutes: to.extraMinutes,
          version: visit.version,
          // The move that found the time taken has asked.
          customerAgreed: true,
          squeezeIn: true,
        })
      }
      onClose={onClose}
    >
      <Text>
        It stays the same visit at the same price, and leaves {inSentence(whenAndWho(visit, zone))}.
      </Text>
    </SqueezeForm>
  );
}
