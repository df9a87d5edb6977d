// @vitest-environment jsdom
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { UiProvider } from '../ui/provider';

const read = vi.hoisted(() => ({ current: {} as { data?: object; error?: Error | null } }));
vi.mock('@tanstack/react-query', () => ({ useQuery: () => read.current }));
const told = vi.hoisted(() => ({ current: {} as { keptDays?: { deliveries: number } } }));
vi.mock('../runtime', () => ({ runtime: () => told.current }));
vi.mock('../business/use-zone', () => ({ useZone: () => 'Europe/London' }));
vi.mock('./queries', () => ({ noticesQuery: () => ({}) }));

const { VoiceNotices } = await import('./voice-notices');

const shown = (data?: object, error: Error | null = null) => {
  read.current = { ...(data && { data }), error };
  const { container } = render(
    <UiProvider nonce={undefined}>
      <VoiceNotices businessId="b" connectionId="c" />
    </UiProvider>,
  );
  return container.textContent;
};

const lastReceivedAt = timestampFromDate(new Date('2026-06-01T09:42:00Z'));

beforeEach(() => {
  told.current = { keptDays: { deliveries: 14 } };
  vi.useFakeTimers({ now: new Date('2026-06-01T12:00:00Z'), toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  cleanup();
});

it('says how many events were not about a call, and what the latest is', () => {
  expect(shown({ count: 3, lastKind: 'chat.created', lastReceivedAt })).toBe(
    '3 events in the last 14 days were not about a call, and Frontdesk ignored them: the latest was “chat.created”, today at 10:42.',
  );
});

it('speaks of one as of one, and claims no exact number beyond what is counted', () => {
  expect(shown({ count: 1, lastKind: 'quota', lastReceivedAt })).toMatch(
    /^One event .* was not about a call, and Frontdesk ignored it: “quota”/,
  );
  cleanup();
  expect(shown({ count: 1000, lastKind: 'quota', lastReceivedAt })).toMatch(/^1,000 or more events/);
});

it('names no time where the page is not told how long events are kept', () => {
  told.current = {};
  expect(shown({ count: 2, lastKind: 'quota', lastReceivedAt })).toMatch(/^2 events were not about a call, /);
});

it('says nothing without any, and that it can’t be read where it can’t', () => {
  expect(shown({ count: 0, lastKind: '' })).toBe('');
  cleanup();
  expect(shown(undefined, new Error('away'))).toContain('can’t be read just now');
});
