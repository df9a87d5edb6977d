import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Path, useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { call } from '../api/call';
import {
  type ProviderConnection,
  ProviderConnectionService,
  type ProviderSetting,
  type ProviderSystem,
} from '../gen/frontdesk/calendarsync/v1/provider_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { PasswordField, TextField } from '../ui/field';
import { Refusal } from '../ui/states';
import { toasts } from '../ui/toasts';
import { connectionsQuery } from './queries';

const SETTINGS = 'settings.';

type CredentialsDialogProps = {
  businessId: string;
  system: ProviderSystem;
  /** Whose credentials are replaced; without it, a connection is made. */
  connection?: ProviderConnection;
  /** Shown above the fields. */
  children?: ReactNode;
  onClose: () => void;
};

/** Takes the credentials of a booking system: of a new connection, or to replace those of one. */
export function CredentialsDialog(props: CredentialsDialogProps) {
  const { businessId, system, connection, children, onClose } = props;
  const queries = useQueryClient();
  const form = useForm<Fields>({
    resolver: zodResolver(fields(system, connection !== undefined)),
    defaultValues: {
      label: connection?.label ?? system.name,
      token: '',
      settings: Object.fromEntries(
        system.settings.map(({ key, defaultValue }) => [key, connection ? '' : defaultValue]),
      ),
    },
  });
  const { errors, isSubmitting } = form.formState;
  const save = form.handleSubmit(async ({ label, token, settings }) => {
    if (connection && !token && Object.values(settings).every((value) => !value)) {
      form.setError('root', { message: 'Enter what is to be replaced.' });
      return;
    }
    try {
      if (connection) {
        await call(ProviderConnectionService.method.rotateProviderToken, {
          businessId,
          connectionId: connection.id,
          token,
          settings,
        });
      } else {
        const { kind, profile } = system;
        await call(ProviderConnectionService.method.connectProvider, {
          businessId,
          kind,
          profile,
          label,
          token,
          settings,
        });
      }
      void queries.invalidateQueries({ queryKey: connectionsQuery(businessId).queryKey });
      toasts.show('good', connection ? `Replaced the credentials of ${label}.` : `${label} is connected.`);
      onClose();
    } catch (error) {
      const [about] = Object.entries(fieldErrorsOf(error)).filter(([name]) => isField(name, system));
      if (about) form.setError(about[0] as Path<Fields>, { message: about[1] }, { shouldFocus: true });
      else form.setError('root', { message: messageOf(error, `${label} could not be connected.`) });
    }
  });
  return (
    <FormDialog
      title={connection ? `Replace the credentials of ${connection.label}` : 'Connect a booking system'}
      busy={isSubmitting}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {children}
      {!connection && (
        <TextField
          label="Name"
          autoComplete="off"
          error={errors.label?.message}
          {...form.register('label')}
        />
      )}
      <PasswordField
        label={system.tokenLabel}
        hint={connection && 'Leave empty to keep the current one.'}
        autoComplete="off"
        error={errors.token?.message}
        {...form.register('token')}
      />
      {system.settings.map((setting) => {
        const Field = setting.isSecret ? PasswordField : TextField;
        return (
          <Field
            key={setting.key}
            label={setting.label}
            hint={connection ? 'Leave empty to keep the current value.' : setting.hint}
            autoComplete="off"
            error={errors.settings?.[setting.key]?.message}
            {...form.register(`settings.${setting.key}`)}
          />
        );
      })}
      <Refusal>{errors.root?.message}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={isSubmitting} minHeight="12">
          Cancel
        </Button>
        <Button type="submit" variant="contained" loading={isSubmitting}>
          {connection ? 'Replace' : 'Connect'}
        </Button>
      </DialogActions>
    </FormDialog>
  );
}

type Fields = { label: string; token: string; settings: Record<string, string> };

/** What a connection has may be left empty; what a new connection needs may not. */
function fields({ settings, tokenLabel }: ProviderSystem, kept: boolean) {
  const text = ({ label, isRequired }: ProviderSetting) =>
    z.string().check(
      z.trim(),
      z.refine((value) => kept || !isRequired || value !== '', `Enter the ${label}.`),
    );
  return z.object({
    label: z.string().check(z.trim(), z.minLength(1, 'Give it a name.')),
    token: z.string().check(
      z.trim(),
      z.refine((value) => kept || value !== '', `Enter the ${tokenLabel}.`),
    ),
    settings: z.object(Object.fromEntries(settings.map((setting) => [setting.key, text(setting)]))),
  });
}

/** Whether a field violation names a field of this form. */
function isField(name: string, { settings }: ProviderSystem): boolean {
  return name === 'token' || name === 'label' || settings.some(({ key }) => name === SETTINGS + key);
}
