import { Grid } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { may } from '../api/access';
import { listedCustomers } from '../business/listed';
import { employeesQuery, openingHoursQuery, useBusinessRole } from '../business/queries';
import { useOnBehalfOf } from '../business/use-employees';
import { weekOf } from '../day/opening';
import { KIND_CHOICES } from '../day/time-off-words';
import { OpeningExceptionAccess, ScheduleAccess, TimeOffAccess } from '../gen/access';
import type { Proposal } from '../gen/frontdesk/scheduling/v1/proposal_pb';
import { TimeOffKind } from '../gen/frontdesk/scheduling/v1/time_off_pb';
import { ApiError, messageOf } from '../http/errors';
import { Reading } from '../layout/reading';
import { datesText } from '../time/day-text';
import { clockOf, dayAfter, minuteOf } from '../time/local';
import { weekdayOf } from '../time/local-day';
import { dayKey } from '../time/zoned';
import { Button } from '../ui/button';
import { Choice } from '../ui/choice';
import { DialogActions, FormDialog } from '../ui/dialog';
import { TextField } from '../ui/field';
import { SelectField } from '../ui/select-field';
import { RowsSkeleton } from '../ui/skeleton';
import { Refusal } from '../ui/states';
import { toasts } from '../ui/toasts';
import { type TakeBack, undos } from '../ui/undos';
import { type AbsenceValues, useAbsence } from './absence-change';
import { ProposalDialog } from './proposal-dialog';
import { StrandsDialog } from './strands-dialog';

/** An absence is reported for one of the next days; later it is time off. */
const SICK_DAYS = 14;

type AbsenceDialogProps = {
  businessId: string;
  zone: string;
  /** Whom it is about, where that is known. */
  employeeId?: string;
  /** The day on screen, as 2026-06-02. */
  day?: string;
  onClose: () => void;
};

type Reported = { proposal: Proposal; takeBack: TakeBack | undefined };

/** Says that a change counts, with an undo where there is one. */
const tell = (text: string, takeBack: TakeBack | undefined) =>
  toasts.show('good', text, takeBack && undos.push(takeBack));

/** Sickness, lateness, time off, other hours and closures: one way to say each, and to whom it happens. */
export function AbsenceDialog({ businessId, zone, employeeId = '', day = '', onClose }: AbsenceDialogProps) {
  const today = dayKey(new Date(), zone);
  const start = day > today ? day : today;
  const [chosen, setChosen] = useState<AbsenceValues>({
    what: 'sick',
    employeeId,
    first: start,
    last: start,
    kind: TimeOffKind.HOLIDAY,
    from: 540,
    to: null,
  });
  const [sent, setSent] = useState(false);
  const [reported, setReported] = useState<Reported | null>(null);
  const employees = useQuery(employeesQuery(businessId));
  const opening = useQuery(openingHoursQuery(businessId)).data?.spans;
  const here = useBusinessRole(businessId);
  const role = here.kind === 'member' ? here.role : '';
  const { people } = useOnBehalfOf(businessId, may(TimeOffAccess.approveTimeOff, role));
  const only = people.length === 1 ? (people[0]?.id ?? '') : '';
  const values = { ...chosen, employeeId: chosen.employeeId || only };
  const name = employees.data?.employees.find(({ id }) => id === values.employeeId)?.name ?? 'The employee';
  const absence = useAbsence(businessId, zone, today, (done, outcome) => {
    if (outcome.proposal) return setReported({ proposal: outcome.proposal, takeBack: outcome.takeBack });
    tell(doneText(done, name, outcome.stranded.length), outcome.takeBack);
    onClose();
  });

  if (reported) {
    return (
      <ProposalDialog
        businessId={businessId}
        proposalId={reported.proposal.id}
        zone={zone}
        title={`${name} is away`}
        text="The absence is saved. These customers need another employee or time; each stays in the inbox until it is settled."
        onClose={() => {
          tell(`${name} is away. The absence is saved.`, reported.takeBack);
          onClose();
        }}
      />
    );
  }
  if (absence.asked) {
    return (
      <StrandsDialog
        title={askText(absence.asked.values, name)}
        what={`${absence.asked.stranded.length === 1 ? 'is' : 'are'} booked then`}
        stranded={absence.asked.stranded}
        zone={zone}
        confirm="Save"
        running={absence.running}
        refused={absence.error && messageOf(absence.error, 'The change could not be saved.')}
        onConfirm={absence.confirm}
        onClose={absence.cancel}
      />
    );
  }

  const problems = problemsOf(values);
  const shown = sent ? problems : {};
  const change = (changed: Partial<AbsenceValues>) => setChosen({ ...values, ...changed });
  const { what, first, last } = values;
  const ofSalon = what === 'closed' || what === 'open';
  const ranged = what === 'off' || ofSalon;
  /** The hours that a kind begins with: the salon's are changed from those it has on such a day. */
  const hoursOf = (kind: AbsenceValues['what']) => {
    if (kind !== 'open') return { from: 540, to: kind === 'hours' ? 1080 : null };
    const usual = weekOf(opening ?? [])[weekdayOf(first) - 1]?.spans ?? [];
    return { from: usual[0]?.from ?? 540, to: usual.at(-1)?.to ?? null };
  };
  return (
    <FormDialog
      title="Absence or closure"
      busy={absence.running}
      onSubmit={() => {
        setSent(true);
        if (Object.keys(problems).length === 0) absence.ask(values);
      }}
      onClose={onClose}
    >
      <Choice
        legend="What happened"
        value={what}
        options={[
          ['sick', 'Sick'],
          ['late', 'Comes late'],
          ...(may(TimeOffAccess.approveTimeOff, role) ? ([['off', 'Time off']] as const) : []),
          ...(may(ScheduleAccess.setDayHours, role) ? ([['hours', 'Other hours']] as const) : []),
          ...(may(OpeningExceptionAccess.addOpeningException, role)
            ? ([
                ['closed', 'Salon closed'],
                ['open', 'Other salon hours'],
              ] as const)
            : []),
        ]}
        onChange={(chosen) => change({ what: chosen, ...hoursOf(chosen) })}
      />
      {!ofSalon && (
        <Reading query={employees} what="The team" skeleton={<RowsSkeleton rows={1} label="Loading team" />}>
          {() => (
            <SelectField
              label="Employee"
              error={shown.employeeId}
              value={values.employeeId}
              onChange={(event) => change({ employeeId: event.currentTarget.value })}
            >
              {!only && <option value="">Choose…</option>}
              {people.map((employee) => (
                <option key={employee.id} value={employee.id}>
                  {employee.name}
                </option>
              ))}
            </SelectField>
          )}
        </Reading>
      )}
      {what === 'off' && (
        <SelectField
          label="What for"
          value={String(values.kind)}
          onChange={(event) => change({ kind: Number(event.currentTarget.value) })}
        >
          {KIND_CHOICES.map(([kind, label]) => (
            <option key={kind} value={String(kind)}>
              {label}
            </option>
          ))}
        </SelectField>
      )}
      <Grid gap="3" gridTemplateColumns={ranged ? { base: '1fr', sm: '1fr 1fr' } : '1fr'}>
        <TextField
          label={ranged ? 'First day' : 'Day'}
          type="date"
          min={today}
          max={what === 'sick' || what === 'late' ? dayAfter(today, SICK_DAYS) : undefined}
          value={first}
          onChange={({ currentTarget: { value } }) =>
            value && change({ first: value, last: last < value ? value : last })
          }
        />
        {ranged && (
          <TextField
            label="Last day"
            type="date"
            min={first}
            value={last}
            onChange={({ currentTarget: { value } }) => value && change({ last: value })}
          />
        )}
      </Grid>
      {what === 'late' && (
        <TimeField
          label="Will be there at"
          minute={values.to}
          error={shown.to}
          onChange={(to) => change({ to })}
        />
      )}
      {(what === 'hours' || what === 'open') && (
        <Grid gap="3" gridTemplateColumns="1fr 1fr">
          <TimeField
            label="From"
            minute={values.from}
            error={shown.from}
            onChange={(from) => change({ from })}
          />
          <TimeField label="Until" minute={values.to} error={shown.to} onChange={(to) => change({ to })} />
        </Grid>
      )}
      <Refusal>{absence.error && refusalText(absence.error, name)}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={absence.running} minHeight="12">
          Cancel
        </Button>
        <Button type="submit" variant="contained" loading={absence.running}>
          {what === 'sick' || what === 'late' ? 'Report' : 'Save'}
        </Button>
      </DialogActions>
    </FormDialog>
  );
}

