import { Box, Flex } from '@chakra-ui/react';
import { Choice } from '../ui/choice';
import { TextField } from '../ui/field';
import { SelectField } from '../ui/select-field';
import { datesOf, PRESETS, type Preset, type Wish } from './wish';

type FiltersProps = {
  wish: Wish;
  /** What is wrong with the dates. */
  problem: string | null;
  categories: string[];
  onChange: (wish: Wish) => void;
  /** Today there. */
  today: string;
};

/** Which dates, which services, and drawn or written. */
export function Filters({ wish, problem, categories, today, onChange }: FiltersProps) {
  const { preset, dates, category, table } = wish;
  const choose = (chosen: Preset) =>
    // Other dates begin with those in sight.
    onChange({ ...wish, preset: chosen, dates: chosen === 'own' ? dates : datesOf(chosen, today) });
  return (
    <Flex gap="5" rowGap="4" wrap="wrap" align="flex-start">
      <Choice legend="Dates" value={preset} options={PRESETS} onChange={choose} />
      {preset === 'own' && (
        <Flex gap="3" align="flex-start" wrap="wrap">
          <TextField
            label="First date"
            type="date"
            value={dates.first}
            max={dates.last}
            error={problem ?? undefined}
            onChange={(event) => onChange({ ...wish, dates: { ...dates, first: event.target.value } })}
          />
          <TextField
            label="Last date"
            type="date"
            value={dates.last}
            min={dates.first}
            onChange={(event) => onChange({ ...wish, dates: { ...dates, last: event.target.value } })}
          />
        </Flex>
      )}
      {categories.length > 1 && (
        <Box minWidth="12rem">
          <SelectField
            label="Category"
            value={category}
            onChange={(event) => onChange({ ...wish, category: event.target.value })}
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
        onChange={(shown) => onChange({ ...wish, table: shown === 'table' })}
      />
    </Flex>
  );
}
