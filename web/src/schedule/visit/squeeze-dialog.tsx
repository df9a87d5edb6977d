import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useAction } from '../../api/action';
import { tellBooked } from '../../booking/booked';
import { CustomerPicker } from '../../customers/customer-picker';
import type { Person } from '../../day/columns';
import type { Catalogue } from '../../day/visit-cards';
import { AppointmentService } from '../../gen/frontdesk/scheduling/v1/appointment_service_pb';
import type { Customer } from '../../gen/frontdesk/tenancy/v1/customer_pb';
import { paths } from '../../paths';
import type { Squeeze } from './squeeze';
import { SqueezeForm } from './squeeze-form';

type SqueezeDialogProps = {
  businessId: string;
  zone: string;
  employees: readonly Person[];
  catalogue: Catalogue;
  wish: Squeeze;
  onClose: () => void;
};

/** Books a visit at a taken time, after a warning that two customers will be there at once. */
export function SqueezeDialog({ businessId, zone, employees, catalogue, wish, onClose }: SqueezeDialogProps) {
  const navigate = useNavigate();
  const [customer, setCustomer] = useState<Customer | null>(null);
  const { start, items } = wish;
  const { act, running, error, reset } = useAction(AppointmentService.method.bookAppointment, {
    onDone: ({ appointment, changeId }) => {
      onClose();
      if (!appointment) return;
      const open = () => void navigate(paths.appointment(businessId, appointment.id));
      tellBooked({ businessId, appointment, zone, changeId, open });
    },
  });
  return (
    <SqueezeForm
      title="Squeeze in"
      start={start}
      zone={zone}
      who={items.map(({ serviceId, employeeId }) => ({
        service: catalogue.get(serviceId)?.name,
        employee: employees.find(({ id }) => id === employeeId)?.name,
      }))}
      running={running}
      error={error}
      onSubmit={() =>
        act({
          businessId,
          items,
          startsAt: timestampFromDate(start),
          customerId: customer?.id ?? '',
          squeezeIn: true,
        })
      }
      onClose={onClose}
    >
      <CustomerPicker
        businessId={businessId}
        customer={customer}
        anonymous="Optional: leave empty for an unnamed guest."
        autoFocus
        onChange={(chosen) => {
          // A refusal may be about the customer.
          reset();
          setCustomer(chosen);
        }}
      />
    </SqueezeForm>
  );
}
