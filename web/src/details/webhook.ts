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
    webhookHint:
      'Enter it at Retell AI as the agent’s webhook URL. With the agent’s id, Frontdesk does that when you publish.',
    voiceHint: 'The id of one of Retell’s voices, such as 11labs-Adrian. Empty keeps the one chosen there.',
  },
  [VoicePlatform.VAPI]: {
    name: 'Vapi',
    secret: 'Server secret',
    whereSecret: 'The token or HMAC secret of the server credential that the assistant uses.',
    hasApiKey: true,
    webhookHint:
      'Enter it at Vapi as the assistant’s server URL. With the assistant’s id and an API key, Frontdesk does that when you publish.',
    voiceHint: 'Provider and voice, such as 11labs:burt. Empty keeps the one chosen there.',
  },
  [VoicePlatform.TWILIO]: {
    name: 'Twilio',
    secret: 'Auth token',
    whereSecret: 'In the Twilio console on the account’s dashboard.',
    hasApiKey: false,
    webhookHint: 'Enter it at Twilio as the webhook of the telephone number, for incoming calls.',
    voiceHint: '',
  },
  [VoicePlatform.ELEVENLABS]: {
    name: 'ElevenLabs',
    secret: 'Webhook secret',
    whereSecret: 'Shown once when the post-call webhook is created in the workspace’s settings.',
    hasApiKey: true,
    webhookHint:
      'Enter it at ElevenLabs, in the workspace’s settings, as the post-call webhook. With the agent’s id and an API key, Frontdesk sets up the agent’s tools when you publish.',
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

/** What replaces the credentials of a platform is called. */
export const newSecretText = (platform: VoicePlatform): string =>
  voicePlatform(platform).hasApiKey ? 'New secret or key' : 'New secret';
