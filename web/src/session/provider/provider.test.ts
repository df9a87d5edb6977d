// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../http/errors';
import { deferred, FakeClock, settle } from '../../testing/fake-clock';
import { providerAddresses } from './addresses';
import { Attempts } from './attempts';
import type { FrontendConfiguration } from './configuration';
import { ProviderFlow } from './flow';

const CONFIGURED: FrontendConfiguration = {
  oauth: {
    googleClientId: 'client-1',
    googleAuthUrl: 'https://accounts.test/authorize?hd=salon.test',
    scopes: 'openid email profile',
  },
  app: { environment: 'test' },
  features: { google: true },
};

const refused = (status: number) =>
  new ApiError('no', { kind: 'refused', status, reason: '', metadata: {}, violations: [] });

let clock: FakeClock;
let configuration: ReturnType<typeof vi.fn<() => Promise<FrontendConfiguration>>>;
let gone: string[];
let user: boolean;
let drawn: number[];

function flow(storage: Storage | undefined = sessionStorage, canDigest = true): ProviderFlow {
  return new ProviderFlow({
    clock,
    random: (length) => {
      drawn.push(length);
      return new Uint8Array(length).fill(drawn.length);
    },
    attempts: new Attempts(storage),
    configuration,
    addresses: providerAddresses('https://salon.test/api', 'https://salon.test'),
    go: (address) => gone.push(address),
    hasUser: () => user,
    canDigest,
  });
}

/** The digest as the server makes it, by other means than the page's. */
async function sha256(text: string): Promise<string> {
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(text).digest('base64url');
}

beforeEach(() => {
  sessionStorage.clear();
  clock = new FakeClock();
  configuration = vi.fn(async () => CONFIGURED);
  gone = [];
  user = false;
  drawn = [];
  vi.spyOn(console, 'debug').mockImplementation(() => undefined);
});

describe('the way to Google', () => {
  it('is an authorization-code request with PKCE, state and nonce', async () => {
    await flow().signIn('/b1/calls');
    const address = new URL(gone[0] ?? '');
    const verifier = sessionStorage.getItem('oauthCodeVerifier') ?? '';
    expect(address.origin + address.pathname).toBe('https://accounts.test/authorize');
    expect(Object.fromEntries(address.searchParams)).toEqual({
      hd: 'salon.test',
      client_id: 'client-1',
      redirect_uri: 'https://salon.test/auth/callback',
      response_type: 'code',
      scope: 'openid email profile',
      state: sessionStorage.getItem('oauthState'),
      nonce: await sha256(`nonce:${verifier}`),
      code_challenge: await sha256(verifier),
      code_challenge_method: 'S256',
      access_type: 'offline',
      prompt: 'consent',
    });
  });

  it('creates a verifier of 32 random bytes and a state of 16, and never sends the verifier', async () => {
    await flow().signIn(null);
    expect(drawn).toEqual([32, 16]);
    const bytes = (key: string) => Buffer.from(sessionStorage.getItem(key) ?? '', 'base64url');
    expect(bytes('oauthCodeVerifier')).toEqual(Buffer.alloc(32, 1));
    expect(bytes('oauthState')).toEqual(Buffer.alloc(16, 2));
    expect(gone[0]).not.toContain(sessionStorage.getItem('oauthCodeVerifier'));
  });

  it('is skipped while a user is signed in', async () => {
    user = true;
    await flow().signIn(null);
    await flow().signInThroughDoor(null);
    expect(gone).toEqual([]);
    expect(configuration).not.toHaveBeenCalled();
  });

  it('is taken by a signed-in user to connect their account', async () => {
    user = true;
    await flow().connect('/my/account');
    expect(gone).toHaveLength(1);
    expect(new Attempts(sessionStorage).take()).toMatchObject({ purpose: 'connect', wanted: '/my/account' });
  });

  it('logs environment and features, and nothing else comes of them', async () => {
    const logged = vi.spyOn(console, 'debug');
    await flow().signIn(null);
    expect(logged).toHaveBeenCalledWith('Frontend configuration', {
      environment: 'test',
      features: { google: true },
    });
  });

  it.each([
    ['asks for openid, email and profile when no scopes are told', undefined],
    ['asks for openid, email and profile when the scopes are empty', ''],
  ])('%s', async (_, scopes) => {
    configuration.mockResolvedValue({
      oauth: { ...CONFIGURED.oauth, ...(scopes === undefined ? {} : { scopes }) },
    });
    await flow().signIn(null);
    expect(new URL(gone[0] ?? '').searchParams.get('scope')).toBe('openid email profile');
  });
});

