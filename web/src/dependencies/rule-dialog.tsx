import { Box, Grid } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';

import { useForm } from 'react-hook-form';
import { useSending } from '../api/action';
import { refuseFields } from '../api/refuse-fields';
import type { Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { DependencyRule, DependencyService } from '../gen/frontdesk/scheduling/v1/dependency_pb';
import { ApiError } from '../http/errors';
import { useKeptForm } from '../session/use-draft';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { TextField } from '../ui/field';
import { SelectField } from '../ui/select-field';
import { Refusal } from '../ui/states';
import { Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { dependenciesQuery } from './queries';
import { RULE_NAMES, RULES, ruleSentence } from './rule-text';
import { dependencyOf, type RuleValues, ruleProblems } from './rule-values';

export type Contradiction = {
  /** The rules that contradict each other; the refused one by no id of theirs. */
  ids: string[];
  refused: RuleValues;
};

type RuleDialogProps = {
  businessId: string;
  services: Service[];
  before: RuleValues;
  /** What the refused rule contradicts, in words. */
  contradicted: string[];
  onContradiction: (found: Contradiction) => void;
  onDone: () => void;
  onClose: () => void;
};

/** Fields of the form by the contract's names. */
const FIELDS: Readonly<Record<string, keyof RuleValues>> = {
  'dependency.first_service_id': 'first',
  'dependency.then_service_id': 'then',
  'dependency.rule': 'rule',
  'dependency.least_gap_minutes': 'leastGap',
  'dependency.most_gap_minutes': 'mostGap',
  'dependency.least_hours': 'leastHours',
  'dependency.most_days': 'mostDays',
};

type Bound = {
  name: 'leastGap' | 'mostGap' | 'leastHours' | 'mostDays';
  label: string;
  hint?: string;
  min: number;
  max?: number;
  step?: number;
};

const A_DAY = { min: 0, max: 1440, step: 5 };

/** How far apart, of rules that say so. */
const BOUNDS: Partial<Record<DependencyRule, Bound[]>> = {
  [DependencyRule.ORDER]: [
    { name: 'leastGap', label: 'Least gap (minutes)', ...A_DAY },
    { name: 'mostGap', label: 'Most gap (minutes)', hint: 'Empty means any gap.', ...A_DAY },
  ],
  [DependencyRule.EARLIER_VISIT]: [
    { name: 'leastHours', label: 'At least (hours before)', min: 0 },
    { name: 'mostDays', label: 'At most (days before)', hint: 'Empty means two years.', min: 1, max: 730 },
  ],
};

/** Makes a rule between two services. */
export function RuleDialog(props: RuleDialogProps) {
  const { services, before, contradicted, onClose } = props;
  const form = useForm<RuleValues>({
    defaultValues: before,
    resolver: (values) => {
      const problems = ruleProblems(values);
      if (problems.length === 0) return { values, errors: {} };
      return {
        values: {},
        errors: Object.fromEntries(problems.map(([field, message]) => [field, { type: 'bounds', message }])),
      };
    },
  });
  useKeptForm('new rule', form);
  const { errors, isSubmitting } = form.formState;
  const save = useSaving(props, form);
  const values = form.watch();
  const bounds = BOUNDS[Number(values.rule) as DependencyRule] ?? [];
  const nameOf = (id: string) => services.find((service) => service.id === id)?.name ?? '…';
  const choices = services.map(({ id, name }) => (
    <option key={id} value={id}>
      {name}
    </option>
  ));

  return (
    <FormDialog title="New rule" busy={isSubmitting} onSubmit={() => void save()} onClose={onClose}>
      <SelectField label="First service" error={errors.first?.message} {...form.register('first')}>
        <option value="">Choose…</option>
        {choices}
      </SelectField>
      <SelectField label="Rule" error={errors.rule?.message} {...form.register('rule')}>
        {RULES.map((kind) => (
          <option key={kind} value={kind}>
            {RULE_NAMES[kind]}
          </option>
        ))}
      </SelectField>
      <SelectField label="Second service" error={errors.then?.message} {...form.register('then')}>
        <option value="">Choose…</option>
        {choices}
      </SelectField>
      {bounds.length > 0 && (
        <Grid gap="4" gridTemplateColumns={{ base: '1fr', sm: '1fr 1fr' }}>
          {bounds.map(({ name, ...field }) => (
            <TextField
              key={name}
              type="number"
              error={errors[name]?.message}
              {...field}
              {...form.register(name)}
            />
          ))}
        </Grid>
      )}
      <Text color="fg.muted" aria-live="polite">
        {values.first &&
          values.then &&
          ruleSentence(dependencyOf(values), nameOf(values.first), nameOf(values.then))}
      </Text>
      <Refusal>{errors.root?.message}</Refusal>
      {errors.root?.type === 'contradiction' && (
        <Box as="ul" ps="5" listStyleType="disc">
          {contradicted.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </Box>
      )}
      <DialogActions>
        <Button onClick={onClose} disabled={isSubmitting} minHeight="12">
          {errors.root?.type === 'contradiction' ? 'See them on the page' : 'Cancel'}
        </Button>
        <Button type="submit" variant="contained" loading={isSubmitting}>
          Add rule
        </Button>
      </DialogActions>
    </FormDialog>
  );
}

function useSaving(
  { businessId, onContradiction, onDone }: RuleDialogProps,
  form: ReturnType<typeof useForm<RuleValues>>,
) {
  const queries = useQueryClient();
  const create = useSending(DependencyService.method.createDependency);
  return form.handleSubmit(async (values) => {
    try {
      await create({ businessId, dependency: dependencyOf(values) });
      void queries.invalidateQueries({ queryKey: dependenciesQuery(businessId).queryKey });
      toasts.show('good', 'The rule holds from now on.');
      onDone();
    } catch (error) {
      const failure = error instanceof ApiError ? error.failure : undefined;
      if (failure?.kind === 'refused' && failure.reason === 'CONTRADICTION') {
        onContradiction({
          ids: (failure.metadata.ids ?? '').split(',').filter((id) => id !== 'new'),
          refused: values,
        });
        form.setError('root', { type: 'contradiction', message: 'This rule contradicts others:' });
        return;
      }
      if (failure?.kind === 'refused' && failure.reason === 'ALREADY_EXISTS') {
        form.setError('root', { message: 'There is such a rule between these two already.' });
        return;
      }
      refuseFields(form, error, (name) => FIELDS[name], 'The rule could not be added.');
    }
  });
}
