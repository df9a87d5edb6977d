import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { useAction } from '../api/action';
import {
  HmacAlgorithm,
  HmacEncoding,
  VoiceConnectionService,
  VoicePlatform,
  WebhookCheck,
} from '../gen/frontdesk/tenancy/v1/voice_connection_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { useKeptForm } from '../session/use-draft';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { PasswordField, TextField } from '../ui/field';
import { SelectField } from '../ui/select-field';
import { Refusal } from '../ui/states';
import { Muted } from '../ui/text';
import { toasts } from '../ui/toasts';
import { agentPublicationsQuery, voiceConnectionsQuery } from './queries';
import { VOICE_PLATFORMS, voicePlatform } from './webhook';

const fields = z.object({
  platform: z.string(),
  label: z.string().check(z.trim(), z.minLength(1, 'Give the line a name.')),
  secret: z.string().check(z.trim(), z.minLength(1, 'Enter the secret that the platform shows.')),
  check: z.string(),
  account: z.string(),
  apiKey: z.string(),
  platformAgentId: z.string(),
  algorithm: z.string(),
  encoding: z.string(),
  signatureHeader: z.string(),
  signaturePrefix: z.string(),
  timestampHeader: z.string(),
  payload: z.string(),
});

type Fields = z.infer<typeof fields>;

const ALGORITHMS = [
  [HmacAlgorithm.SHA256, 'SHA-256'],
  [HmacAlgorithm.SHA512, 'SHA-512'],
  [HmacAlgorithm.SHA1, 'SHA-1'],
] as const;

/** Fields of a request by those of the form. */
const REQUESTED: Readonly<Record<string, keyof Fields>> = {
  label: 'label',
  secret: 'secret',
  account: 'account',
  apiKey: 'apiKey',
  platformAgentId: 'platformAgentId',
  'hmac.signatureHeader': 'signatureHeader',
  'hmac.signaturePrefix': 'signaturePrefix',
  'hmac.timestampHeader': 'timestampHeader',
  'hmac.payload': 'payload',
};

type ConnectVoiceDialogProps = { businessId: string; onClose: () => void };

