import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { intend } from '../api/action';
import { ConsistencyService, type Difference } from '../gen/frontdesk/calendarsync/v1/consistency_pb';
import { messageOf } from '../http/errors';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { Meter } from '../ui/meter';
import { Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { repairAllText, repairedText } from './wording';

type RepairAllProps = {
  businessId: string;
  /** Those that are not being written already. */
  differences: readonly Difference[];
  onRepaired: (difference: Difference) => void;
};

/** Repairs all differences that are listed, one after the other, after saying what that does. */
export function RepairAll(props: RepairAllProps) {
  const [asked, setAsked] = useState<readonly Difference[]>();
  const { differences } = props;
  const wasAsked = useRef(false);
  // With nothing left to repair the button is gone that the dialog would give the focus back to.
  useEffect(() => {
    if (wasAsked.current && !asked && document.activeElement === document.body)
      document.getElementById('main')?.focus({ preventScroll: true });
    wasAsked.current = asked !== undefined;
  }, [asked]);
  return (
    <>
      {differences.length > 1 && (
        <Button onClick={() => setAsked(differences)}>Repair all {differences.length}</Button>
      )}
      {asked && <Repairing {...props} differences={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}

function Repairing({
  businessId,
  differences,
  onRepaired,
  onClose,
}: RepairAllProps & { onClose: () => void }) {
  const [done, setDone] = useState(0);
  const stopped = useRef(false);
  const stop = useCallback(() => {
    stopped.current = true;
  }, []);
  // Who leaves the page stops it as well; what was repaired stays so.
  useEffect(() => {
    stopped.current = false;
    return stop;
  }, [stop]);
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const failures: unknown[] = [];
      let repaired = 0;
      for (const difference of differences) {
        if (stopped.current) break;
        const { calendarId, eventId, appointmentId } = difference;
        try {
          await intend(ConsistencyService.method.repairDifference, {
            businessId,
            calendarId,
            eventId,
            appointmentId,
          });
          repaired += 1;
          onRepaired(difference);
        } catch (error) {
          failures.push(error);
        }
        setDone((before) => before + 1);
      }
      return { repaired, failures };
    },
    onSuccess: ({ repaired, failures: [failure, ...others] }) => {
      toasts.show(
        failure ? 'bad' : 'good',
        repairedText(repaired, failure ? others.length + 1 : 0, failure ? messageOf(failure) : undefined),
      );
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Repair ${differences.length} differences?`}
      busy={isPending}
      onSubmit={() => mutate()}
      onClose={onClose}
    >
      <Text>{repairAllText(differences)}</Text>
      {isPending && (
        <>
          <Meter share={done / differences.length} label="Repaired" />
          <Text role="status">
            {done} of {differences.length}
          </Text>
        </>
      )}
      <DialogActions>
        <Button onClick={isPending ? stop : onClose} minHeight="12">
          {isPending ? 'Stop' : 'Cancel'}
        </Button>
        <Button type="submit" variant="contained" loading={isPending}>
          Repair all
        </Button>
      </DialogActions>
    </FormDialog>
  );
}
