import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { expect, it, vi } from 'vitest';
import { CallSchema, CallState } from '../gen/frontdesk/telemetry/v1/call_pb';

vi.mock('../session/current', () => ({ api: undefined, session: { onEnd: () => () => undefined } }));

const { countText, openOf } = await import('./use-open-calls');

const NOW = new Date('2026-06-01T09:00:00Z');
const at = (minutesAgo: number) => timestampFromDate(new Date(NOW.getTime() - minutesAgo * 60_000));

const call = (id: string, state: CallState, more: MessageInitShape<typeof CallSchema> = {}) =>
  create(CallSchema, { id, state, startedAt: at(30), lastHeardAt: at(20), ...more });

it('keeps calls that may be over behind those on the line, until an hour after their last word', () => {
  const calls = [
    call('silent', CallState.UNHEARD),
    call('over', CallState.ENDED),
    call('live', CallState.LIVE),
    call('given up', CallState.UNHEARD, { lastHeardAt: at(60) }),
  ];
  expect(openOf(calls, NOW).map(({ id }) => id)).toEqual(['live', 'silent']);
});

it('counts no call as on the line that may be over', () => {
  const live = call('live', CallState.LIVE);
  const silent = call('silent', CallState.UNHEARD);
  expect(countText([live])).toBe('1 call on the line');
  expect(countText([live, live])).toBe('2 calls on the line');
  expect(countText([live, silent])).toBe('1 call on the line, 1 may be over');
  expect(countText([silent])).toBe('1 call may be over');
  expect(countText([silent, silent])).toBe('2 calls may be over');
});
