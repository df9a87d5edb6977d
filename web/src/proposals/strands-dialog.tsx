import { listedCustomers } from '../business/listed';
import type { StrandedAppointment } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { Refusal } from '../ui/states';
import { Text } from '../ui/text';
import { StrandedNames } from './stranded-names';

type StrandsDialogProps = {
  title: string;
  /** What happens to these visits: "are booked with Noah then". */
  what: string;
  stranded: readonly StrandedAppointment[];
  zone: string;
  confirm: string;
  running: boolean;
  refused?: string | null;
  onConfirm: () => void;
  onClose: () => void;
};

/** Shows the customers whom a decision leaves without an employee, and asks. */
export function StrandsDialog(props: StrandsDialogProps) {
  const { title, what, stranded, zone, confirm, running, refused, onConfirm, onClose } = props;
  return (
    <FormDialog title={title} busy={running} onSubmit={onConfirm} onClose={onClose}>
      <Text>
        {listedCustomers(stranded.length)} {what}. Each stays in the inbox until the visit is moved, cancelled
        or put on the waitlist, or the customer is told.
      </Text>
      <StrandedNames stranded={stranded} zone={zone} />
      <Refusal>{refused}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={running} minHeight="12">
          Cancel
        </Button>
        <Button type="submit" variant="contained" loading={running}>
          {confirm}
        </Button>
      </DialogActions>
    </FormDialog>
  );
}
