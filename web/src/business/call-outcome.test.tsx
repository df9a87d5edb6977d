// @vitest-environment jsdom
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { CallOutcome, CallSchema, CallState } from '../gen/frontdesk/telemetry/v1/call_pb';
import { UiProvider } from '../ui/provider';

vi.mock('../session/current', () => ({ api: undefined, session: { onEnd: () => () => undefined } }));

const { hasLength, isLive, mayGoOn, OutcomeBadge, whyHidden } = await import('./call-outcome');

const MINUTE_MS = 60_000;

const begun = (minutesAgo: number, more: MessageInitShape<typeof CallSchema> = {}) =>
  create(CallSchema, {
    state: CallState.LIVE,
    startedAt: timestampFromDate(new Date(Date.now() - minutesAgo * MINUTE_MS)),
    ...more,
  });

const badgeOf = (call: ReturnType<typeof begun>) =>
  render(
    <UiProvider nonce={undefined}>
      <OutcomeBadge call={call} zone="Europe/London" />
    </UiProvider>,
  );

afterEach(cleanup);

it('a call is on the line until it ends', () => {
  const call = begun(5);
  expect([isLive(call), hasLength(call)]).toEqual([true, true]);
  badgeOf(call);
  screen.getByText('On the line');
});

it('a call that is heard of is on the line, however long', () => {
  expect(isLive(begun(90))).toBe(true);
});

it('a call that is not heard of is not on the line, and says since when', () => {
  const lastHeardAt = timestampFromDate(new Date('2026-06-01T09:42:00Z'));
  const call = begun(30, { state: CallState.UNHEARD, lastHeardAt });
  expect([isLive(call), hasLength(call)]).toEqual([false, false]);
  badgeOf(call);
  screen.getByText('No word since 10:42');
  expect(screen.queryByText('On the line')).toBeNull();
});

it('a long call that ended shows its outcome', () => {
  const call = begun(90, { state: CallState.ENDED, outcome: CallOutcome.BOOKED });
  expect([isLive(call), hasLength(call)]).toEqual([false, true]);
  badgeOf(call);
  screen.getByText('Booked');
});

it('a call that is not heard of may go on for an hour after its last word', () => {
  const heard = new Date('2026-06-01T09:42:00Z');
  const call = begun(0, { state: CallState.UNHEARD, lastHeardAt: timestampFromDate(heard) });
  const after = (minutes: number) => new Date(heard.getTime() + minutes * MINUTE_MS);
  expect([mayGoOn(call, after(59)), mayGoOn(call, after(60))]).toEqual([true, false]);
  expect(mayGoOn(begun(1), after(11))).toBe(false);
  expect(mayGoOn(begun(1, { state: CallState.ENDED }), after(11))).toBe(false);
});

it('says why a number is hidden: whose customer it is, or that this is not known before the end', () => {
  const why = (more: MessageInitShape<typeof CallSchema>) => whyHidden(begun(1, more));
  const visits = 'Shown to employees with a visit of theirs within 30 days';
  expect(why({ customerId: 'c' })).toBe(visits);
  expect(why({ customerId: 'c', state: CallState.ENDED })).toBe(visits);
  expect(why({ state: CallState.ENDED })).toBe(`A customer’s number. ${visits}`);
  for (const state of [CallState.LIVE, CallState.UNHEARD])
    expect(why({ state })).toMatch(/^Hidden until the call has ended/);
});
