import { chakra, Grid, Stack } from '@chakra-ui/react';
import { SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { Person } from '../day/columns';
import { Button } from '../ui/button';
import { CheckField } from '../ui/check-field';
import { TextField } from '../ui/field';
import { currencySymbol } from '../ui/money';
import { Muted } from '../ui/text';
import { MOST_MINUTES, type ServiceValues, STEP } from './service-values';

type SkillEditorProps = { form: UseFormReturn<ServiceValues>; people: readonly Person[] };

/** Who does a service, and what some of them charge or take for it. */
export function SkillEditor({ form, people }: SkillEditorProps) {
  const chosen = form.watch('employees');
  const toggle = (id: string, does: boolean) =>
    form.setValue('employees', does ? [...chosen, id] : chosen.filter((other) => other !== id), {
      shouldDirty: true,
    });
  return (
    <chakra.fieldset border="none" minWidth="0">
      <chakra.legend fontWeight="650" mb="1">
        Who does it
      </chakra.legend>
      {people.length === 0 && <Muted>No employees yet.</Muted>}
      {form.formState.errors.employees?.message && (
        <chakra.p color="bad.fg" fontSize="0.875rem" fontWeight="550">
          {form.formState.errors.employees.message}
        </chakra.p>
      )}
      <Stack as="ul" gap="0" listStyleType="none">
        {people.map(({ id, name }) => (
          <li key={id}>
            <Skill
              form={form}
              id={id}
              name={name}
              does={chosen.includes(id)}
              onToggle={(does) => toggle(id, does)}
            />
          </li>
        ))}
      </Stack>
    </chakra.fieldset>
  );
}

type SkillProps = {
  form: UseFormReturn<ServiceValues>;
  id: string;
  name: string;
  does: boolean;
  onToggle: (does: boolean) => void;
};

function Skill({ form, id, name, does, onToggle }: SkillProps) {
  const { segments, prices } = form.getValues();
  const { errors } = form.formState;
  const differs = Boolean(prices[id]) || segments.some(({ own }) => own[id]);
  const refused =
    errors.prices?.[id] !== undefined || segments.some((_, at) => errors.segments?.[at]?.own?.[id]);
  const [wanted, setWanted] = useState(differs);
  const open = does && (wanted || refused);
  return (
    <>
      <Grid gridTemplateColumns="minmax(0, 1fr) auto" alignItems="center" gap="3">
        <CheckField label={name} checked={does} onChange={(event) => onToggle(event.target.checked)} />
        {does && (
          <Button
            variant="quiet"
            aria-expanded={open}
            aria-label={`Own price and times of ${name}`}
            onClick={() => setWanted(!open)}
          >
            <SlidersHorizontal size={16} aria-hidden />
            {differs ? 'Own price or times' : 'Default'}
          </Button>
        )}
      </Grid>
      {open && <Own form={form} id={id} name={name} />}
    </>
  );
}

/** Empty fields mean what the service has. */
function Own({ form, id, name }: Pick<SkillProps, 'form' | 'id' | 'name'>) {
  const { segments, price, currency } = form.watch();
  const { errors } = form.formState;
  return (
    <Grid
      role="group"
      aria-label={`Own price and times of ${name}`}
      gap="3"
      p="3"
      mb="2"
      borderRadius="button"
      bg="bg.sunken"
      gridTemplateColumns="repeat(auto-fill, minmax(8.5rem, 1fr))"
      alignItems="end"
    >
      <TextField
        label={`Price (${currencySymbol(currency)})`}
        inputMode="decimal"
        autoComplete="off"
        placeholder={price}
        error={errors.prices?.[id]?.message}
        {...form.register(`prices.${id}`)}
      />
      {segments.map(({ kind, minutes }, at) => (
        <TextField
          key={at}
          label={`${at + 1}. ${kind === 'active' ? 'With staff' : 'Processing'}`}
          type="number"
          min={STEP}
          max={MOST_MINUTES}
          step={STEP}
          placeholder={String(minutes || '')}
          error={errors.segments?.[at]?.own?.[id]?.message}
          {...form.register(`segments.${at}.own.${id}`)}
        />
      ))}
    </Grid>
  );
}
