import { randomUUID } from 'node:crypto';
import { RestClient } from './rest';
import { BASE_URL, PASSWORD, people, WILLOW } from './stack';
import { expect, test } from './test';

type Json = Record<string, unknown>;

const bodyOf = async (answer: Response) => (await answer.json()) as Json;
const keysOf = (body: unknown) => Object.keys(body as Json).sort();

const GRANT = ['businessIds', 'role', 'token'];

test.describe('at the door', () => {
  test('signing in and refreshing answer token, role and businessIds', async () => {
    const client = new RestClient();
    const grant = await bodyOf(
      await client.send('POST', '/api/auth/login', { email: people.owner, password: PASSWORD }),
    );
    const refreshed = await bodyOf(await client.send('GET', '/api/auth/refresh'));
    for (const body of [grant, refreshed]) {
      expect(keysOf(body)).toEqual(expect.arrayContaining(GRANT));
      expect(body).toMatchObject({ role: 'OWNER', businessIds: [WILLOW] });
      expect(body.token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    }
  });

  test('the businesses of a person come for the token alone', async () => {
    const owner = await RestClient.as(people.owner);
    const answer = await fetch(`${BASE_URL}/api/auth/me/businesses`, {
      headers: { Authorization: `Bearer ${owner.token}` },
    });
    expect(await bodyOf(answer)).toEqual({ businessIds: [WILLOW] });
    expect((await fetch(`${BASE_URL}/api/auth/me/businesses`)).status).toBe(401);
  });

  test('an account comes for the token alone', async () => {
    const owner = await RestClient.as(people.owner);
    const answer = await fetch(`${BASE_URL}/api/auth/me`, {
      headers: { Authorization: `Bearer ${owner.token}` },
    });
    expect(await bodyOf(answer)).toMatchObject({ email: people.owner, role: 'OWNER' });
    expect((await fetch(`${BASE_URL}/api/auth/me`)).status).toBe(401);
  });

  test('the configuration of the frontend comes without a session', async () => {
    const body = await bodyOf(await fetch(`${BASE_URL}/api/config/frontend`));
    expect(keysOf(body)).toEqual(['app', 'features', 'oauth']);
    expect(keysOf(body.oauth)).toEqual(['googleAuthUrl', 'googleClientId', 'scopes']);
    const { googleClientId, googleAuthUrl, scopes } = body.oauth as Record<string, string>;
    expect([googleClientId, googleAuthUrl]).toEqual([
      expect.stringMatching(/./),
      expect.stringMatching(/^https?:/),
    ]);
    expect(scopes?.split(' ').sort()).toEqual(['email', 'openid', 'profile']);
    expect(body.app).toEqual({ environment: 'development' });
  });

  test('signing out, a forgotten password and a diagnosis answer with a message', async () => {
    const client = await RestClient.as(people.employee);
    for (const [path, body] of [
      ['/api/auth/diagnose-user', { email: people.guest }],
      ['/api/auth/forgot-password', { email: `unknown-${randomUUID()}@demo.test` }],
      ['/api/auth/logout', undefined],
    ] as const) {
      const answer = await client.send('POST', path, body);
      expect([path, answer.status, await bodyOf(answer)]).toEqual([
        path,
        200,
        expect.objectContaining({ message: expect.stringMatching(/./) }),
      ]);
    }
    expect((await client.send('GET', '/api/auth/refresh')).status).toBe(401);
  });

  test('a forgotten password gets the same answer with and without an account', async () => {
    const client = new RestClient();
    const answers = [];
    for (const email of [people.guest, `unknown-${randomUUID()}@demo.test`]) {
      const answer = await client.send('POST', '/api/auth/forgot-password', { email });
      answers.push([answer.status, await bodyOf(answer)]);
    }
    expect(answers[0]).toEqual(answers[1]);
  });

  test('registering takes name, e-mail and password, and answers the same with and without an account', async () => {
    const client = new RestClient();
    const answers = [];
    for (const email of [people.guest, `unknown-${randomUUID()}@demo.test`]) {
      const account = { name: 'Nora New', email, password: 'Quiet-river-under-42' };
      const answer = await client.send('POST', '/api/auth/register/employee', account);
      answers.push([answer.status, await bodyOf(answer)]);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toEqual([200, { message: expect.stringMatching(/./) }]);
  });

  test('an invalid reset link is refused with a message, after token and newPassword are read', async () => {
    const client = new RestClient();
    const answer = await client.send('POST', '/api/auth/reset-password', {
      token: 'none',
      newPassword: 'Quiet-river-under-42',
    });
    expect(answer.status).toBe(401);
    expect((await bodyOf(answer)).message).toMatch(/./);
  });

  test('the code of a provider is taken with its verifier and the address it was sent to', async () => {
    const client = new RestClient();
    const answer = await client.send('POST', '/api/auth/oauth2/callback', {
      code: 'none',
      codeVerifier: 'v'.repeat(43),
      redirectUri: `${BASE_URL}/auth/callback`,
    });
    expect([400, 401]).toContain(answer.status);
    expect((await bodyOf(answer)).message).toMatch(/./);
  });
});
