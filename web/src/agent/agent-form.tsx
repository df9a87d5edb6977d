import { Flex, Grid, Stack } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useAction } from '../api/action';
import { type AgentSettings, AgentSettingsService } from '../gen/frontdesk/tenancy/v1/agent_settings_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { LeaveGuard } from '../layout/leave-guard';
import { useKeptForm } from '../session/use-draft';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { CheckField } from '../ui/check-field';
import { TextArea, TextField } from '../ui/field';
import { SelectField } from '../ui/select-field';
import { Refusal } from '../ui/states';
import { Muted } from '../ui/text';
import { toasts } from '../ui/toasts';
import { Preview } from './preview';
import { agentQuery } from './queries';
import { type AgentFields, fields, LANGUAGES, SWITCHES, saysTheSame, settingsOf, valuesOf } from './values';

type AgentFormProps = {
  businessId: string;
  draft: AgentSettings;
  revision: bigint;
  /** A later draft than the form's, if there is one. */
  savedSince: AgentSettings | undefined;
  /** Whether the fields say something else than the draft that was read. */
  onUnsaved: (unsaved: boolean) => void;
  onSaved: (draft: AgentSettings, revision: bigint) => void;
};

const OWN = 'settings.';

/** The draft: it answers no call until it is published. */
export function AgentForm({
  businessId,
  draft: before,
  revision,
  savedSince,
  onUnsaved,
  onSaved,
}: AgentFormProps) {
  const queries = useQueryClient();
  const form = useForm<AgentFields>({ resolver: zodResolver(fields), defaultValues: valuesOf(before) });
  useKeptForm(`agent of ${businessId}`, form);
  const [shown, setShown] = useState<AgentFields>();
  const { errors, isDirty } = form.formState;
  useEffect(() => onUnsaved(isDirty), [isDirty, onUnsaved]);
  // Where a draft saved meanwhile says the same, as one does whose answer was lost, nothing is unsaved.
  useLayoutEffect(() => {
    if (savedSince && saysTheSame(form.getValues(), savedSince)) onUnsaved(false);
  }, [savedSince, form, onUnsaved]);
  const { act, running, error } = useAction(AgentSettingsService.method.saveAgentDraft, {
    onDone: (told) => {
      const { draft = before, revision: next, hasChanges } = told;
      const { queryKey } = agentQuery(businessId);
      // The next revision comes with another form; until then, this one is not saved.
      if (next === revision) form.reset(valuesOf(draft));
      // The answer holds all of it: a read that fails leaves no stale revision to save or publish.
      queries.setQueryData(queryKey, (shown) => shown && { ...shown, draft, revision: next, hasChanges });
      void queries.invalidateQueries({ queryKey });
      onSaved(draft, next);
      toasts.show('good', 'Saved the draft. Publish it for calls to run on it.');
    },
    onRefused: (refused) => {
      for (const [field, message] of Object.entries(fieldErrorsOf(refused))) {
        const own = field.startsWith(OWN) ? (field.slice(OWN.length) as keyof AgentFields) : undefined;
        if (own && message) form.setError(own, { message }, { shouldFocus: true });
      }
    },
  });
  const named = Object.keys(fieldErrorsOf(error)).some((field) => field.startsWith(OWN));
  const recording = form.watch('recordsCalls');
  return (
    <>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void form.handleSubmit((values) => act({ businessId, revision, settings: settingsOf(values) }))();
        }}
      >
        <Stack gap="6">
          <Card title="How it speaks">
            <Stack gap="4">
              <TextField
                label="Greeting"
                maxLength={500}
                hint="What the agent says first."
                error={errors.greeting?.message}
                {...form.register('greeting')}
              />
              <TextArea
                label="Prompt"
                minHeight="18rem"
                maxLength={20_000}
                hint="What the agent is told. Variables, such as {{salon}}, are listed with the preview."
                error={errors.prompt?.message}
                {...form.register('prompt')}
              />
              <Grid gap="4" gridTemplateColumns={{ base: '1fr', sm: '1fr 1fr' }}>
                <SelectField
                  label="Languages"
                  hint="The agent starts with the first one."
                  error={errors.languages?.message}
                  {...form.register('languages')}
                >
                  {LANGUAGES.map(([codes, name]) => (
                    <option key={codes} value={codes}>
                      {name}
                    </option>
                  ))}
                </SelectField>
                <TextField
                  label="Number to pass callers on to (optional)"
                  type="tel"
                  autoComplete="off"
                  hint="Callers who ask for a person are put through to it. Without one, the agent offers to take a message."
                  error={errors.transferPhone?.message}
                  {...form.register('transferPhone')}
                />
              </Grid>
              <Flex>
                <Button onClick={() => setShown(form.getValues())}>Preview greeting and prompt</Button>
              </Flex>
              {shown && <Preview businessId={businessId} settings={settingsOf(shown)} />}
            </Stack>
          </Card>
          <Card title="What it may do">
            <Grid columnGap="6" gridTemplateColumns={{ base: '1fr', sm: '1fr 1fr' }}>
              {SWITCHES.map(([name, label]) => (
                <CheckField key={name} label={label} {...form.register(name)} />
              ))}
            </Grid>
          </Card>
          <Card title="Recordings">
            <Stack gap="4">
              <CheckField label="Record calls" {...form.register('recordsCalls')} />
              {recording ? (
                <>
                  <TextField
                    label="Notice before a recording"
                    maxLength={300}
                    hint="Said before the conversation. The law of most countries requires it."
                    error={errors.recordingNotice?.message}
                    {...form.register('recordingNotice')}
                  />
                  <TextField
                    label="Days that recordings are kept"
                    type="number"
                    inputMode="numeric"
                    min={1}
                    max={730}
                    maxWidth="10rem"
                    error={errors.recordingDays?.message}
                    {...form.register('recordingDays')}
                  />
                </>
              ) : (
                <Muted>No recording is made.</Muted>
              )}
            </Stack>
          </Card>
          <Refusal>{error && !named ? messageOf(error, 'The draft could not be saved.') : undefined}</Refusal>
          <Flex gap="3" align="center" wrap="wrap">
            <Button type="submit" variant="contained" loading={running} disabled={!isDirty}>
              Save the draft
            </Button>
            {isDirty && <Muted>There are changes that are not saved.</Muted>}
          </Flex>
        </Stack>
      </form>
      {isDirty && <LeaveGuard />}
    </>
  );
}
