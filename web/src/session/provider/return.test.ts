// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, type Failure } from '../../http/errors';
import type { Grant, User } from '../user';
import type { Arrival } from './arrival';
import { Attempts, type Purpose } from './attempts';
import { ProviderReturn } from './return';

const NOTHING: Arrival = { code: null, state: null, token: null, error: null };
const GRANT: Grant = { token: 'a.b.c' };
const person: User = {
  id: 'u1',
  name: 'Olivia',
  email: 'olivia@salon.test',
  role: 'OWNER',
  provider: 'google',
  businessIds: ['b1'],
};

const exchangeCode = vi.fn<(code: string, verifier: string) => Promise<Grant>>();
const redeem = vi.fn<(handoff: string) => Promise<Grant>>();
const connect = vi.fn<(code: string, verifier: string, password: string) => Promise<void>>();
const start = vi.fn<() => Promise<void>>();
let attempts: Attempts;

function came(arrival: Partial<Arrival> | null): ProviderReturn {
  const signInWithProvider = async (exchange: () => Promise<Grant>) => {
    await exchange();
    return person;
  };
  return new ProviderReturn({
    arrival: arrival && { ...NOTHING, ...arrival },
    attempts,
    exchangeCode,
    redeem,
    connect,
    session: { start, signInWithProvider },
  });
}

const left = (purpose: Purpose = 'signIn') =>
  attempts.begin(purpose, '/b1/calls', { state: 'the-state', verifier: 'the-verifier' });

beforeEach(() => {
  sessionStorage.clear();
  attempts = new Attempts(sessionStorage);
  exchangeCode.mockReset().mockResolvedValue(GRANT);
  redeem.mockReset().mockResolvedValue(GRANT);
  connect.mockReset().mockResolvedValue();
  start.mockReset().mockResolvedValue();
});

describe('the return of the page’s own flow', () => {
  it('exchanges code and verifier for a session, once', async () => {
    left();
    const back = came({ code: 'c1', state: 'the-state' });
    const expected = { kind: 'signedIn', user: person, wanted: '/b1/calls' };
    expect(await Promise.all([back.outcome(), back.outcome()])).toEqual([expected, expected]);
    expect(exchangeCode.mock.calls).toEqual([['c1', 'the-verifier']]);
    expect(start).not.toHaveBeenCalled();
  });

  it('leaves nothing behind that a second return could use', async () => {
    left();
    await came({ code: 'c1', state: 'the-state' }).outcome();
    expect(Object.keys(sessionStorage)).toEqual([]);
    expect(await came({ code: 'c1', state: 'the-state' }).outcome()).toMatchObject({ kind: 'failed' });
    expect(exchangeCode).toHaveBeenCalledTimes(1);
  });

  it.each([
    [
      'without a state',
      { code: 'c1' },
      () => left(),
      'Missing state parameter. Request rejected for security.',
      false,
    ],
    [
      'with nothing, although the page had begun',
      {},
      () => left(),
      'Missing state parameter. Request rejected for security.',
      false,
    ],
    [
      'that this tab did not begin',
      { code: 'c1', state: 'the-state' },
      () => undefined,
      'No stored state found. Please restart OAuth flow.',
      true,
    ],
    [
      'with another state',
      { code: 'c1', state: 'another' },
      () => left(),
      'Invalid state parameter. Potential CSRF attack detected.',
      false,
    ],
    [
      'whose verifier is lost',
      { code: 'c1', state: 'the-state' },
      () => {
        left();
        sessionStorage.removeItem('oauthCodeVerifier');
      },
      'Code verifier not found. Please restart the OAuth flow.',
      true,
    ],
    ['without a code', { state: 'the-state' }, () => left(), 'OAuth2 authentication failed: no_code', false],
  ])('is not believed %s', async (_, arrival, before, message, lostMemory) => {
    before();
    expect(await came(arrival).outcome()).toMatchObject({ kind: 'failed', message, lostMemory });
    expect(exchangeCode).not.toHaveBeenCalled();
    expect(start).toHaveBeenCalledTimes(1);
  });

  it('says why the door did not exchange the code, or that the login failed', async () => {
    left();
    const refusal: Failure = { kind: 'refused', status: 401, reason: 'X', metadata: {}, violations: [] };
    exchangeCode.mockRejectedValue(new ApiError('This Google account is not known here.', refusal));
    expect(await came({ code: 'c1', state: 'the-state' }).outcome()).toMatchObject({
      kind: 'failed',
      message: 'This Google account is not known here.',
    });
    left();
    for (const silent of [new ApiError('', refusal), new ApiError('', { kind: 'unreachable' })]) {
      left();
      exchangeCode.mockRejectedValue(silent);
      expect(await came({ code: 'c1', state: 'the-state' }).outcome()).toMatchObject({
        message: 'Login failed',
      });
    }
  });

  it('connects the account when that is what it was for', async () => {
    left('connect');
    const outcome = await came({ code: 'c1', state: 'the-state' }).outcome();
    expect(outcome).toEqual({ kind: 'connected', backTo: '/b1/calls' });
    expect(connect.mock.calls).toEqual([['c1', 'the-verifier', '']]);
    expect(exchangeCode).not.toHaveBeenCalled();
  });

  it('asks for the password, if there is one, before the account is connected', async () => {
    left('connect');
    const violations = [{ field: 'currentPassword', description: 'is required' }];
    const wanting: Failure = {
      kind: 'refused',
      status: 400,
      reason: 'INVALID_FIELD',
      metadata: {},
      violations,
    };
    connect.mockRejectedValueOnce(new ApiError('', wanting));
    const outcome = await came({ code: 'c1', state: 'the-state' }).outcome();
    expect(outcome).toMatchObject({ kind: 'asksPassword', backTo: '/b1/calls' });
    if (outcome.kind === 'asksPassword') await outcome.connect('mine');
    expect(connect.mock.calls.at(-1)).toEqual(['c1', 'the-verifier', 'mine']);
  });
});

