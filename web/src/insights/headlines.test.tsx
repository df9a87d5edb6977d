// @vitest-environment jsdom
import { create } from '@bufbuild/protobuf';
import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CallOutcome, MissedReason } from '../gen/frontdesk/telemetry/v1/call_pb';
import { CallFiguresSchema, GetInsightsResponseSchema } from '../gen/frontdesk/telemetry/v1/insight_pb';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { mount } from '../testing/mount';

vi.mock('../session/current', () => ({
  api: vi.fn(),
  session: { state: {}, subscribe: () => () => undefined, onEnd: () => () => undefined },
  tabStorage: undefined,
}));

const { Headlines } = await import('./headlines');
const { Tables } = await import('./tables');

beforeEach(fillJsdomGaps);
afterEach(cleanup);

const dates = { first: '2026-11-01', last: '2026-11-02' };
const figures = create(CallFiguresSchema, {
  calls: 42n,
  ended: 40n,
  answered: 37n,
  outcomes: [{ outcome: CallOutcome.BOOKED, calls: 12n }],
  wantedBooking: 24n,
  booked: 12n,
  missed: [{ reason: MissedReason.NO_FREE_TIME, calls: 11n }],
  bookedValue: [
    { minor: 40_000n, currency: 'EUR' },
    { minor: 50_000n, currency: 'GBP' },
  ],
  lostValue: [{ minor: 60_000n, currency: 'GBP' }],
  bookedByTeam: 4n,
  teamValue: [{ minor: 30_000n, currency: 'GBP' }],
  latency: { lookups: 99n, medianMs: 90, p95Ms: 400, p99Ms: 900 },
});
const previous = create(CallFiguresSchema, { calls: 21n, bookedValue: [{ minor: 9000n, currency: 'CHF' }] });
const part = { calls: 7n, ended: 6n, answered: 5n, wantedBooking: 4n, booked: 3n };
const told = create(GetInsightsResponseSchema, {
  days: [{ date: '2026-11-01', figures: part }],
  hours: [{ hour: 9, figures: part }],
  services: [
    {
      serviceId: 'cut',
      serviceName: 'Cut',
      asked: 9n,
      booked: 6n,
      missed: 2n,
      listPrice: { minor: 4500n, currency: 'GBP' },
    },
  ],
});
const parts = { businessId: 'b1', dates, told, figures };

/** What is said under a name, in the order of the page. */
const named = async (name: string) =>
  (await screen.findAllByText(name)).map((term) => term.parentElement?.textContent);

it('shows each currency by itself and never adds two', async () => {
  mount([{ path: '/', element: <Headlines {...parts} previous={previous} /> }], '/');
  const booked = await named('Value booked');
  expect(booked).toHaveLength(3);
  expect(booked.join('|')).toMatch(/CHF.0.*\|.*€400.*\|.*£500/);
  expect(document.body.textContent).not.toMatch(/900/);
  expect(await named('Value lost')).toEqual([expect.stringMatching(/£600at today’s list prices/)]);
});

it('shows beside each figure what it was before, and nothing beside what has none', async () => {
  mount([{ path: '/', element: <Headlines {...parts} previous={previous} /> }], '/');
  expect((await named('Calls')).join()).toMatch(/up 100 %from 21/);
  expect((await named('Answer rate')).join()).not.toMatch(/from|before/);
});

it('tells what the team booked apart from what the agent did, and opens those calls', async () => {
  mount([{ path: '/', element: <Headlines {...parts} previous={previous} /> }], '/');
  expect((await named('Booking conversion')).join()).toMatch(/50 %.*the agent booked 12 of 24/);
  expect((await named('Booked by the team')).join()).toMatch(/4.*ended calls from which a person booked/);
  expect((await named('Value booked by the team')).join()).toMatch(/£300/);
  const link = (name: string) =>
    new URLSearchParams(screen.getByRole('link', { name }).getAttribute('href') ?? '');
  expect([link('4').get('team'), link('4').get('state')]).toEqual(['yes', 'ended']);
  expect(link('£600').get('team')).toBe('no');
});

it('claims no rate before a call has ended', async () => {
  const none = create(CallFiguresSchema);
  mount([{ path: '/', element: <Headlines {...parts} figures={none} previous={none} /> }], '/');
  for (const name of ['Answer rate', 'Booking conversion', 'Look-up time'])
    expect((await named(name)).join()).toContain('–');
});

it('opens the calls behind every number', async () => {
  const page = (
    <>
      <Headlines {...parts} previous={previous} />
      <Tables {...parts} />
    </>
  );
  mount([{ path: '/', element: page }], '/');
  await screen.findByText('Cut');
  const unlinked = [...document.querySelectorAll<HTMLElement>('dd > span:first-child, td[data-figures]')]
    // A share is told by the number beside it.
    .filter(
      (number) => /[1-9]/.test(number.textContent ?? '') && !/^[\d.]+ %$/.test(number.textContent ?? ''),
    )
    .filter((number) => within(number).queryByRole('link') === null);
  expect(unlinked.map((number) => number.textContent)).toEqual([]);
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href') ?? '');
  expect(links.length).toBeGreaterThan(20);
  for (const link of links) {
    expect(link).toMatch(/^\/b1\/calls\?/);
    expect(new URLSearchParams(link.split('?')[1]).get('from')).toMatch(/^2026-11-0[12]$/);
  }
});
