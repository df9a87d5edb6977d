import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../api/action';
import { type Draft, isSearchable, itemsOf, newDraft } from '../booking/draft';
import { bookableServicesQuery } from '../booking/queries';
import { ServicesPart } from '../booking/services-part';
import { employeesQuery } from '../business/queries';
import { undoAction } from '../business/undo-change';
import { useZone } from '../business/use-zone';
import { CustomerPicker } from '../customers/customer-picker';
import { WaitlistService } from '../gen/frontdesk/scheduling/v1/waitlist_pb';
import type { Customer } from '../gen/frontdesk/tenancy/v1/customer_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { Reading } from '../layout/reading';
import { useKeptText } from '../session/use-draft';
import { dayAfter, minuteOf } from '../time/local';
import { dayKey } from '../time/zoned';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { TextArea, TextField } from '../ui/field';
import { RowsSkeleton } from '../ui/skeleton';
import { Refusal } from '../ui/states';
import { toasts } from '../ui/toasts';
import { type Days, DaysFields } from './days-fields';
import { waitlistPages } from './queries';
import { useWaitsFor } from './use-waits-for';

const LONGEST_NOTE = 500;
/** Most who wait want it soon. */
const USUAL_DAYS = 7;

/** What was chosen in another dialog. */
export type Asked = { draft: Draft; customer: Customer | null };

type JoinDialogProps = { businessId: string; asked: Asked | undefined; onClose: () => void };

/** Adds a customer to the waitlist: who, for what, and when it would suit them. */
export function JoinDialog({ businessId, asked, onClose }: JoinDialogProps) {
  const queries = useQueryClient();
  const zone = useZone(businessId);
  const today = dayKey(new Date(), zone);
  const [customer, setCustomer] = useState<Customer | null>(asked?.customer ?? null);
  const [draft, setDraft] = useState<Draft>(() => asked?.draft ?? newDraft(today, null, ''));
  const [days, setDays] = useState<Days>({ first: today, last: dayAfter(today, USUAL_DAYS) });
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [note, setNote] = useKeptText('join');
  const [missing, setMissing] = useState('');
  const services = useQuery(bookableServicesQuery(businessId));
  const employees = useQuery(employeesQuery(businessId)).data?.employees ?? [];
  const waitsFor = useWaitsFor(businessId);
  const { act, running, error } = useAction(WaitlistService.method.joinWaitlist, {
    onDone: ({ entry, changeId }) => {
      void queries.invalidateQueries({ queryKey: waitlistPages(businessId).queryKey });
      const name = customer?.name ?? 'The customer';
      toasts.show(
        'good',
        `${name} is on the waitlist${entry ? `: ${waitsFor(entry)}` : ''}.`,
        undoAction(businessId, changeId, `${name} is no longer on the waitlist.`),
      );
      onClose();
    },
  });
  const wrong = fieldErrorsOf(error);

  const join = () => {
    if (!customer) return setMissing('Choose a customer.');
    if (!isSearchable(draft)) return setMissing('Choose every service.');
    setMissing('');
    act({
      businessId,
      customerId: customer.id,
      items: itemsOf(draft),
      firstDate: days.first,
      lastDate: days.last,
      fromMinute: minuteOf(from) ?? 0,
      // Open to one side means up to the day's own end.
      toMinute: minuteOf(to) ?? (minuteOf(from) === null ? 0 : 1440),
      note,
    });
  };

  return (
    <FormDialog title="Add to the waitlist" busy={running} onSubmit={join} onClose={onClose}>
      <CustomerPicker businessId={businessId} customer={customer} autoFocus onChange={setCustomer} />
      <Reading
        query={services}
        what="The services"
        skeleton={<RowsSkeleton rows={2} label="Loading services" />}
      >
        {(data) => (
          <ServicesPart
            alone
            draft={draft}
            services={data.services}
            employees={employees}
            onChange={setDraft}
          />
        )}
      </Reading>
      <DaysFields days={days} today={today} wrong={wrong} onChange={setDays}>
        <TextField
          label="From (optional)"
          type="time"
          step={300}
          value={from}
          error={wrong.from_minute}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextField
          label="To (optional)"
          type="time"
          step={300}
          value={to}
          error={wrong.to_minute}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
      </DaysFields>
      <TextArea
        label="Note (optional)"
        maxLength={LONGEST_NOTE}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <Refusal>{missing || (error && messageOf(error, 'The customer could not be added.'))}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={running} minHeight="12">
          Cancel
        </Button>
        <Button type="submit" variant="contained" loading={running}>
          Add to the list
        </Button>
      </DialogActions>
    </FormDialog>
  );
}
