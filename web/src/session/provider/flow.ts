import type { Clock } from '../../time/clock';
import type { ProviderAddresses } from './addresses';
import type { Attempts, Purpose } from './attempts';
import { type FrontendConfiguration, type OAuthConfiguration, oauthConfiguration } from './configuration';
import { challengeOf, drawSecrets, nonceOf, type Random, type Secrets } from './secrets';

/** How long the button waits for the browser to leave before it can be pressed again. */
const NO_REDIRECT_MS = 2000;
/** When the button is free again whatever happened. */
const FALLBACK_MS = 8000;

type Parts = {
  clock: Clock;
  random: Random;
  attempts: Attempts;
  configuration: () => Promise<FrontendConfiguration>;
  addresses: ProviderAddresses;
  /** Sends the browser to another address. */
  go: (address: string) => void;
  hasUser: () => boolean;
  /** Whether the page can digest: browsers refuse it to insecure pages. */
  canDigest: boolean;
};

/**
 * Sends the browser to Google. The page drives the flow itself (authorization
 * code with PKCE); where it can't keep or digest its secrets, the door does.
 */
export class ProviderFlow {
  readonly #parts: Parts;
  readonly #listeners = new Set<() => void>();
  #loading = false;
  /** Counts the attempts, so that a late answer of an abandoned one causes no redirect. */
  #turn = 0;
  #timers: (() => void)[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get loading(): boolean {
    return this.#loading;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  /** Begins a sign-in, unless a user is signed in already. */
  async signIn(wanted: string | null): Promise<void> {
    if (!this.#parts.hasUser()) await this.#run(() => this.#leave('signIn', wanted));
  }

  /** Begins a sign-in that the door drives. */
  async signInThroughDoor(wanted: string | null): Promise<void> {
    if (!this.#parts.hasUser()) await this.#run(async () => this.#leaveThroughDoor(wanted));
  }

  /** Begins connecting a Google account to the person who is signed in. */
  async connect(backTo: string): Promise<void> {
    await this.#run(() => this.#leave('connect', backTo));
  }

  async #run(leave: () => Promise<void>): Promise<void> {
    if (this.#loading) return;
    const { clock } = this.#parts;
    const turn = this.#turn;
    this.#setLoading(true);
    this.#timers = [clock.after(FALLBACK_MS, () => this.#stop())];
    try {
      await leave();
      if (turn === this.#turn) this.#timers.push(clock.after(NO_REDIRECT_MS, () => this.#stop()));
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#stop();
      throw error;
    }
  }

  async #leave(purpose: Purpose, wanted: string | null): Promise<void> {
    const { attempts, random, canDigest, configuration, addresses, go } = this.#parts;
    const turn = this.#turn;
    const oauth = await oauthConfiguration(configuration);
    if (turn !== this.#turn) return;
    const secrets = drawSecrets(random);
    if (canDigest && attempts.begin(purpose, wanted, secrets)) {
      go(await authorizationAddress(oauth, secrets, addresses.callback));
    } else if (purpose === 'signIn') {
      this.#leaveThroughDoor(wanted);
    } else {
      throw new Error('This browser keeps no session storage.');
    }
  }

  #leaveThroughDoor(wanted: string | null): void {
    this.#parts.attempts.begin('signIn', wanted);
    this.#parts.go(this.#parts.addresses.redirect);
  }

  #stop(): void {
    this.#turn += 1;
    for (const cancel of this.#timers.splice(0)) cancel();
    this.#setLoading(false);
  }

  #setLoading(loading: boolean): void {
    this.#loading = loading;
    for (const listener of this.#listeners) listener();
  }
}

async function authorizationAddress(
  { clientId, authUrl, scopes }: OAuthConfiguration,
  { verifier, state }: Secrets,
  callback: string,
): Promise<string> {
  const address = new URL(authUrl);
  const parameters = {
    client_id: clientId,
    redirect_uri: callback,
    response_type: 'code',
    scope: scopes,
    state,
    nonce: await nonceOf(verifier),
    code_challenge: await challengeOf(verifier),
    code_challenge_method: 'S256',
    access_type: 'offline',
    prompt: 'consent',
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  return address.href;
}
