// @vitest-environment jsdom
import { create, toJson } from '@bufbuild/protobuf';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ListCalendarsResponseSchema } from '../gen/frontdesk/calendarsync/v1/calendar_pb';

const api = vi.hoisted(() => vi.fn<() => Promise<unknown>>());
vi.mock('../session/current', () => ({
  api,
  session: { state: {}, subscribe: () => () => undefined, onEnd: () => () => undefined },
  tabStorage: undefined,
}));

const { calendarsQuery } = await import('../calendars/queries');
const { useCalendarWatch } = await import('./use-calendar-watch');
const { useQuery } = await import('@tanstack/react-query');

const broken = create(ListCalendarsResponseSchema, {
  calendars: [{ lastError: 'the calendar does not answer', unwrittenCount: 1 }],
});

beforeEach(() => {
  vi.useFakeTimers();
  api.mockReset().mockImplementation(async () => toJson(ListCalendarsResponseSchema, broken));
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
/** How often calendars were read in this time. */
async function readsIn(ms: number): Promise<number> {
  const before = api.mock.calls.length;
  await pass(ms);
  return api.mock.calls.length - before;
}

it('calendars are polled every minute, and every five seconds for a minute after one is tried again', async () => {
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { result, unmount } = renderHook(
    () => {
      useQuery(calendarsQuery('b'));
      return useCalendarWatch('b');
    },
    { wrapper },
  );
  await pass(0);
  expect(await readsIn(55_000)).toBe(0);
  expect(await readsIn(60_000)).toBe(1);
  act(() => result.current());
  expect(await readsIn(30_000)).toBeGreaterThanOrEqual(5);
  await pass(40_000);
  expect(await readsIn(120_000)).toBeLessThanOrEqual(2);
  unmount();
});
