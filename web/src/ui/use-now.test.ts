// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useNow } from './use-now';

const MINUTE_MS = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-06-01T08:00:59.500Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

const shown = (result: { current: Date }) => result.current.toISOString();

it('changes as the minute does, however late in one the screen came up', () => {
  const { result } = renderHook(() => useNow(MINUTE_MS));
  expect(shown(result)).toBe('2026-06-01T08:00:59.500Z');
  act(() => vi.advanceTimersByTime(500));
  expect(shown(result)).toBe('2026-06-01T08:01:00.000Z');
  act(() => vi.advanceTimersByTime(MINUTE_MS));
  expect(shown(result)).toBe('2026-06-01T08:02:00.000Z');
});

it('stops with the screen', () => {
  const { unmount } = renderHook(() => useNow(1000));
  unmount();
  expect(vi.getTimerCount()).toBe(0);
});
