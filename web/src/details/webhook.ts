import { VoicePlatform } from '../gen/frontdesk/tenancy/v1/voice_connection_pb';

type Known = {
  name: string;
  path: string;
  /** What deliveries are checked with, as the platform calls it. */
  secret: string;
  /** Where it is found there. */
  whereSecret: string;
  /** Its API takes a key of its own. */
  hasApiKey: boolean;
};

const UNKNOWN: Known = {
  name: 'Unknown platform',
  path: '',
  secret: 'Secret',
  whereSecret: '',
  hasApiKey: false,
};

const KNOWN: Readonly<Record<VoicePlatform, Known>> = {
  [VoicePlatform.UNSPECIFIED]: UNKNOWN,
  [VoicePlatform.RETELL]: {
    name: 'Retell AI',
    path: 'retell',
    secret: 'Webhook key',
    whereSecret: 'In the dashboard of Retell AI under API keys, marked as the one for webhooks.',
    hasApiKey: false,
  },
  [VoicePlatform.VAPI]: {
    name: 'Vapi',
    path: 'vapi',
    secret: 'Server secret',
    whereSecret: 'The token or HMAC secret of the server credential that the assistant uses.',
    hasApiKey: true,
  },
  [VoicePlatform.TWILIO]: {
    name: 'Twilio',
    path: 'twilio',
    secret: 'Auth token',
    whereSecret: 'In the Twilio console on the account’s dashboard.',
    hasApiKey: false,
  },
  [VoicePlatform.ELEVENLABS]: {
    name: 'ElevenLabs',
    path: 'elevenlabs',
    secret: 'Webhook secret',
    whereSecret: 'Shown once when the post-call webhook is created in the workspace’s settings.',
    hasApiKey: true,
  },
};

export const VOICE_PLATFORMS = [
  VoicePlatform.RETELL,
  VoicePlatform.VAPI,
  VoicePlatform.TWILIO,
  VoicePlatform.ELEVENLABS,
] as const;

export const voicePlatform = (platform: VoicePlatform): Known => KNOWN[platform] ?? UNKNOWN;

/** Where a platform delivers what happens in calls of a connection. */
export function webhookUrl(platform: VoicePlatform, connectionId: string, origin: string): string {
  return new URL(`/api/webhooks/voice/${voicePlatform(platform).path}/${connectionId}`, origin).href;
}
