import { Box, Flex, Grid } from '@chakra-ui/react';
import { useState } from 'react';
import { Choice } from '../ui/choice';
import { TextField } from '../ui/field';
import { SelectField } from '../ui/select-field';
import { type Dates, datesOf, PRESETS, type Preset, type Wish } from './wish';

type FiltersProps = {
  wish: Wish;
  /** What is wrong with the dates. */
  problem: string | null;
  categories: string[];
  onChange: (changed: Partial<Wish>) => void;
  /** Today there. */
  today: string;
};

/** Filters: dates, services, and charts or tables. */
export function Filters({ wish, problem, categories, today, onChange }: FiltersProps) {
  const { preset, dates, category, table } = wish;
  const choose = (chosen: Preset) =>
    // Other dates begin with those in sight.
    onChange({ preset: chosen, dates: chosen === 'own' ? dates : datesOf(chosen, today) });
  return (
    <Flex gap="5" rowGap="4" wrap="wrap" align="flex-start">
      <Choice legend="Dates" value={preset} options={PRESETS} onChange={choose} />
      {preset === 'own' && (
        <OwnDates
          before={dates}
          problem={problem}
          onChange={(chosen) => onChange({ preset: 'own', dates: chosen })}
        />
      )}
      {categories.length > 1 && (
        <Box minWidth="12rem">
          <SelectField
            label="Category"
            value={category}
            onChange={(event) => onChange({ category: event.target.value })}
          >
            <option value="">All services</option>
            {categories.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </SelectField>
        </Box>
      )}
      <Choice
        legend="Shown as"
        value={table ? 'table' : 'charts'}
        options={[
          ['charts', 'Charts'],
          ['table', 'Table'],
        ]}
        onChange={(shown) => onChange({ table: shown === 'table' })}
      />
    </Flex>
  );
}

type OwnDatesProps = { before: Dates; problem: string | null; onChange: (dates: Dates) => void };

/** Dates as they are typed: the address follows them, and never overwrites the field. */
function OwnDates({ before, problem, onChange }: OwnDatesProps) {
  const [dates, setDates] = useState(before);
  const change = (changed: Partial<Dates>) => {
    const after = { ...dates, ...changed };
    setDates(after);
    onChange(after);
  };
  return (
    <Grid gap="3" gridTemplateColumns="repeat(2, minmax(0, 1fr))" width={{ base: '100%', sm: 'auto' }}>
      <TextField
        label="First date"
        type="date"
        value={dates.first}
        max={dates.last}
        error={problem ?? undefined}
        onChange={(event) => change({ first: event.target.value })}
      />
      <TextField
        label="Last date"
        type="date"
        value={dates.last}
        min={dates.first}
        onChange={(event) => change({ last: event.target.value })}
      />
    </Grid>
  );
}