describe('the return of the door’s flow', () => {
  it('redeems the handoff for a session', async () => {
    attempts.begin('signIn', '/b1');
    const outcome = await came({ token: 'one.two.three' }).outcome();
    expect(outcome).toEqual({ kind: 'signedIn', user: person, wanted: '/b1' });
    expect(redeem.mock.calls).toEqual([['one.two.three']]);
  });

  it.each([
    ['error', { error: 'access_denied' }, 'OAuth2 authentication failed: access_denied'],
    [
      'error beside a state',
      { error: 'access_denied', state: 's' },
      'OAuth2 authentication failed: access_denied',
    ],
    ['a sentence for an error', { error: 'Call 0900 now' }, 'OAuth2 authentication failed: Call 0900 now'],
    ['markup for an error', { error: 'a<b>' }, 'OAuth2 authentication failed: a<b>'],
    [
      'control characters in its error',
      { error: 'one\r\n\u0000two\u202e\u2066\u200b\u2028 three\u0085' },
      'OAuth2 authentication failed: onetwo three',
    ],
    ['a long error', { error: '😀'.repeat(500) }, `OAuth2 authentication failed: ${'😀'.repeat(200)}`],
    ['nothing', {}, 'No authentication token received from server.'],
    ['an empty token', { token: '' }, 'No authentication token received from server.'],
    ['a token of two parts', { token: 'one.two' }, 'Invalid JWT token format'],
    ['a token of four parts', { token: 'one.two.three.four' }, 'Invalid JWT token format'],
    ['a token with an empty part', { token: 'one..three' }, 'Invalid JWT token format'],
  ])('with %s is not believed', async (_, arrival, message) => {
    expect(await came(arrival).outcome()).toMatchObject({ kind: 'failed', message });
    expect(redeem).not.toHaveBeenCalled();
  });

  it('is none when the page was reached from within', async () => {
    expect(await came(null).outcome()).toMatchObject({
      kind: 'failed',
      message: 'No authentication token received from server.',
    });
  });
});
