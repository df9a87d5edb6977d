import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError, type Failure } from '../http/errors';
import { answers } from './answers';
import { queries } from './query-client';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  queries.clear();
  vi.useRealTimers();
});

const failing = (failure: Failure) => vi.fn(() => Promise.reject(new ApiError('', failure)));
const refused = (status: number): Failure => ({
  kind: 'refused',
  status,
  reason: '',
  metadata: {},
  violations: [],
});

it.each([
  ['the door is out of reach', { kind: 'unreachable' } as Failure],
  ['the door is broken', refused(503)],
])('a read is tried three times more, after a second each, when %s', async (_, failure) => {
  const read = failing(failure);
  const ended = vi.fn();
  void queries
    .fetchQuery({ queryKey: ['x'], queryFn: read, retry: queries.getDefaultOptions().queries?.retry ?? 0 })
    .catch(ended);
  await vi.advanceTimersByTimeAsync(999);
  expect(read).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(read).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(2000);
  expect(read).toHaveBeenCalledTimes(4);
  expect(ended).toHaveBeenCalledTimes(1);
});

it('a read is not tried again once the door has decided', async () => {
  const read = failing(refused(403));
  const options = { queryKey: ['y'], queryFn: read, retry: queries.getDefaultOptions().queries?.retry ?? 0 };
  await expect(queries.fetchQuery(options)).rejects.toMatchObject({ status: 403 });
  expect(read).toHaveBeenCalledTimes(1);
});

it('is cleared through `answers`', () => {
  queries.setQueryData(['z'], 1);
  answers.clear();
  expect(queries.getQueryCache().getAll()).toEqual([]);
});
