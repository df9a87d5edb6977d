// @vitest-environment jsdom
import { create, type MessageInitShape, toJson } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AppointmentSchema } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import {
  type OfferSchema,
  SearchAvailabilityResponseSchema,
} from '../gen/frontdesk/scheduling/v1/availability_pb';
import { moment } from '../time/zoned';

type Search = { from: string; pageSize?: number };
const api = vi.hoisted(() => vi.fn<(request: { body: Search }) => Promise<unknown>>());
vi.mock('../session/current', () => ({ api }));

const { newDraft, wish } = await import('./draft');
const { useOffers } = await import('./use-offers');

const offer = (start: string, employeeId = 'tom'): MessageInitShape<typeof OfferSchema> => ({
  startsAt: timestampFromDate(new Date(start)),
  items: [{ serviceId: 'cut', employeeId }],
});
const answer = (init: MessageInitShape<typeof SearchAvailabilityResponseSchema>) =>
  toJson(SearchAvailabilityResponseSchema, create(SearchAvailabilityResponseSchema, init));

const OWN = '2026-06-05T09:00:00Z';
const visit = create(AppointmentSchema, {
  id: 'visit',
  startsAt: timestampFromDate(new Date(OWN)),
  items: [{ serviceId: 'cut', employeeId: 'tom' }],
});

function moving(day: string) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const draft = { ...newDraft(day, null, ''), guests: [[wish('cut', '')]] };
  const wanted = { businessId: 'b', draft, services: [], customerId: '', zone: 'UTC', moving: visit };
  return renderHook(() => useOffers(wanted), { wrapper }).result;
}

beforeEach(() => {
  api.mockReset();
});
afterEach(cleanup);

it('a visit’s own time is no next offer: the search goes on after it', async () => {
  api.mockImplementation(async ({ body }) =>
    body.pageSize === 1
      ? answer({ offers: [offer('2026-06-05T11:00:00Z')] })
      : answer({ nextOffer: offer(OWN) }),
  );
  const found = moving('2026-06-02');
  await waitFor(() => expect(moment(found.current.next?.startsAt)).toEqual(new Date('2026-06-05T11:00:00Z')));
  expect(api.mock.calls.map(([{ body }]) => body.from)).toEqual([
    '2026-06-02T00:00:00Z',
    '2026-06-05T09:01:00Z',
  ]);
});

it('a day with nothing but the visit’s own time goes on the day after', async () => {
  api.mockImplementation(async ({ body }) =>
    answer(body.pageSize === 1 ? { offers: [offer('2026-06-06T10:00:00Z')] } : { offers: [offer(OWN)] }),
  );
  const found = moving('2026-06-05');
  await waitFor(() => expect(moment(found.current.next?.startsAt)).toEqual(new Date('2026-06-06T10:00:00Z')));
  expect(found.current.offers).toEqual([]);
  expect(api.mock.calls[1]?.[0].body.from).toBe('2026-06-06T00:00:00Z');
});

it('another employee at the visit’s own time is a move', async () => {
  api.mockResolvedValue(answer({ nextOffer: offer(OWN, 'maya') }));
  const found = moving('2026-06-02');
  await waitFor(() => expect(moment(found.current.next?.startsAt)).toEqual(new Date(OWN)));
  expect(api).toHaveBeenCalledTimes(1);
});
