import { messageOf } from '../http/errors';
import { ConfirmDialog } from '../ui/dialog';
import { Text } from '../ui/text';
import type { Stranded } from './stranded';
import { StrandedStep } from './stranded-step';

type RemovalDialogProps = {
  businessId: string;
  employeeId: string;
  zone: string;
  what: string;
  stranded: readonly Stranded[];
  error: Error | null;
  running: boolean;
  onConfirm: () => void;
  onClose: () => void;
};

/** Confirms the removal of hours in which visits are booked. */
export function RemovalDialog(props: RemovalDialogProps) {
  const { businessId, employeeId, zone, what, stranded, error, running, onConfirm, onClose } = props;
  return (
    <ConfirmDialog
      title="Remove these hours?"
      confirm={stranded.length > 0 ? 'Remove anyway' : 'Try again'}
      keep="Keep them"
      running={running}
      refused={error && messageOf(error, 'The hours could not be removed.')}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <Text>{what}</Text>
      {stranded.length > 0 && (
        <StrandedStep businessId={businessId} employeeId={employeeId} zone={zone} stranded={stranded} />
      )}
    </ConfirmDialog>
  );
}
