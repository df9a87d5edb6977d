/** Platforms as calls name theirs. */
const NAMES: Readonly<Record<string, string>> = {
  retell: 'Retell AI',
  vapi: 'Vapi',
  twilio: 'Twilio',
  elevenlabs: 'ElevenLabs',
};

export const PLATFORMS: readonly string[] = Object.keys(NAMES);

/** Says that a platform sends what was said only once the call has ended; empty for the others. */
export const wordsLaterText = (platform: string): string =>
  platform === 'elevenlabs' ? 'ElevenLabs sends what is said only once the call has ended.' : '';

/** What people call a platform. */
export const platformText = (platform: string): string => NAMES[platform] ?? platform;
