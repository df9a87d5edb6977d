import { VoicePlatform } from '../gen/frontdesk/tenancy/v1/voice_connection_pb';

type Known = {
  name: string;
  /** What deliveries are checked with, as the platform calls it. */
  secret: string;
  /** Where it is found there. */
  whereSecret: string;
  /** Its API takes a key of its own. */
  hasApiKey: boolean;
  /** Where the address of deliveries goes there. */
  webhookHint: string;
  /** How its voices are written. */
  voiceHint: string;
};

const PUBLISHED = 'With an agent id and an API key, publishing enters it in the agent there.';

const UNKNOWN: Known = {
  name: 'Unknown platform',
  secret: 'Secret',
  whereSecret: '',
  hasApiKey: false,
  webhookHint: '',
  voiceHint: '',
};

const KNOWN: Readonly<Record<VoicePlatform, Known>> = {
  [VoicePlatform.UNSPECIFIED]: UNKNOWN,
  [VoicePlatform.RETELL]: {
    name: 'Retell AI',
    secret: 'Webhook key',
    whereSecret: 'In the dashboard of Retell AI under API keys, marked as the one for webhooks.',
    hasApiKey: false,
    webhookHint: PUBLISHED,
    voiceHint: 'The id of one of Retell’s voices, such as 11labs-Adrian. Empty keeps the one chosen there.',
  },
  [VoicePlatform.VAPI]: {
    name: 'Vapi',
    secret: 'Server secret',
    whereSecret: 'The token or HMAC secret of the server credential that the assistant uses.',
    hasApiKey: true,
    webhookHint: PUBLISHED,
    voiceHint: 'Provider and voice, such as 11labs:burt. Empty keeps the one chosen there.',
  },
  [VoicePlatform.TWILIO]: {
    name: 'Twilio',
    secret: 'Auth token',
    whereSecret: 'In the Twilio console on the account’s dashboard.',
    hasApiKey: false,
    webhookHint: 'Enter it there as the webhook of the telephone number.',
    voiceHint: '',
  },
  [VoicePlatform.ELEVENLABS]: {
    name: 'ElevenLabs',
    secret: 'Webhook secret',
    whereSecret: 'Shown once when the post-call webhook is created in the workspace’s settings.',
    hasApiKey: true,
    webhookHint:
      'Enter it in the workspace’s settings as post-call webhook. Publishing enters it in the agent’s tools.',
    voiceHint: 'The id of one of ElevenLabs’ voices. Empty keeps the one chosen there.',
  },
};

export const VOICE_PLATFORMS = [
  VoicePlatform.RETELL,
  VoicePlatform.VAPI,
  VoicePlatform.TWILIO,
  VoicePlatform.ELEVENLABS,
] as const;

export const voicePlatform = (platform: VoicePlatform): Known => KNOWN[platform] ?? UNKNOWN;
