import { describe, expect, it, vi } from 'vitest';
import { ApiError } from '../http/errors';
import { settle } from '../testing/fake-clock';
import { DeviceTrust } from './device-trust';

const refused = (reason: string, status = 403) =>
  new ApiError(reason, { kind: 'refused', status, reason, metadata: {}, violations: [] });

describe('a call that needs a trusted device', () => {
  it('is sent again once the device is trusted', async () => {
    const trust = new DeviceTrust();
    const attempt = vi
      .fn()
      .mockRejectedValueOnce(refused('DEVICE_NOT_TRUSTED'))
      .mockResolvedValueOnce('done');
    const running = trust.run(attempt);
    await settle();
    expect(trust.asking).toBe(true);
    expect(attempt).toHaveBeenCalledTimes(1);
    trust.answer(true);
    await expect(running).resolves.toBe('done');
    expect(trust.asking).toBe(false);
  });

  it('fails as before when the user cancels', async () => {
    const trust = new DeviceTrust();
    const error = refused('DEVICE_NOT_TRUSTED');
    const attempt = vi.fn().mockRejectedValue(error);
    const running = trust.run(attempt);
    await settle();
    trust.answer(false);
    await expect(running).rejects.toBe(error);
    expect(attempt).toHaveBeenCalledTimes(1);
  });

  it('shares one question with all that wait for it', async () => {
    const trust = new DeviceTrust();
    const changes = vi.fn();
    trust.subscribe(changes);
    const calls = ['one', 'two'].map((answer) =>
      trust.run(vi.fn().mockRejectedValueOnce(refused('DEVICE_NOT_TRUSTED')).mockResolvedValueOnce(answer)),
    );
    await settle();
    trust.answer(true);
    await expect(Promise.all(calls)).resolves.toEqual(['one', 'two']);
    expect(trust.asking).toBe(false);
    expect(changes).toHaveBeenCalledTimes(3);
  });

  it('asks nothing about any other refusal', async () => {
    const trust = new DeviceTrust();
    for (const error of [refused('ROLE_TOO_LOW'), refused('DEVICE_NOT_TRUSTED', 401), new Error('other')]) {
      await expect(trust.run(() => Promise.reject(error))).rejects.toBe(error);
    }
    expect(trust.asking).toBe(false);
  });

  it('does not ask twice for one call', async () => {
    const trust = new DeviceTrust();
    const error = refused('DEVICE_NOT_TRUSTED');
    const running = trust.run(() => Promise.reject(error));
    await settle();
    trust.answer(true);
    await expect(running).rejects.toBe(error);
  });
});
