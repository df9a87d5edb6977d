import { ApiError } from '../../http/errors';

/** The answer of `GET /config/frontend`, which needs no session. */
export type FrontendConfiguration = {
  oauth?: { googleClientId?: string; googleAuthUrl?: string; scopes?: string };
  app?: { environment?: string };
  features?: Record<string, boolean>;
};

/** A configuration a sign-in with Google can begin with. */
export type OAuthConfiguration = { clientId: string; authUrl: URL; scopes: string };

/** Why a sign-in with Google can't begin, in words for the person. */
export class ProviderStartError extends Error {
  override readonly name = 'ProviderStartError';
}

const DEFAULT_SCOPES = 'openid email profile';

/** Whether this installation lets people sign in with Google. */
export function offersGoogle(configuration: FrontendConfiguration): boolean {
  return Boolean(configuration.oauth?.googleClientId);
}

/** Asks the door, and reads what the flow needs; environment and features are only logged. */
export async function oauthConfiguration(
  ask: () => Promise<FrontendConfiguration>,
): Promise<OAuthConfiguration> {
  const { oauth, app, features } = await ask().catch((error: unknown) => {
    throw new ProviderStartError(sentenceOf(error));
  });
  // biome-ignore lint/suspicious/noConsole: logging them is all that is done with them.
  console.debug('Frontend configuration', { environment: app?.environment, features });
  const authUrl = URL.parse(oauth?.googleAuthUrl ?? '');
  if (!oauth?.googleClientId || !authUrl || !/^https?:$/.test(authUrl.protocol)) {
    throw new ProviderStartError('Invalid OAuth configuration received from backend');
  }
  return { clientId: oauth.googleClientId, authUrl, scopes: oauth.scopes || DEFAULT_SCOPES };
}

function sentenceOf(error: unknown): string {
  const status = error instanceof ApiError ? (error.status ?? 0) : 0;
  if (status === 404) return 'Configuration endpoint not found. Please ensure backend is running.';
  if (status >= 500) return 'Backend configuration error. Please try again later.';
  return 'Failed to fetch application configuration.';
}