describe('while the browser is on its way', () => {
  it('the button waits, for 2 s after the redirect did not happen', async () => {
    const google = flow();
    const changes = vi.fn();
    google.subscribe(changes);
    await google.signIn(null);
    expect(google.loading).toBe(true);
    clock.advance(1999);
    expect(google.loading).toBe(true);
    clock.advance(1);
    expect(google.loading).toBe(false);
    expect(changes).toHaveBeenCalledTimes(2);
    expect(clock.waiting).toBe(0);
  });

  it('the button is free after 8 s although the configuration never came', async () => {
    configuration.mockReturnValue(deferred<FrontendConfiguration>().promise);
    const google = flow();
    void google.signIn(null);
    clock.advance(7999);
    expect(google.loading).toBe(true);
    clock.advance(1);
    expect(google.loading).toBe(false);
  });

  it('a configuration that comes later than that leads nowhere any more', async () => {
    const late = deferred<FrontendConfiguration>();
    configuration.mockReturnValueOnce(late.promise);
    const google = flow();
    const first = google.signIn(null);
    clock.advance(8000);
    await google.signIn(null);
    const state = sessionStorage.getItem('oauthState');
    late.resolve(CONFIGURED);
    await first;
    expect(gone).toHaveLength(1);
    expect(sessionStorage.getItem('oauthState')).toBe(state);
  });

  it('a second press does nothing', async () => {
    const answer = deferred<FrontendConfiguration>();
    configuration.mockReturnValue(answer.promise);
    const google = flow();
    void google.signIn(null);
    void google.signIn(null);
    answer.resolve(CONFIGURED);
    await vi.waitFor(() => expect(gone).toHaveLength(1));
    await settle();
    expect(gone).toHaveLength(1);
    expect(configuration).toHaveBeenCalledTimes(1);
  });
});

describe('the way to Google does not begin', () => {
  it.each([
    [
      'there is no configuration',
      refused(404),
      'Configuration endpoint not found. Please ensure backend is running.',
    ],
    ['the door is broken', refused(500), 'Backend configuration error. Please try again later.'],
    ['auth is out of reach', refused(503), 'Backend configuration error. Please try again later.'],
    ['the door refuses', refused(429), 'Failed to fetch application configuration.'],
    [
      'the door is out of reach',
      new ApiError('', { kind: 'unreachable' }),
      'Failed to fetch application configuration.',
    ],
  ])('when %s', async (_, error, message) => {
    configuration.mockRejectedValue(error);
    const google = flow();
    await expect(google.signIn(null)).rejects.toThrow(message);
    expect(google.loading).toBe(false);
    expect(clock.waiting).toBe(0);
    expect(gone).toEqual([]);
  });

  it.each([
    ['no client id', { googleClientId: '' }],
    ['no address', { googleAuthUrl: '' }],
    ['an address that is a script', { googleAuthUrl: 'javascript:alert(1)' }],
  ])('when the configuration has %s', async (_, change) => {
    configuration.mockResolvedValue({ oauth: { ...CONFIGURED.oauth, ...change } });
    await expect(flow().signIn(null)).rejects.toThrow('Invalid OAuth configuration received from backend');
    configuration.mockResolvedValue({});
    await expect(flow().signIn(null)).rejects.toThrow('Invalid OAuth configuration received from backend');
  });
});

describe('the door drives the flow', () => {
  it('where the browser keeps nothing for the page', async () => {
    await flow({
      setItem: () => {
        throw new Error('full');
      },
      removeItem: () => undefined,
    } as unknown as Storage).signIn(null);
    expect(gone).toEqual(['https://salon.test/oauth2/authorization/google']);
  });

  it('where the page may not digest', async () => {
    await flow(sessionStorage, false).signIn('/b1');
    expect(gone).toEqual(['https://salon.test/oauth2/authorization/google']);
    expect(new Attempts(sessionStorage).take()).toEqual({
      state: null,
      verifier: null,
      purpose: 'signIn',
      wanted: '/b1',
    });
  });

  it('where the page asks it to, without asking for a configuration', async () => {
    const google = flow();
    await google.signInThroughDoor('/b1');
    expect(gone).toEqual(['https://salon.test/oauth2/authorization/google']);
    expect(configuration).not.toHaveBeenCalled();
    clock.advance(2000);
    expect(google.loading).toBe(false);
  });

  it('but never to connect an account, which it could not do', async () => {
    user = true;
    await expect(flow(sessionStorage, false).connect('/my/account')).rejects.toThrow();
    expect(gone).toEqual([]);
  });
});

describe('the addresses of the flow', () => {
  it('drop a trailing /api from the API’s base', () => {
    expect(providerAddresses('https://salon.test/api', 'https://salon.test')).toEqual({
      redirect: 'https://salon.test/oauth2/authorization/google',
      callback: 'https://salon.test/auth/callback',
    });
    expect(providerAddresses('https://salon.test/api/', 'https://salon.test').redirect).toBe(
      'https://salon.test/oauth2/authorization/google',
    );
    expect(providerAddresses('https://api.test', 'https://salon.test').redirect).toBe(
      'https://api.test/oauth2/authorization/google',
    );
  });

  it('come back to the page’s own host where the door is localhost:8080', () => {
    expect(providerAddresses('http://localhost:8080/api', 'http://localhost:3000')).toEqual({
      redirect: 'http://localhost:8080/oauth2/authorization/google',
      callback: 'http://localhost:3000/auth/callback',
    });
  });
});
