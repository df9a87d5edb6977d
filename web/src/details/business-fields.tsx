import { Grid } from '@chakra-ui/react';
import type { ComponentProps } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { Choice } from '../ui/choice';
import { TextField } from '../ui/field';
import { SelectField } from '../ui/select-field';
import type { BusinessValues } from './business-values';

/** A colour to begin with when a business chooses its own. */
const FIRST_COLOR = '#148c84';

type FieldsProps = { form: UseFormReturn<BusinessValues> };

type TextProps = Omit<ComponentProps<typeof TextField>, 'label'>;

/** What a business is called. */
export function NameField(props: TextProps) {
  return <TextField label="Name" autoComplete="off" {...props} />;
}

/** Where it is. */
export function AddressField(props: TextProps) {
  return (
    <TextField
      label="Address (optional)"
      hint="On one line, as on a business card."
      autoComplete="off"
      {...props}
    />
  );
}

/** What customers call. */
export function PhoneField(props: TextProps) {
  return (
    <TextField
      label="Phone (optional)"
      type="tel"
      inputMode="tel"
      autoComplete="off"
      hint="The number customers call."
      {...props}
    />
  );
}

/** What it is paid in. */
export function CurrencyField(props: Omit<ComponentProps<typeof SelectField>, 'label' | 'children'>) {
  return (
    <SelectField label="Currency" {...props}>
      <option value="">Not chosen</option>
      {Intl.supportedValuesOf('currency').map((code) => (
        <option key={code} value={code}>
          {code}
        </option>
      ))}
    </SelectField>
  );
}

/** What a business is called, and how to reach it. */
export function IdentityFields({ form }: FieldsProps) {
  const { errors } = form.formState;
  return (
    <>
      <NameField error={errors.name?.message} {...form.register('name')} />
      <AddressField error={errors.address?.message} {...form.register('address')} />
      <Grid gap="4" gridTemplateColumns={{ base: '1fr', sm: '1fr 1fr' }} alignItems="start">
        <PhoneField error={errors.phone?.message} {...form.register('phone')} />
        <TextField
          label="E-mail (optional)"
          type="email"
          inputMode="email"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          error={errors.email?.message}
          {...form.register('email')}
        />
      </Grid>
      <Grid gap="4" gridTemplateColumns={{ base: '1fr', sm: '1fr 1fr' }} alignItems="start">
        <TextField
          label="Website (optional)"
          inputMode="url"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          placeholder="salon.example"
          error={errors.website?.message}
          {...form.register('website')}
        />
        <CurrencyField
          hint="New services are priced in it. Prices of services stay as they are."
          error={errors.currency?.message}
          {...form.register('currency')}
        />
      </Grid>
    </>
  );
}

/** The colour a business is recognised by. */
export function BrandField({ form }: FieldsProps) {
  const color = form.watch('brandColor');
  const choose = (value: string) => form.setValue('brandColor', value, { shouldDirty: true });
  return (
    <>
      <Choice
        legend="Colour"
        value={color ? 'own' : 'none'}
        options={[
          ['none', 'From the name'],
          ['own', 'Its own'],
        ]}
        onChange={(choice) => choose(choice === 'own' ? FIRST_COLOR : '')}
      />
      {color && (
        <TextField
          label="Brand colour"
          type="color"
          maxWidth="8rem"
          p="1"
          error={form.formState.errors.brandColor?.message}
          {...form.register('brandColor')}
        />
      )}
    </>
  );
}
