import { create, type MessageInitShape, toJson } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterEach, expect, it, vi } from 'vitest';
import { PartOfDay, SearchAvailabilityResponseSchema } from '../gen/frontdesk/scheduling/v1/availability_pb';

const api = vi.hoisted(() => vi.fn());
vi.mock('../session/current', () => ({ api }));

const { queries } = await import('../api/query-client');
const { offersQuery } = await import('./queries');

afterEach(() => {
  queries.clear();
});

const STARTS = ['2026-11-25T00:30:00Z', '2026-11-25T00:35:00Z', '2026-11-25T23:00:00Z'];

const page = (starts: string[], nextPageToken: string) => {
  const offers = starts.map((start) => ({ startsAt: timestampFromDate(new Date(start)) }));
  const answer: MessageInitShape<typeof SearchAvailabilityResponseSchema> = { offers, nextPageToken };
  return toJson(SearchAvailabilityResponseSchema, create(SearchAvailabilityResponseSchema, answer));
};

it('reads a day of more starts than a page has to its end', async () => {
  api.mockImplementation(({ body }: { body: { pageToken?: string } }) =>
    body.pageToken === 'second' ? page(STARTS.slice(2), '') : page(STARTS.slice(0, 2), 'second'),
  );
  const { offers } = await queries.fetchQuery(
    offersQuery({
      businessId: 'b',
      items: [],
      day: '2026-11-25',
      part: PartOfDay.UNSPECIFIED,
      zone: 'Europe/London',
      customerId: '',
    }),
  );
  const found = toJson(
    SearchAvailabilityResponseSchema,
    create(SearchAvailabilityResponseSchema, { offers }),
  ) as { offers: { startsAt: string }[] };
  expect(found.offers.map(({ startsAt }) => startsAt)).toEqual(STARTS);
});