type TimeFieldProps = {
  label: string;
  minute: number | null;
  error: string | undefined;
  onChange: (minute: number | null) => void;
};

function TimeField({ label, minute, error, onChange }: TimeFieldProps) {
  return (
    <TextField
      label={label}
      type="time"
      step={300}
      error={error}
      value={minute === null ? '' : clockOf(minute)}
      onChange={({ currentTarget: { value } }) => onChange(minuteOf(value))}
    />
  );
}

type Problems = Partial<Record<'employeeId' | 'from' | 'to', string>>;

function problemsOf({ what, employeeId, from, to }: AbsenceValues): Problems {
  const problems: Problems = {};
  if (what !== 'closed' && what !== 'open' && !employeeId) problems.employeeId = 'Choose who it is.';
  if (what === 'late' && to === null) problems.to = 'Enter when they will be there.';
  if (what === 'hours' && from === null) problems.from = 'Enter when work begins.';
  if (what === 'hours' && to === null) problems.to = 'Enter when work ends.';
  if (what === 'open' && from === null) problems.from = 'Enter when the salon opens.';
  if (what === 'open' && to === null) problems.to = 'Enter when the salon closes.';
  if ((what === 'hours' || what === 'open') && from !== null && to !== null && to <= from)
    problems.to = 'It must end after it begins.';
  return problems;
}

function askText({ what, first, last }: AbsenceValues, name: string): string {
  const when = datesText(first, last);
  switch (what) {
    case 'closed':
      return `Close the salon, ${when}?`;
    case 'open':
      return `Change the salon’s hours, ${when}?`;
    case 'hours':
      return `Change the hours of ${name}, ${when}?`;
    default:
      return `Time off for ${name}, ${when}?`;
  }
}

function doneText(values: AbsenceValues, name: string, left: number): string {
  const when = datesText(values.first, values.last);
  const open = left > 0 ? ` ${listedCustomers(left)} to settle in the inbox.` : '';
  switch (values.what) {
    case 'closed':
      return `The salon is closed, ${when}.${open}`;
    case 'open':
      return `Changed the salon’s hours, ${when}.${open}`;
    case 'hours':
      return `Changed the hours of ${name}, ${when}.${open}`;
    case 'off':
      return `${name} has time off, ${when}.${open}`;
    default:
      return `${name} is away. No customer needs another employee.`;
  }
}

function refusalText(error: unknown, name: string): string {
  return error instanceof ApiError && error.reason === 'NOT_WORKING'
    ? `${name} has no work left that day.`
    : messageOf(error, 'The change could not be saved.');
}
