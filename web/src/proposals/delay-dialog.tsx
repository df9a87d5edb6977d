import { useState } from 'react';
import { useAction } from '../api/action';
import { untimelyText } from '../business/open-now';
import { readVisitsAgain } from '../business/read-visits-again';
import { sayDelayed } from '../business/say-delayed';
import { customerOf } from '../day/naming';
import { type Appointment, AppointmentState } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { type Proposal, ProposalService } from '../gen/frontdesk/scheduling/v1/proposal_pb';
import { messageOf } from '../http/errors';
import { Button } from '../ui/button';
import { Choice } from '../ui/choice';
import { DialogActions, FormDialog } from '../ui/dialog';
import { Refusal } from '../ui/states';
import { Text } from '../ui/text';
import { InTheWay } from './proposal-dialog';

const MINUTES = [5, 10, 15, 20, 30, 45, 60, 90] as const;
const USUAL: (typeof MINUTES)[number] = 15;

type DelayDialogProps = { businessId: string; appointment: Appointment; zone: string; onClose: () => void };

/** Reports a late visit: it moves, or, if others are in its way, a proposal shows how it could. */
export function DelayDialog({ businessId, appointment, zone, onClose }: DelayDialogProps) {
  const [minutes, setMinutes] = useState<number>(USUAL);
  const [proposal, setProposal] = useState<Proposal | null>(null);
  const begun = appointment.state === AppointmentState.IN_SERVICE;
  const { act, running, error } = useAction(ProposalService.method.delayAppointment, {
    onDone: ({ appointment: delayed, proposal: needed, changeId }) => {
      readVisitsAgain();
      if (needed) return setProposal(needed);
      if (delayed) sayDelayed(businessId, delayed, changeId, zone);
      onClose();
    },
  });
  if (proposal) {
    return <InTheWay businessId={businessId} proposalId={proposal.id} zone={zone} onClose={onClose} />;
  }
  return (
    <FormDialog
      title="Running late"
      busy={running}
      onSubmit={() =>
        act({ businessId, appointmentId: appointment.id, minutes, version: appointment.version })
      }
      onClose={onClose}
    >
      <Text>
        {begun
          ? `The visit of ${customerOf(appointment)} ends later.`
          : `The visit of ${customerOf(appointment)} starts later.`}
        {appointment.seriesId && ' The other visits of the series keep their times.'}
      </Text>
      <Choice
        legend="By how much"
        value={minutes}
        options={MINUTES.map((option) => [option, `${option} min`] as const)}
        onChange={setMinutes}
      />
      <Refusal>
        {error && (untimelyText(error, zone) ?? messageOf(error, 'The visit could not be changed.'))}
      </Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={running} minHeight="12">
          Close
        </Button>
        <Button type="submit" variant="contained" loading={running}>
          {minutes} minutes late
        </Button>
      </DialogActions>
    </FormDialog>
  );
}
