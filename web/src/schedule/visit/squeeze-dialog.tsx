import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Layers2 } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useAction } from '../../api/action';
import { call } from '../../api/call';
import { tellBooked } from '../../booking/booked';
import { readVisitsAgain } from '../../business/read-visits-again';
import { CustomerPicker } from '../../customers/customer-picker';
import type { Person } from '../../day/columns';
import { customerOf } from '../../day/naming';
import type { Catalogue } from '../../day/visit-cards';
import { type Appointment, AppointmentService } from '../../gen/frontdesk/scheduling/v1/appointment_pb';
import type { Customer } from '../../gen/frontdesk/tenancy/v1/customer_pb';
import { messageOf } from '../../http/errors';
import { paths } from '../../paths';
import { inSentence } from '../../time/in-sentence';
import { dayName, moment, timeOfDay } from '../../time/zoned';
import { Button } from '../../ui/button';
import { DialogActions, FormDialog } from '../../ui/dialog';
import { Fact, Facts } from '../../ui/facts';
import { Note, Refusal } from '../../ui/states';
import { Text } from '../../ui/text';
import { toasts } from '../../ui/toasts';
import type { Squeeze } from './squeeze';

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
  const { start, items, visit } = wish;
  const { act, running, error } = useAction(AppointmentService.method.bookAppointment, {
    onDone: ({ appointment }) => {
      onClose();
      if (!appointment) return;
      const open = () => void navigate(paths.appointment(businessId, appointment.id));
      if (visit) void leaveOld(businessId, visit, open);
      else tellBooked({ businessId, appointment, zone, open });
    },
  });
  const when = `${dayName(start, zone, new Date())}, ${timeOfDay(start, zone)}`;
  const before = moment(visit?.startsAt);
  return (
    <FormDialog
      title={visit ? `Squeeze ${customerOf(visit)} in?` : 'Squeeze in'}
      busy={running}
      onSubmit={() =>
        act({
          businessId,
          items,
          startsAt: timestampFromDate(start),
          customerId: visit?.customerId ?? customer?.id ?? '',
          notes: visit?.notes ?? '',
          squeezeIn: true,
        })
      }
      onClose={onClose}
    >
      <Facts>
        <Fact name="When">{when}</Fact>
        {items.map(({ serviceId, employeeId }, index) => (
          <Fact key={index} name={catalogue.get(serviceId)?.name ?? 'Service'}>
            {employees.find(({ id }) => id === employeeId)?.name ?? 'Unassigned'}
          </Fact>
        ))}
      </Facts>
      {!visit && (
        <CustomerPicker
          businessId={businessId}
          customer={customer}
          anonymous="Optional: leave empty for an unnamed guest."
          autoFocus
          onChange={setCustomer}
        />
      )}
      <Note tone="info" icon={Layers2}>
        It is booked beside what is there, and takes no chair or room.
      </Note>
      {visit && (
        <Text>
          It is booked anew, at today’s prices.
          {before &&
            ` The visit at ${timeOfDay(before, zone)}, ${inSentence(dayName(before, zone, new Date()))}, is cancelled.`}
        </Text>
      )}
      <Refusal>{error && messageOf(error, 'The visit could not be squeezed in.')}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={running} minHeight="12">
          {visit ? 'Cancel' : 'Close'}
        </Button>
        <Button type="submit" variant="contained" loading={running}>
          Squeeze in
        </Button>
      </DialogActions>
    </FormDialog>
  );
}

/** After the new visit is booked, the one it replaces is cancelled. */
async function leaveOld(businessId: string, visit: Appointment, open: () => void): Promise<void> {
  const name = customerOf(visit);
  try {
    await call(AppointmentService.method.cancelAppointment, {
      businessId,
      appointmentId: visit.id,
      reason: 'Squeezed in at another time.',
    });
    toasts.show('good', `${name} is squeezed in.`, { label: 'Open', run: open });
  } catch (error) {
    toasts.show(
      'bad',
      `${name} is squeezed in, but still booked at the old time as well. ${messageOf(error)}`,
      { label: 'Open', run: open },
    );
  } finally {
    readVisitsAgain();
  }
}
