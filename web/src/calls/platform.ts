/** Platforms as calls name theirs. */
const NAMES: Readonly<Record<string, string>> = {
  retell: 'Retell AI',
  vapi: 'Vapi',
  twilio: 'Twilio',
  elevenlabs: 'ElevenLabs',
};

export const PLATFORMS: readonly string[] = Object.keys(NAMES);

/** What people call a platform. */
export const platformText = (platform: string): string => NAMES[platform] ?? platform;
