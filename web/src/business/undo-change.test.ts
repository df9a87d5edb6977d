import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Outgoing } from '../http/transport';
import { refused } from '../testing/mount';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../session/current', () => ({ api }));

const { undoChange } = await import('./undo-change');
const { takingBack } = await import('./taking-back');

beforeEach(() => {
  vi.useFakeTimers();
  api.mockReset();
});
afterEach(() => {
  vi.useRealTimers();
});

it('an undo without an answer is undecided, and sent again with the same key', async () => {
  api.mockRejectedValue(refused(503, 'UNAVAILABLE'));
  const undo = undoChange('b1', 'c1', 'It is as it was.');
  const lost = undo('key');
  await vi.runAllTimersAsync();
  expect(await lost).toMatchObject({ tone: 'bad', undecided: true });
  api.mockReset().mockResolvedValue({});
  expect(await undo('key')).toEqual({ tone: 'good', text: 'It is as it was.' });
  expect(api.mock.calls[0]?.[0].headers).toEqual({ 'Idempotency-Key': 'key' });
});

it('an undo that the server refuses is decided', async () => {
  api.mockRejectedValue(refused(409, 'STALE'));
  expect(await undoChange('b1', 'c1', '')('key')).toMatchObject({ tone: 'bad', undecided: false });
  const change = async () => {
    throw refused(409, 'STALE');
  };
  expect(await takingBack(change, '', () => undefined)('key')).toMatchObject({ undecided: false });
});
