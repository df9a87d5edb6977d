// @vitest-environment jsdom
import { create, toJson } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ExplainAvailabilityResponseSchema } from '../gen/frontdesk/scheduling/v1/availability_pb';
import { ListServicesResponseSchema } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { CustomerSchema } from '../gen/frontdesk/tenancy/v1/customer_pb';
import type { Outgoing } from '../http/transport';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { dialogsWork, mount, refused } from '../testing/mount';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../session/current', () => ({
  api,
  session: { state: {}, subscribe: () => () => undefined, onEnd: () => () => undefined },
  tabStorage: undefined,
}));

const { WalkInDialog } = await import('./walk-in-dialog');

const services = ['Cut', 'Colour'].map((name) => ({ id: name, name, employeeIds: ['mia'] }));
const startsAt = timestampFromDate(new Date('2030-01-01T10:00Z'));
const endsAt = timestampFromDate(new Date('2030-01-01T10:30Z'));
const offer = { startsAt, endsAt, items: [{ employeeId: 'mia', employeeName: 'Mia' }] };

const MESSAGE = /^This needs an earlier visit/;

/** The dialog after the server refused to book. */
async function refusedOnce(): Promise<void> {
  const customer = create(CustomerSchema, { id: 'ada', name: 'Ada' });
  mount(
    [
      {
        path: '/',
        element: (
          <WalkInDialog
            businessId="b1"
            customer={customer}
            onClose={() => undefined}
            onBook={() => undefined}
            onWait={undefined}
          />
        ),
      },
    ],
    '/',
  );
  fireEvent.change(await screen.findByLabelText('Service'), { target: { value: 'Cut' } });
  const book = await screen.findByRole('button', { name: 'Book now' });
  await waitFor(() => expect((book as HTMLButtonElement).disabled).toBe(false));
  fireEvent.click(book);
  await screen.findByText(MESSAGE);
}

beforeEach(() => {
  dialogsWork();
  fillJsdomGaps();
  api.mockReset().mockImplementation(async ({ path }) => {
    if (path.endsWith('/services'))
      return toJson(ListServicesResponseSchema, create(ListServicesResponseSchema, { services }));
    if (path.endsWith('availability:explain')) {
      const schema = ExplainAvailabilityResponseSchema;
      return toJson(schema, create(schema, { offer }));
    }
    if (path.includes('alk')) throw refused(409, 'EARLIER_VISIT');
    return {};
  });
});
afterEach(cleanup);

describe('the refusal of a walk-in leaves', () => {
  it('with the service that it was about', async () => {
    await refusedOnce();
    fireEvent.change(screen.getByLabelText('Service'), { target: { value: 'Colour' } });
    await waitFor(() => expect(screen.queryByText(MESSAGE)).toBeNull());
  });

  it('with the customer that it was about', async () => {
    await refusedOnce();
    fireEvent.click(screen.getByRole('button', { name: /^Change/ }));
    await waitFor(() => expect(screen.queryByText(MESSAGE)).toBeNull());
  });
});
