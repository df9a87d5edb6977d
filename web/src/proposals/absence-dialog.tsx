import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../api/action';
import { employeesQuery } from '../business/queries';
import { readVisitsAgain } from '../business/read-visits-again';
import { AbsenceKind, type Proposal, ProposalService } from '../gen/frontdesk/scheduling/v1/proposal_pb';
import { ApiError, messageOf } from '../http/errors';
import { Reading } from '../layout/reading';
import { instantOf, minuteOf } from '../time/local';
import { dayKey } from '../time/zoned';
import { Button } from '../ui/button';
import { Choice } from '../ui/choice';
import { DialogActions, FormDialog } from '../ui/dialog';
import { TextField } from '../ui/field';
import { SelectField } from '../ui/select-field';
import { RowsSkeleton } from '../ui/skeleton';
import { Refusal } from '../ui/states';
import { toasts } from '../ui/toasts';
import { ProposalDialog } from './proposal-dialog';

type AbsenceDialogProps = {
  businessId: string;
  zone: string;
  /** Whom it is about, where that is known. */
  employeeId?: string;
  onClose: () => void;
};

/** Reports an employee sick or late today: saved at once, with a proposal for the visits they can't do. */
export function AbsenceDialog({ businessId, zone, employeeId = '', onClose }: AbsenceDialogProps) {
  const [who, setWho] = useState(employeeId);
  const [kind, setKind] = useState<AbsenceKind>(AbsenceKind.SICK);
  const [until, setUntil] = useState('');
  const [sent, setSent] = useState(false);
  const [proposal, setProposal] = useState<Proposal | null>(null);
  const employees = useQuery(employeesQuery(businessId));
  const name = employees.data?.employees.find(({ id }) => id === who)?.name ?? 'The employee';
  const { act, running, error } = useAction(ProposalService.method.reportAbsence, {
    onDone: ({ proposal: needed }) => {
      readVisitsAgain();
      if (needed) return setProposal(needed);
      toasts.show('good', `${name} is away. No visit is affected.`);
      onClose();
    },
  });

  if (proposal) {
    return (
      <ProposalDialog
        businessId={businessId}
        proposalId={proposal.id}
        zone={zone}
        title={`${name} is away`}
        text="The absence counts already. These visits need another place; they wait in the inbox as well."
        onClose={onClose}
      />
    );
  }

  const minute = minuteOf(until);
  const late = kind === AbsenceKind.LATE;
  const report = () => {
    setSent(true);
    if (!who || (late && minute === null)) return;
    const endsAt = late && minute !== null ? instantOf(dayKey(new Date(), zone), minute, zone) : null;
    act({ businessId, employeeId: who, kind, ...(endsAt ? { endsAt: timestampFromDate(endsAt) } : {}) });
  };
  return (
    <FormDialog title="Sick today" busy={running} onSubmit={report} onClose={onClose}>
      <Reading query={employees} what="The team" skeleton={<RowsSkeleton rows={1} label="Loading team" />}>
        {(data) => (
          <SelectField
            label="Who"
            error={sent && !who ? 'Choose who it is.' : undefined}
            value={who}
            onChange={(event) => setWho(event.currentTarget.value)}
          >
            <option value="">Choose…</option>
            {data.employees.map((employee) => (
              <option key={employee.id} value={employee.id}>
                {employee.name}
              </option>
            ))}
          </SelectField>
        )}
      </Reading>
      <Choice
        legend="What is it"
        value={kind}
        options={[
          [AbsenceKind.SICK, 'Sick for the rest of today'],
          [AbsenceKind.LATE, 'Comes late'],
        ]}
        onChange={setKind}
      />
      {late && (
        <TextField
          label="Will be there at"
          type="time"
          step={300}
          error={sent && minute === null ? 'Say when they will be there.' : undefined}
          value={until}
          onChange={(event) => setUntil(event.currentTarget.value)}
        />
      )}
      <Refusal>{error && refusalText(error, name)}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={running} minHeight="12">
          Close
        </Button>
        <Button type="submit" variant="contained" loading={running}>
          Report
        </Button>
      </DialogActions>
    </FormDialog>
  );
}

function refusalText(error: unknown, name: string): string {
  return error instanceof ApiError && error.reason === 'NOT_WORKING'
    ? `${name} has no work left today.`
    : messageOf(error, 'The absence could not be reported.');
}
