import { create } from '@bufbuild/protobuf';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ExportItemsResponseSchema, ItemService } from '../gen/frontdesk/tenancy/v1/item_pb';
import { ApiError } from '../http/errors';

const call = vi.fn();
vi.mock('./call', () => ({ call: (...args: unknown[]) => call(...args) }));
const { readOn } = await import('./read-on');

const away = () => new ApiError('', { kind: 'unreachable' });
const read = () => readOn(ItemService.method.exportItems, { businessId: 'b1' });

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  call.mockReset();
});

it('goes on after answers that were lost', async () => {
  const part = create(ExportItemsResponseSchema, { csv: 'name' });
  call.mockRejectedValueOnce(away()).mockRejectedValueOnce(away()).mockResolvedValue(part);
  const reading = read();
  await vi.runAllTimersAsync();
  expect(await reading).toBe(part);
  expect(call).toHaveBeenCalledTimes(3);
});

it('ends at a refusal, and when nothing answers for long', async () => {
  const refused = { status: 403, reason: 'ROLE_TOO_LOW', metadata: {}, violations: [] };
  call.mockRejectedValue(new ApiError('', { kind: 'refused', ...refused }));
  await expect(read()).rejects.toThrow();
  expect(call).toHaveBeenCalledTimes(1);
  call.mockReset().mockRejectedValue(away());
  const reading = expect(read()).rejects.toThrow();
  await vi.runAllTimersAsync();
  await reading;
  expect(call).toHaveBeenCalledTimes(4);
});
