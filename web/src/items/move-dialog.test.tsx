// @vitest-environment jsdom
import { create } from '@bufbuild/protobuf';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ItemDetailsSchema, ItemSchema } from '../gen/frontdesk/tenancy/v1/item_pb';
import { dialogsWork, mount, refused } from '../testing/mount';

vi.mock('../session/current', () => ({
  api: vi.fn(),
  session: { state: {}, subscribe: () => () => undefined, onEnd: () => () => undefined },
}));

const call = vi.fn();
vi.mock('../api/call', () => ({ call: (...args: unknown[]) => call(...args) }));

const { MoveDialog } = await import('./move-dialog');

const item = create(ItemSchema, {
  id: 'i1',
  details: create(ItemDetailsSchema, { name: 'Foils', priceMinor: 100 }),
  currency: 'GBP',
  onHand: 3n,
});

beforeEach(() => {
  dialogsWork();
  mount(
    [
      {
        path: '/',
        element: <MoveDialog businessId="b1" item={item} move="sell" onClose={() => undefined} />,
      },
    ],
    '/',
  );
});
afterEach(() => {
  cleanup();
  call.mockReset();
});

const record = async () => fireEvent.click(await screen.findByRole('button', { name: 'Record' }));

it('says that an item lost its price while its sale was being recorded', async () => {
  const description = 'this item has no price, so it is not for sale';
  call.mockRejectedValue(refused(400, 'INVALID', `kind: ${description}`, [{ field: 'kind', description }]));
  await record();
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('This item has no price, so it is not for sale.');
});

it('says at its field what is wrong with a quantity, and there alone', async () => {
  const description = 'must lie between 1 and 1,000,000';
  call.mockRejectedValue(refused(400, 'INVALID', description, [{ field: 'quantity', description }]));
  await record();
  await screen.findByText(description, { exact: false });
  expect(screen.getAllByText(description, { exact: false })).toHaveLength(1);
});
