import { create } from '@bufbuild/protobuf';
import { expect, it, vi } from 'vitest';
import { ItemSchema } from '../gen/frontdesk/tenancy/v1/item_pb';
import { ApiError } from '../http/errors';

vi.mock('../session/current', () => ({ api: vi.fn() }));

const { undoItem } = await import('./undo-item');

const at = (id: string, version: bigint) => create(ItemSchema, { id, version, details: { name: 'Foil' } });

/** A server that has the item at a version, and refuses to change another one. */
function shelf(id: string, version: bigint) {
  const kept = { version };
  const back = async (seen: bigint) => {
    if (seen !== kept.version)
      throw new ApiError('', { kind: 'refused', status: 409, reason: 'STALE', metadata: {}, violations: [] });
    kept.version += 1n;
    return { item: at(id, kept.version) };
  };
  const undo = (left: bigint) =>
    undoItem({ left: at(id, left), back, done: 'Done.', readAgain: () => undefined })('key');
  return { kept, undo };
}

it('changes are undone one after the other, the last first', async () => {
  const { kept, undo } = shelf('a', 4n);
  for (const left of [4n, 3n, 2n]) expect(await undo(left)).toEqual({ tone: 'good', text: 'Done.' });
  expect(kept.version).toBe(7n);
});

it('a change that another one followed is not undone', async () => {
  const { kept, undo } = shelf('b', 3n);
  const { tone, text } = await undo(2n);
  expect([tone, text]).toEqual([
    'bad',
    'Not undone. Foil was changed again since. Look at it before you change it back.',
  ]);
  expect(kept.version).toBe(3n);
});
