import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../http/errors';
import { deferred, FakeClock, settle } from '../testing/fake-clock';
import { DeviceCode, digitsOf } from './device-code';

let clock: FakeClock;
const mail = vi.fn<() => Promise<unknown>>();
const confirm = vi.fn<(code: string) => Promise<unknown>>();

const refused = (reason: string) =>
  new ApiError('', { kind: 'refused', status: 400, reason, metadata: {}, violations: [] });

async function begun(): Promise<DeviceCode> {
  const code = new DeviceCode({ mail, confirm, clock });
  code.begin();
  await settle();
  return code;
}

beforeEach(() => {
  clock = new FakeClock();
  mail.mockReset().mockResolvedValue({});
  confirm.mockReset().mockResolvedValue({});
});

describe('the code that makes a device trusted', () => {
  it('is mailed once, however often the dialog is drawn', async () => {
    const code = await begun();
    code.begin();
    expect(mail).toHaveBeenCalledTimes(1);
    expect(code.state).toEqual({ phase: 'entering', problem: '', wait: 30 });
  });

  it('is mailed again only after the countdown', async () => {
    const code = await begun();
    clock.advance(29_000);
    expect(code.state.wait).toBe(1);
    code.resend();
    expect(mail).toHaveBeenCalledTimes(1);
    clock.advance(1000);
    expect(code.state.wait).toBe(0);
    expect(clock.waiting).toBe(0);
    code.resend();
    await settle();
    expect(mail).toHaveBeenCalledTimes(2);
    expect(code.state.wait).toBe(30);
  });

  it('may be asked for at once when the mail was not sent', async () => {
    mail.mockRejectedValueOnce(new ApiError('', { kind: 'unreachable' }));
    const code = await begun();
    expect(code.state.problem).toBe('Frontdesk can’t be reached. Check your connection.');
    expect(code.state.wait).toBe(0);
    code.resend();
    await settle();
    expect(code.state).toEqual({ phase: 'entering', problem: '', wait: 30 });
  });

  it('is sent as six digits, whatever was pasted around them', async () => {
    const code = await begun();
    await code.confirm(' 123 456 ');
    expect(confirm.mock.calls).toEqual([['123456']]);
    expect(code.state.phase).toBe('trusted');
    expect(clock.waiting).toBe(0);
  });

  it('is not sent before it is whole', async () => {
    const code = await begun();
    await code.confirm('12345');
    expect(confirm).not.toHaveBeenCalled();
    expect(code.state.problem).toBe('Enter all 6 digits.');
  });

  it('says so when it is wrong, and takes another', async () => {
    confirm.mockRejectedValueOnce(refused('WRONG_CODE'));
    const code = await begun();
    await code.confirm('000000');
    expect(code.state).toMatchObject({
      phase: 'entering',
      problem: 'That code is wrong or no longer valid.',
    });
    await code.confirm('123456');
    expect(code.state.phase).toBe('trusted');
  });

  it('is not sent twice at once', async () => {
    const answer = deferred<unknown>();
    confirm.mockReturnValueOnce(answer.promise);
    const code = await begun();
    const running = code.confirm('123456');
    await code.confirm('123456');
    answer.resolve({});
    await running;
    expect(confirm).toHaveBeenCalledTimes(1);
  });
});

describe('the digits of what was typed', () => {
  it.each([
    ['123456', '123456'],
    ['Your code: 123-456.', '123456'],
    ['1234567', '123456'],
    ['', ''],
  ])('%s is %s', (typed, digits) => {
    expect(digitsOf(typed)).toBe(digits);
  });
});
