import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Grid } from '@chakra-ui/react';
import { useState } from 'react';
import type { Person } from '../../day/columns';
import { fieldErrorsOf, messageOf } from '../../http/errors';
import { clockOf, instantOf } from '../../time/local';
import { isDay, minuteOfClock } from '../../time/local-day';
import { Button } from '../../ui/button';
import { DialogActions, FormDialog } from '../../ui/dialog';
import { TextField } from '../../ui/field';
import { SelectField } from '../../ui/select-field';
import { Refusal } from '../../ui/states';
import { useBlocking } from './use-blocks';

type BlockDialogProps = {
  businessId: string;
  zone: string;
  /** Whose time the viewer may block. */
  employees: readonly Person[];
  day: string;
  employeeId: string;
  from: number;
  to: number;
  onClose: () => void;
};

const STEP_MINUTES = 5;
const LONGEST_TITLE = 80;

/** Blocks some of an employee's time for bookings. */
export function BlockDialog(props: BlockDialogProps) {
  const { businessId, zone, employees, onClose } = props;
  const [chosen, setWho] = useState(props.employeeId);
  // A user who may only block their own time has nothing to choose.
  const who = employees.length === 1 ? (employees[0]?.id ?? '') : chosen;
  const [title, setTitle] = useState('Break');
  const [day, setDay] = useState(props.day);
  const [from, setFrom] = useState(() => clockOf(props.from));
  const [to, setTo] = useState(() => clockOf(props.to));
  const [tried, setTried] = useState(false);
  const { act, running, error } = useBlocking(businessId, zone, { onDone: onClose });
  const refused = fieldErrorsOf(error);
  const wrong = tried ? faultsOf({ who, title, day, from, to }) : {};

  const submit = () => {
    setTried(true);
    const [start, end] = [minuteOfClock(from), minuteOfClock(to)];
    if (Object.keys(faultsOf({ who, title, day, from, to })).length > 0) return;
    if (start === undefined || end === undefined) return;
    act({
      businessId,
      employeeId: who,
      title: title.trim(),
      startsAt: timestampFromDate(instantOf(day, start, zone)),
      endsAt: timestampFromDate(instantOf(day, end, zone)),
    });
  };
  return (
    <FormDialog title="Block time" busy={running} onSubmit={submit} onClose={onClose}>
      <SelectField
        label="Who"
        value={who}
        error={wrong.who}
        onChange={(event) => setWho(event.currentTarget.value)}
      >
        <option value="">Choose…</option>
        {employees.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextField
        label="What for"
        hint="Shown in the day: lunch, a meeting, training."
        maxLength={LONGEST_TITLE}
        value={title}
        error={wrong.title ?? refused.title}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <TextField
        label="Date"
        type="date"
        value={day}
        error={wrong.day ?? refused.starts_at}
        onChange={(event) => setDay(event.currentTarget.value)}
      />
      <Grid gap="3" gridTemplateColumns="minmax(0, 1fr) minmax(0, 1fr)">
        <TextField
          label="From"
          type="time"
          step={STEP_MINUTES * 60}
          value={from}
          error={wrong.from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextField
          label="To"
          type="time"
          step={STEP_MINUTES * 60}
          value={to}
          error={wrong.to ?? refused.ends_at}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
      </Grid>
      <Refusal>{error && messageOf(error, 'The time could not be blocked.')}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={running} minHeight="12">
          Cancel
        </Button>
        <Button type="submit" variant="contained" loading={running}>
          Block
        </Button>
      </DialogActions>
    </FormDialog>
  );
}

type Fields = { who: string; title: string; day: string; from: string; to: string };

function faultsOf({ who, title, day, from, to }: Fields): Partial<Fields> {
  const [start, end] = [minuteOfClock(from), minuteOfClock(to)];
  const faults: Partial<Fields> = {};
  if (!who) faults.who = 'Choose whose time it is.';
  if (!title.trim()) faults.title = 'Say what it is for.';
  if (!isDay(day)) faults.day = 'Choose a date.';
  if (start === undefined) faults.from = 'Enter a time.';
  else if (start % STEP_MINUTES > 0) faults.from = 'Choose a multiple of five minutes.';
  if (end === undefined) faults.to = 'Enter a time.';
  else if (end % STEP_MINUTES > 0) faults.to = 'Choose a multiple of five minutes.';
  else if (start !== undefined && end <= start) faults.to = 'Choose a time after the first.';
  return faults;
}
