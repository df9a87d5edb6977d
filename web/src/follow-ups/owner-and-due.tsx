import { Grid } from '@chakra-ui/react';
import { useState } from 'react';
import { useChoosable } from '../business/use-employees';
import { TextField } from '../ui/field';
import { SelectField } from '../ui/select-field';
import type { DueFields } from './due';

type OwnerAndDueProps = {
  businessId: string;
  owner: string;
  due: DueFields;
  onOwner: (employeeId: string) => void;
  onDue: (due: DueFields) => void;
};

/** Fields for the owner and the due time. */
export function OwnerAndDue({ businessId, owner, due, onOwner, onDue }: OwnerAndDueProps) {
  const [before] = useState(owner);
  const employees = useChoosable(businessId, [before, owner]);
  return (
    <>
      <SelectField label="Assigned to" value={owner} onChange={(event) => onOwner(event.currentTarget.value)}>
        <option value="">Anyone</option>
        {employees.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <Grid gap="3" gridTemplateColumns="minmax(0, 1fr) minmax(0, 1fr)">
        <TextField
          label="Due on (optional)"
          type="date"
          pe="2"
          value={due.day}
          onChange={(event) => onDue({ ...due, day: event.currentTarget.value })}
        />
        <TextField
          label="At (optional)"
          type="time"
          step={300}
          disabled={!due.day}
          value={due.time}
          onChange={(event) => onDue({ ...due, time: event.currentTarget.value })}
        />
      </Grid>
    </>
  );
}
