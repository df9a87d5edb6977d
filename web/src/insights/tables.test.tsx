// @vitest-environment jsdom
import { create } from '@bufbuild/protobuf';
import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CallFiguresSchema, GetInsightsResponseSchema } from '../gen/frontdesk/telemetry/v1/insight_pb';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { mount } from '../testing/mount';

vi.mock('../session/current', () => ({
  api: vi.fn(),
  session: { state: {}, subscribe: () => () => undefined, onEnd: () => () => undefined },
  tabStorage: undefined,
}));

const { Tables } = await import('./tables');

beforeEach(fillJsdomGaps);
afterEach(cleanup);

it('what was lost opens the calls without a booking behind it', async () => {
  const listPrice = { minor: 4500n, currency: 'GBP' };
  const services = [
    { serviceId: 'cut', serviceName: 'Cut', asked: 4n, booked: 1n, missed: 3n, listPrice },
    { serviceId: 'trim', serviceName: 'Trim', asked: 1n, booked: 1n, missed: 0n, listPrice },
  ];
  const element = (
    <Tables
      businessId="b1"
      dates={{ first: '2026-11-01', last: '2026-11-26' }}
      told={create(GetInsightsResponseSchema, { services })}
      figures={create(CallFiguresSchema)}
    />
  );
  mount([{ path: '/', element }], '/');
  const row = within(await screen.findByRole('row', { name: /^Cut/ }));
  const [missed, lost] = ['3', '£135'].map((name) => row.getByRole('link', { name }).getAttribute('href'));
  expect(lost).toBe(missed);
  const trim = within(screen.getByRole('row', { name: /^Trim/ }));
  expect(trim.queryByRole('link', { name: /£/ })).toBeNull();
});

it('what was booked and how long look-ups took open the calls behind them', async () => {
  const services = [{ serviceId: 'cut', serviceName: 'Cut', asked: 4n, booked: 2n, missed: 0n }];
  const latency = { lookups: 40n, medianMs: 90, p95Ms: 400, p99Ms: 900 };
  const element = (
    <Tables
      businessId="b1"
      dates={{ first: '2026-11-01', last: '2026-11-26' }}
      told={create(GetInsightsResponseSchema, { services })}
      figures={create(CallFiguresSchema, { latency })}
    />
  );
  mount([{ path: '/', element }], '/');
  const address = (row: string, name: string) =>
    within(screen.getByRole('row', { name: row }))
      .getByRole('link', { name })
      .getAttribute('href');
  await screen.findByText('Cut');
  expect(address('Cut 4 2 0 not known', '2')).toBe(
    '/b1/calls?from=2026-11-01&to=2026-11-26&service=cut&booked=1',
  );
  const slow = screen.getByRole('row', { name: /^40/ });
  const links = within(slow).getAllByRole('link');
  expect(
    links.map((link) => new URLSearchParams(link.getAttribute('href')?.split('?')[1]).get('lookup')),
  ).toEqual(['1', '90', '400', '900']);
  within(slow).getByRole('link', { name: '40: calls with a look-up' });
  within(slow).getByRole('link', { name: '90 ms: calls with a look-up that long or longer' });
});
