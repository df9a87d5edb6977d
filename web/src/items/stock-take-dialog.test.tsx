// @vitest-environment jsdom
import { create } from '@bufbuild/protobuf';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ItemDetailsSchema, ItemSchema } from '../gen/frontdesk/tenancy/v1/item_pb';
import {
  PreviewStockTakeResponseSchema,
  RecordStockTakeResponseSchema,
  StockService,
  UndoStockTakeResponseSchema,
} from '../gen/frontdesk/tenancy/v1/stock_pb';
import { dialogsWork, mount } from '../testing/mount';
import { toasts } from '../ui/toasts';
import { undos } from '../ui/undos';

vi.mock('../session/current', () => ({
  api: vi.fn(),
  session: { state: {}, subscribe: () => () => undefined, onEnd: () => () => undefined },
}));

const call = vi.fn();
vi.mock('../api/call', () => ({ call: (...args: unknown[]) => call(...args) }));

const { StockTakeDialog } = await import('./stock-take-dialog');

const items = ['Foils', 'Shampoo'].map((name) =>
  create(ItemSchema, { id: name, details: create(ItemDetailsSchema, { name }), onHand: 3n }),
);

beforeEach(() => {
  dialogsWork();
  mount(
    [
      {
        path: '/',
        element: <StockTakeDialog businessId="b1" items={items} more={false} onClose={() => undefined} />,
      },
    ],
    '/',
  );
});
afterEach(() => {
  cleanup();
  undos.clear();
  vi.restoreAllMocks();
});

it('Enter goes on to the next item, and from the last one the form is sent', () => {
  const [first, last] = items.map(({ id }) => screen.getByLabelText(`Counted of ${id}`));
  if (!first || !last) throw new Error('Each item has a field.');
  first.focus();
  // False where the key’s own effect, sending the form, is prevented.
  expect(fireEvent.keyDown(first, { key: 'Enter' })).toBe(false);
  expect(document.activeElement).toBe(last);
  expect(fireEvent.keyDown(last, { key: 'Enter' })).toBe(true);
});

it('a recorded count is undone from its toast as the whole that it was', async () => {
  const { previewStockTake, recordStockTake, undoStockTake } = StockService.method;
  call.mockImplementation(async (method: unknown) => {
    const differences = [{ itemId: 'Foils', itemName: 'Foils', onHand: 3n, counted: 2, difference: -1n }];
    if (method === previewStockTake) return create(PreviewStockTakeResponseSchema, { differences });
    if (method === recordStockTake) return create(RecordStockTakeResponseSchema, { stockTakeId: 't1' });
    return create(UndoStockTakeResponseSchema);
  });
  const show = vi.spyOn(toasts, 'show');
  fireEvent.change(screen.getByLabelText('Counted of Foils'), { target: { value: '2' } });
  fireEvent.click(screen.getByRole('button', { name: 'Show differences' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Record the count' }));
  await waitFor(() =>
    expect(show).toHaveBeenCalledWith('good', 'Recorded the count of Foils.', expect.anything()),
  );
  show.mock.lastCall?.[2]?.run();
  await waitFor(() => expect(show.mock.lastCall?.[1]).toBe('The count of Foils is undone.'));
  const undone = call.mock.calls.filter(([method]) => method === undoStockTake);
  expect(undone.map(([, input]) => input)).toEqual([{ businessId: 'b1', stockTakeId: 't1' }]);
});