/** Connects the account at a voice platform in which the agent is set up. */
export function ConnectVoiceDialog({ businessId, onClose }: ConnectVoiceDialogProps) {
  const queries = useQueryClient();
  const form = useForm<Fields>({
    resolver: zodResolver(fields),
    defaultValues: {
      platform: String(VoicePlatform.RETELL),
      label: 'Front desk line',
      secret: '',
      check: String(WebhookCheck.BEARER),
      account: '',
      apiKey: '',
      platformAgentId: '',
      algorithm: String(HmacAlgorithm.SHA256),
      encoding: String(HmacEncoding.HEX),
      signatureHeader: 'x-signature',
      signaturePrefix: '',
      timestampHeader: 'x-timestamp',
      payload: '{timestamp}.{body}',
    },
  });
  useKeptForm(`voice connection of ${businessId}`, form, { overReload: true });
  const { errors } = form.formState;
  const { act, running, error } = useAction(VoiceConnectionService.method.createVoiceConnection, {
    onDone: (_, { label }) => {
      void queries.invalidateQueries({ queryKey: voiceConnectionsQuery(businessId).queryKey });
      void queries.invalidateQueries({ queryKey: agentPublicationsQuery(businessId).queryKey });
      toasts.show('good', `${label} is connected.`);
      onClose();
    },
    onRefused: (refused) => {
      for (const [field, message] of Object.entries(fieldErrorsOf(refused))) {
        const own = REQUESTED[field];
        if (own && message) form.setError(own, { message }, { shouldFocus: true });
      }
    },
  });
  const platform = Number(form.watch('platform')) as VoicePlatform;
  const known = voicePlatform(platform);
  const isVapi = platform === VoicePlatform.VAPI;
  const byHmac = isVapi && form.watch('check') === String(WebhookCheck.HMAC);
  const named = Object.keys(fieldErrorsOf(error)).some((field) => REQUESTED[field]);
  return (
    <FormDialog
      title="Connect a voice platform"
      busy={running}
      onSubmit={() => void form.handleSubmit((values) => act(requestOf(businessId, values)))()}
      onClose={onClose}
    >
      <SelectField label="Platform" {...form.register('platform')}>
        {VOICE_PLATFORMS.map((of) => (
          <option key={of} value={of}>
            {voicePlatform(of).name}
          </option>
        ))}
      </SelectField>
      <TextField
        label="Name of the line"
        autoComplete="off"
        error={errors.label?.message}
        {...form.register('label')}
      />
      {platform === VoicePlatform.TWILIO && (
        <TextField
          label="Account SID"
          autoComplete="off"
          placeholder="AC…"
          error={errors.account?.message}
          {...form.register('account')}
        />
      )}
      {isVapi && (
        <SelectField
          label="How Vapi proves that a delivery is its own"
          hint="As it is configured in the credential there."
          {...form.register('check')}
        >
          <option value={WebhookCheck.BEARER}>Bearer token</option>
          <option value={WebhookCheck.HMAC}>HMAC signature</option>
        </SelectField>
      )}
      <PasswordField
        label={known.secret}
        hint={`${known.whereSecret} Frontdesk stores it encrypted and never shows it again.`}
        autoComplete="off"
        error={errors.secret?.message}
        {...form.register('secret')}
      />
      {byHmac && (
        <>
          <SelectField label="Algorithm" {...form.register('algorithm')}>
            {ALGORITHMS.map(([algorithm, name]) => (
              <option key={algorithm} value={algorithm}>
                {name}
              </option>
            ))}
          </SelectField>
          <SelectField label="Signature written as" {...form.register('encoding')}>
            <option value={HmacEncoding.HEX}>Hexadecimal</option>
            <option value={HmacEncoding.BASE64}>Base64</option>
          </SelectField>
          <TextField
            label="Header of the signature"
            autoComplete="off"
            error={errors.signatureHeader?.message}
            {...form.register('signatureHeader')}
          />
          <TextField
            label="Text before the signature (optional)"
            placeholder="sha256="
            autoComplete="off"
            error={errors.signaturePrefix?.message}
            {...form.register('signaturePrefix')}
          />
          <TextField
            label="Header of the timestamp"
            hint="Needed: without it, an old delivery could be sent again."
            autoComplete="off"
            error={errors.timestampHeader?.message}
            {...form.register('timestampHeader')}
          />
          <TextField
            label="What is signed"
            autoComplete="off"
            error={errors.payload?.message}
            {...form.register('payload')}
          />
        </>
      )}
      {known.hasApiKey && (
        <PasswordField
          label="API key (optional)"
          hint="Lets Frontdesk set the agent up there when you publish. It is stored encrypted as well."
          autoComplete="off"
          error={errors.apiKey?.message}
          {...form.register('apiKey')}
        />
      )}
      {platform !== VoicePlatform.TWILIO && (
        <TextField
          label={isVapi ? 'Assistant id (optional)' : 'Agent id (optional)'}
          hint={`Which one at ${known.name} is the salon’s: publishing sets it up. It can be entered later.`}
          autoComplete="off"
          error={errors.platformAgentId?.message}
          {...form.register('platformAgentId')}
        />
      )}
      <Muted>Next, the address of its webhook is shown, to enter there.</Muted>
      <Refusal>
        {error && !named ? messageOf(error, 'The platform could not be connected.') : undefined}
      </Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={running} minHeight="12">
          Cancel
        </Button>
        <Button type="submit" variant="contained" loading={running}>
          Connect
        </Button>
      </DialogActions>
    </FormDialog>
  );
}

/** What the platform needs of the form, and nothing else. */
function requestOf(businessId: string, values: Fields) {
  const platform = Number(values.platform) as VoicePlatform;
  const { label, secret } = values;
  const common = { businessId, platform, label, secret };
  switch (platform) {
    case VoicePlatform.TWILIO:
      return { ...common, account: values.account };
    case VoicePlatform.VAPI:
    case VoicePlatform.ELEVENLABS: {
      const { apiKey, platformAgentId } = values;
      return { ...common, apiKey, platformAgentId, ...(platform === VoicePlatform.VAPI && checkOf(values)) };
    }
    default:
      return { ...common, platformAgentId: values.platformAgentId };
  }
}

function checkOf(values: Fields) {
  const webhookCheck = Number(values.check) as WebhookCheck;
  if (webhookCheck !== WebhookCheck.HMAC) return { webhookCheck };
  const { signatureHeader, signaturePrefix, timestampHeader, payload } = values;
  const algorithm = Number(values.algorithm) as HmacAlgorithm;
  const encoding = Number(values.encoding) as HmacEncoding;
  return {
    webhookCheck,
    hmac: { algorithm, encoding, signatureHeader, signaturePrefix, timestampHeader, payload },
  };
}
