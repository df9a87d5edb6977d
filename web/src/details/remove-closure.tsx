import { useState } from 'react';
import { call } from '../api/call';
import { undoAction } from '../business/undo-change';
import {
  type OpeningException,
  OpeningExceptionService,
} from '../gen/frontdesk/scheduling/v1/opening_exception_pb';
import { messageOf } from '../http/errors';
import { useHoursChange } from '../team/hours-change';
import type { Stranded } from '../team/stranded';
import { StrandedStep } from '../team/stranded-step';
import { datesText } from '../time/day-text';
import { ConfirmDialog } from '../ui/dialog';
import { Text } from '../ui/text';
import { toasts } from '../ui/toasts';

const { removeOpeningException } = OpeningExceptionService.method;

/** Has the week count again on a closure's days, with an undo; special hours in which visits are booked ask first. */
export function useRemovingClosure(businessId: string) {
  const [closure, setClosure] = useState<OpeningException>();
  const { apply, strandedBy, running, error, reset } = useHoursChange((changeId) => {
    const gone = closure;
    setClosure(undefined);
    if (!gone) return;
    const days = datesText(gone.firstDate, gone.lastDate);
    const back = undoAction(
      businessId,
      changeId,
      gone.spans.length > 0 ? `Special hours on ${days} are back.` : `Closed on ${days} again.`,
    );
    toasts.show('good', `${days} follows the weekly hours again.`, back);
  });
  const change = ({ id }: OpeningException) => ({
    key: id,
    send: (validateOnly: boolean) =>
      call(removeOpeningException, { businessId, openingExceptionId: id, validateOnly }),
  });
  const stranded = closure ? strandedBy(closure.id) : [];
  return {
    begin: (wanted: OpeningException) => {
      reset();
      setClosure(wanted);
      apply(change(wanted));
    },
    asking:
      closure && (error || stranded.length > 0)
        ? { what: datesText(closure.firstDate, closure.lastDate), stranded, error, running }
        : undefined,
    confirm: () => closure && apply(change(closure)),
    keep: () => {
      setClosure(undefined);
      reset();
    },
  };
}

type RemoveClosureDialogProps = {
  businessId: string;
  zone: string;
  what: string;
  stranded: readonly Stranded[];
  error: Error | null;
  running: boolean;
  confirm: () => void;
  keep: () => void;
};

export function RemoveClosureDialog(props: RemoveClosureDialogProps) {
  const { businessId, zone, what, stranded, error, running, confirm, keep } = props;
  return (
    <ConfirmDialog
      title="Remove these hours?"
      confirm={stranded.length > 0 ? 'Remove anyway' : 'Try again'}
      keep="Keep them"
      running={running}
      refused={error && messageOf(error, 'The hours could not be removed.')}
      onConfirm={confirm}
      onClose={keep}
    >
      <Text>{what} would follow the weekly hours again.</Text>
      {stranded.length > 0 && (
        <StrandedStep businessId={businessId} employeeId="" zone={zone} stranded={stranded} />
      )}
    </ConfirmDialog>
  );
}
