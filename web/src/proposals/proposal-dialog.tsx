import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { Text } from '../ui/text';
import { ProposalView } from './proposal-view';

type ProposalDialogProps = {
  businessId: string;
  proposalId: string;
  zone: string;
  title: string;
  /** A description of the current state. */
  text: string;
  onClose: () => void;
};

/** What would have to change first, to be settled here or later in the inbox. */
export function ProposalDialog({ businessId, proposalId, zone, title, text, onClose }: ProposalDialogProps) {
  return (
    <FormDialog title={title} onSubmit={onClose} onClose={onClose}>
      <Text>{text}</Text>
      <ProposalView businessId={businessId} proposalId={proposalId} zone={zone} onSettled={onClose} />
      <DialogActions>
        <Button type="submit" minHeight="12">
          Close
        </Button>
      </DialogActions>
    </FormDialog>
  );
}

/** Of a visit that can't start or end later by itself. */
export function InTheWay(props: Omit<ProposalDialogProps, 'title' | 'text'>) {
  return (
    <ProposalDialog
      title="Others are in the way"
      text="Nothing has changed yet. This is how it could go; it waits in the inbox as well."
      {...props}
    />
  );
}
