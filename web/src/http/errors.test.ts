import { describe, expect, it } from 'vitest';
import { ReasonSchema } from '../gen/frontdesk/error/v1/reason_pb';
import {
  ApiError,
  fieldErrorsOf,
  isNotFound,
  isPassing,
  isRefusal,
  messageOf,
  refusal,
  SENTENCES,
  serverMessageOf,
  violationOf,
} from './errors';

const status = (code: number, details: object[], message = 'in the door’s words') =>
  refusal(new Response(JSON.stringify({ code: 3, message, details }), { status: code }));

const info = (reason: string) => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain: 'frontdesk',
  metadata: { at: '09:00' },
});

describe('the error translator', () => {
  it('reads reason, metadata and field violations of a status', async () => {
    const error = await status(400, [
      info('INVALID_FIELD'),
      {
        '@type': 'type.googleapis.com/google.rpc.BadRequest',
        fieldViolations: [{ field: 'newPassword', description: 'Too short.' }],
      },
    ]);
    expect(error.failure).toEqual({
      kind: 'refused',
      status: 400,
      reason: 'INVALID_FIELD',
      metadata: { at: '09:00' },
      violations: [{ field: 'newPassword', description: 'Too short.' }],
    });
    expect(violationOf(error)).toBe('Too short.');
  });

  it('returns the server’s message about each field', async () => {
    const error = await status(400, [
      {
        '@type': 'type.googleapis.com/google.rpc.BadRequest',
        fieldViolations: [
          { field: 'name', description: 'The name must be one line.' },
          { field: 'email', description: 'Too long.' },
        ],
      },
    ]);
    expect(fieldErrorsOf(error)).toEqual({ name: 'The name must be one line.', email: 'Too long.' });
    expect(fieldErrorsOf(new Error('other'))).toEqual({});
  });

  it('speaks plainly about known reasons, and in the door’s words about others', async () => {
    expect(messageOf(await status(409, [info('SLOT_TAKEN')]))).toBe('That time is taken.');
    expect(messageOf(await status(401, [info('WRONG_CREDENTIALS')]))).toBe('In the door’s words.');
    expect(messageOf(await status(401, [], ''), 'Login failed')).toBe('Login failed');
    expect(messageOf(new Error('secret detail'), 'Login failed')).toBe('Login failed');
  });

  it('repeats the server’s message unchanged where that is asked for', async () => {
    const failed = 'Login failed';
    expect(serverMessageOf(await status(503, [info('UNAVAILABLE')]), failed)).toBe('in the door’s words');
    expect(serverMessageOf(await status(503, [info('UNAVAILABLE')], ''), failed)).toBe(failed);
    expect(serverMessageOf(new ApiError('', { kind: 'unreachable' }), failed)).toBe(failed);
    expect(serverMessageOf(new Error('secret detail'), failed)).toBe(failed);
  });

  it('knows no reason the contract does not have', async () => {
    const known = ReasonSchema.values.map(({ localName }) => localName);
    expect(known).toEqual(expect.arrayContaining(Object.keys(SENTENCES)));
  });

  it('copes with an answer from something that is not the door', async () => {
    const error = await refusal(new Response('<html>Bad gateway</html>', { status: 502 }));
    expect(error.status).toBe(502);
    expect(messageOf(error)).toBe('Something went wrong.');
  });

  it('distinguishes decisions from temporary failures', async () => {
    const at = async (code: number) => status(code, []);
    expect(isRefusal(await at(401))).toBe(true);
    expect(isRefusal(await at(429))).toBe(false);
    expect(isRefusal(await at(503))).toBe(false);
    expect(isPassing(await at(503))).toBe(true);
    expect(isPassing(await at(409))).toBe(false);
    expect(isPassing(new ApiError('', { kind: 'timeout' }))).toBe(true);
    expect(isNotFound(await at(404))).toBe(true);
  });
});
