import { Grid } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { dayAfter } from '../time/local';
import { TextField } from '../ui/field';

const MOST_DAYS = 61;

/** The days between which a customer would come. */
export type Days = { first: string; last: string };

type DaysFieldsProps = {
  days: Days;
  today: string;
  /** What is wrong with a field, by its name in the contract. */
  wrong: { first_date?: string; last_date?: string };
  onChange: (days: Days) => void;
  /** More fields beside them. */
  children?: ReactNode;
};

/** The first and the last day, never the wrong way round. */
export function DaysFields({ days: { first, last }, today, wrong, onChange, children }: DaysFieldsProps) {
  return (
    <Grid gap="3" gridTemplateColumns="minmax(0, 1fr) minmax(0, 1fr)">
      <TextField
        label="First day"
        type="date"
        min={today}
        value={first}
        error={wrong.first_date}
        onChange={({ currentTarget: { value } }) =>
          value && onChange({ first: value, last: last < value ? value : last })
        }
      />
      <TextField
        label="Last day"
        type="date"
        min={first}
        max={dayAfter(first, MOST_DAYS)}
        value={last}
        error={wrong.last_date}
        onChange={({ currentTarget: { value } }) => value && onChange({ first, last: value })}
      />
      {children}
    </Grid>
  );
}
