import { describe, expect, it, vi } from 'vitest';
import { createAuthorised } from './authorised';
import type { Outgoing } from './transport';

const answer = (status: number, body: object = {}) => new Response(JSON.stringify(body), { status });

function setUp(statuses: (Response | ((request: Outgoing) => Response))[]) {
  const sent: Outgoing[] = [];
  const transport = vi.fn(async (request: Outgoing) => {
    sent.push(request);
    const next = statuses.shift();
    if (!next) throw new Error('No answer was prepared.');
    return typeof next === 'function' ? next(request) : next;
  });
  const tokens = {
    readyToken: vi.fn(async () => 'old' as string | null),
    renewAfterRefusal: vi.fn(async () => 'new' as string | null),
  };
  return { send: createAuthorised(transport, tokens), sent, tokens };
}

describe('an authorised call', () => {
  it('renews the token once after a 401 and tries again', async () => {
    const { send, sent, tokens } = setUp([answer(401), answer(200, { value: 7 })]);
    expect(await send({ verb: 'GET', path: '/v1/x' })).toEqual({ value: 7 });
    expect(sent.map(({ token }) => token)).toEqual(['old', 'new']);
    expect(tokens.renewAfterRefusal).toHaveBeenCalledWith('old');
  });

  it('gives up when the renewed token is refused too', async () => {
    const { send, sent } = setUp([answer(401), answer(401, { message: 'still no' })]);
    await expect(send({ verb: 'GET', path: '/v1/x' })).rejects.toMatchObject({
      status: 401,
      message: 'still no',
    });
    expect(sent).toHaveLength(2);
  });

  it('does not try again when the session is over', async () => {
    const { send, sent, tokens } = setUp([answer(401)]);
    tokens.renewAfterRefusal.mockResolvedValue(null);
    await expect(send({ verb: 'GET', path: '/v1/x' })).rejects.toMatchObject({ status: 401 });
    expect(sent).toHaveLength(1);
  });

  it('leaves the token alone on paths of sign-in', async () => {
    const { send, tokens } = setUp([answer(401)]);
    await expect(send({ verb: 'GET', path: '/auth/me' })).rejects.toMatchObject({ status: 401 });
    expect(tokens.renewAfterRefusal).not.toHaveBeenCalled();
  });

  it('leaves the token alone where the calendars miss a consent', async () => {
    const { send, tokens } = setUp([answer(401, { authorizationRequired: true })]);
    await expect(send({ verb: 'GET', path: '/me/calendars' })).rejects.toMatchObject({ status: 401 });
    expect(tokens.renewAfterRefusal).not.toHaveBeenCalled();
  });

  it('renews it where the calendars miss a session, and where others carry that flag', async () => {
    const { send, tokens } = setUp([
      answer(401),
      answer(200),
      answer(401, { authorizationRequired: false }),
      answer(200),
      answer(401, { authorizationRequired: true }),
      answer(200),
    ]);
    await send({ verb: 'GET', path: '/me/calendars' });
    await send({ verb: 'GET', path: '/me/calendars' });
    await send({ verb: 'GET', path: '/v1/x' });
    expect(tokens.renewAfterRefusal).toHaveBeenCalledTimes(3);
  });
});
