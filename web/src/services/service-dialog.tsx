import { chakra, Flex, Grid } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { type FieldErrors, type FieldPath, type Resolver, set, useForm } from 'react-hook-form';
import { call } from '../api/call';
import { refuseFields } from '../api/refuse-fields';
import { useStartOver } from '../api/use-start-over';
import { businessQuery } from '../business/queries';
import { useChoosable } from '../business/use-employees';
import { CatalogueService, type Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { ApiError } from '../http/errors';
import { useKeptForm } from '../session/use-draft';
import { CheckField } from '../ui/check-field';
import { FormDialog, SaveActions } from '../ui/dialog';
import { TextField } from '../ui/field';
import { currencySymbol } from '../ui/money';
import { SelectField } from '../ui/select-field';
import { Refusal } from '../ui/states';
import { Muted } from '../ui/text';
import { toasts } from '../ui/toasts';
import { WordsField } from '../ui/words-field';
import { servicePages, showService } from './queries';
import { SegmentEditor } from './segment-editor';
import { fieldOf, newService, problemsOf, type ServiceValues, serviceOf, valuesOf } from './service-values';
import { SkillEditor } from './skill-editor';

/** The contract's bound. */
const LONGEST_SUBJECT = 100;

const resolver: Resolver<ServiceValues> = (values) => {
  const problems = problemsOf(values);
  if (problems.length === 0) return { values, errors: {} };
  const errors: FieldErrors<ServiceValues> = {};
  for (const { field, message } of problems) set(errors, field, { type: 'bounds', message });
  return { values: {}, errors };
};

type ServiceDialogProps = {
  businessId: string;
  /** The one to change, as it was read; none to make a new one. */
  service: Service | undefined;
  /** All of the business, for what they have in common. */
  services: Service[];
  /** Kinds of resources the business has some of. */
  kinds: string[];
  onClose: () => void;
};

/** Makes a service, or changes one. */
export function ServiceDialog(props: ServiceDialogProps) {
  const { businessId, service, services, kinds, onClose } = props;
  const shared = services[0]?.currency;
  const usual = useQuery(businessQuery(businessId)).data?.business?.currency;
  const form = useForm<ServiceValues>({
    resolver,
    defaultValues: service ? valuesOf(service) : newService(shared || usual || 'GBP'),
  });
  useKeptForm(service ? `service ${service.id}` : 'new service', form);
  const { errors, isSubmitting } = form.formState;
  const { save, startOver } = useSaving(props, form);
  const [categories, subjects] = [useId(), useId()];
  const [currency, aliases, needed, chosen] = form.watch(['currency', 'aliases', 'kinds', 'employees']);
  const people = useChoosable(businessId, [...(service?.employeeIds ?? []), ...chosen]);
  const offered = [...new Set([...kinds, ...needed])];

  return (
    <FormDialog
      wide
      title={service ? `Edit ${service.name}` : 'New service'}
      busy={isSubmitting}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        autoFocus
        autoComplete="off"
        error={errors.name?.message}
        {...form.register('name')}
      />
      <Grid gap="4" gridTemplateColumns={{ base: '1fr', sm: shared ? '2fr 1fr' : '2fr 1fr 1fr' }}>
        <TextField
          label="Category (optional)"
          autoComplete="off"
          list={categories}
          error={errors.category?.message}
          {...form.register('category')}
        />
        <datalist id={categories}>
          {[...new Set(services.map(({ category }) => category))].filter(Boolean).map((category) => (
            <option key={category} value={category} />
          ))}
        </datalist>
        <TextField
          label={`Price (${currencySymbol(currency)})`}
          inputMode="decimal"
          autoComplete="off"
          error={errors.price?.message}
          {...form.register('price')}
        />
        {!shared && (
          <SelectField label="Currency" error={errors.currency?.message} {...form.register('currency')}>
            {Intl.supportedValuesOf('currency').map((code) => (
              <option key={code} value={code}>
                {code}
              </option>
            ))}
          </SelectField>
        )}
      </Grid>
      <SegmentEditor form={form} />
      <SkillEditor form={form} people={people} />
      <WordsField
        label="Also heard as"
        hint="What callers say when they mean this service."
        error={errors.aliases?.message}
        words={aliases}
        onChange={(words) => form.setValue('aliases', words, { shouldDirty: true })}
      />
      <TextField
        label="Patch test for (optional)"
        hint="The desk is warned when a customer has no current patch test of this name."
        autoComplete="off"
        list={subjects}
        maxLength={LONGEST_SUBJECT}
        error={errors.patchTest?.message}
        {...form.register('patchTest')}
      />
      <datalist id={subjects}>
        {[...new Set(services.map(({ patchTest }) => patchTest))].filter(Boolean).map((subject) => (
          <option key={subject} value={subject} />
        ))}
      </datalist>
      <chakra.fieldset border="none" minWidth="0">
        <chakra.legend fontWeight="650">Requires all of</chakra.legend>
        {offered.length === 0 && (
          <Muted>There are no chairs, rooms or machines yet. They are made under Resources.</Muted>
        )}
        <Flex gap="2" columnGap="6" wrap="wrap">
          {offered.map((kind) => (
            <CheckField
              key={kind}
              label={kind}
              checked={needed.includes(kind)}
              onChange={(event) =>
                form.setValue(
                  'kinds',
                  event.target.checked ? [...needed, kind] : needed.filter((other) => other !== kind),
                  { shouldDirty: true },
                )
              }
            />
          ))}
        </Flex>
        <Refusal>{errors.kinds?.message}</Refusal>
      </chakra.fieldset>
      <Refusal>{errors.root?.message}</Refusal>
      <SaveActions
        save={service ? 'Save service' : 'Add service'}
        saving={isSubmitting}
        startOver={startOver}
        onCancel={onClose}
      />
    </FormDialog>
  );
}

/** Sends what the form amounts to; what is refused is said at its field. */
function useSaving(
  { businessId, service, services, onClose }: ServiceDialogProps,
  form: ReturnType<typeof useForm<ServiceValues>>,
) {
  const queries = useQueryClient();
  const now = services.find(({ id }) => id === service?.id);
  const { read, onStale, startOver } = useStartOver(service, now, (to) => form.reset(valuesOf(to)));

  const send = async (values: ServiceValues): Promise<string> => {
    if (!read) {
      await call(CatalogueService.method.createService, {
        businessId,
        service: serviceOf(values),
      });
      return `${values.name.trim()} is on the list.`;
    }
    const { service: saved } = await call(CatalogueService.method.updateService, {
      businessId,
      serviceId: read.id,
      service: { ...serviceOf(values), version: read.version },
    });
    if (saved) showService(queries, businessId, saved);
    return `${values.name.trim()} is saved.`;
  };

  const save = form.handleSubmit(async (values) => {
    try {
      const done = await send(values);
      void queries.invalidateQueries({ queryKey: servicePages(businessId).queryKey });
      toasts.show('good', done);
      onClose();
    } catch (error) {
      refuse(error, values);
    }
  });

  const refuse = (error: unknown, values: ServiceValues) => {
    const reason = error instanceof ApiError ? error.reason : undefined;
    if (reason === 'ALREADY_EXISTS') {
      form.setError('name', { message: 'Another service has this name.' }, { shouldFocus: true });
      return;
    }
    if (reason === 'STALE') {
      onStale();
      void queries.invalidateQueries({ queryKey: servicePages(businessId).queryKey });
    }
    const field = (violated: string) => fieldOf(violated, values) as FieldPath<ServiceValues> | undefined;
    refuseFields(form, error, field, 'The service could not be saved.');
  };

  return { save, startOver };
}
