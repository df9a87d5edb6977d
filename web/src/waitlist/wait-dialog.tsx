import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../api/action';
import { readVisitsAgain } from '../business/read-visits-again';
import { undoAction } from '../business/undo-change';
import { customerOf, servicesOf, whenAndWho } from '../day/naming';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { WaitlistService } from '../gen/frontdesk/scheduling/v1/waitlist_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { seriesQuery } from '../series/queries';
import { ScopeChoice } from '../series/scope-choice';
import { SCOPES, type Scope, scopesOf } from '../series/scopes';
import { inSentence } from '../time/in-sentence';
import { dayKey, moment } from '../time/zoned';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { TextArea } from '../ui/field';
import { Refusal } from '../ui/states';
import { Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { DaysFields } from './days-fields';
import { waitlistPages } from './queries';
import { useWaitsFor } from './use-waits-for';
import { usualDays } from './usual-days';

const LONGEST_NOTE = 500;

type WaitDialogProps = { businessId: string; appointment: Appointment; zone: string; onClose: () => void };

/** Cancels a visit and puts its customer on the waitlist for the same services. */
export function WaitDialog({ businessId, appointment, zone, onClose }: WaitDialogProps) {
  const queries = useQueryClient();
  const today = dayKey(new Date(), zone);
  const start = moment(appointment.startsAt);
  const [days, setDays] = useState(() => usualDays(start ? dayKey(start, zone) : today, today));
  const [note, setNote] = useState('');
  const customer = customerOf(appointment);
  const waitsFor = useWaitsFor(businessId);
  const [scope, setScope] = useState<Scope>('one');
  const { seriesId } = appointment;
  const series = useQuery({ ...seriesQuery(businessId, seriesId), enabled: seriesId !== '' }).data?.series;
  const options = series ? scopesOf(series.appointments, appointment, false) : [];
  const { act, running, error } = useAction(WaitlistService.method.moveToWaitlist, {
    onDone: ({ entry, changeId, cancelledCount }) => {
      void queries.invalidateQueries({ queryKey: waitlistPages(businessId).queryKey });
      void readVisitsAgain();
      const visit = inSentence(whenAndWho(appointment, zone));
      const cancelled =
        cancelledCount > 1 ? `${cancelledCount} visits, ${visit} among them` : `the visit of ${visit}`;
      const done = `${customer} is booked again and no longer on the waitlist.`;
      toasts.show(
        'good',
        `${customer} is on the waitlist${entry ? `: ${waitsFor(entry)}` : ''}. Cancelled ${cancelled}.`,
        undoAction(businessId, changeId, done),
      );
      onClose();
    },
    onRefused: () => void readVisitsAgain(),
  });
  const wrong = fieldErrorsOf(error);
  return (
    <FormDialog
      title="Put on the waitlist"
      busy={running}
      onSubmit={() =>
        act({
          businessId,
          appointmentId: appointment.id,
          firstDate: days.first,
          lastDate: days.last,
          note,
          version: appointment.version,
          scope: SCOPES[scope],
        })
      }
      onClose={onClose}
    >
      <Text>
        {customer} waits for {servicesOf(appointment)}. The visit is cancelled, and a free time that suits
        shows in the inbox.
      </Text>
      <DaysFields days={days} today={today} wrong={wrong} onChange={setDays} />
      <TextArea
        label="Note (optional)"
        maxLength={LONGEST_NOTE}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      {options.length > 1 && (
        <ScopeChoice legend="Cancel" options={options} zone={zone} value={scope} onChange={setScope} />
      )}
      <Refusal>{error && messageOf(error, `${customer} could not be put on the waitlist.`)}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={running} minHeight="12">
          Keep the visit
        </Button>
        <Button type="submit" variant="contained" loading={running}>
          Put on the waitlist
        </Button>
      </DialogActions>
    </FormDialog>
  );
}
