import { VoicePlatform } from '../gen/frontdesk/tenancy/v1/voice_connection_pb';

const PLATFORMS: Readonly<Record<VoicePlatform, { name: string; path: string }>> = {
  [VoicePlatform.UNSPECIFIED]: { name: 'Unknown platform', path: '' },
  [VoicePlatform.RETELL]: { name: 'Retell AI', path: 'retell' },
  [VoicePlatform.VAPI]: { name: 'Vapi', path: 'vapi' },
  [VoicePlatform.TWILIO]: { name: 'Twilio', path: 'twilio' },
  [VoicePlatform.ELEVENLABS]: { name: 'ElevenLabs', path: 'elevenlabs' },
};

export const platformName = (platform: VoicePlatform): string =>
  PLATFORMS[platform]?.name ?? 'Unknown platform';

/** Where a platform delivers what happens in calls of a connection. */
export function webhookUrl(platform: VoicePlatform, connectionId: string, origin: string): string {
  return new URL(`/api/webhooks/voice/${PLATFORMS[platform]?.path}/${connectionId}`, origin).href;
}
