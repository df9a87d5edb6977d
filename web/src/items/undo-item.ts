import { intend } from '../api/action';
import { takingBack } from '../business/taking-back';
import { type Item, ItemService } from '../gen/frontdesk/tenancy/v1/item_pb';
import { ApiError } from '../http/errors';
import type { ToastAction } from '../ui/toasts';
import { type TakeBack, undos } from '../ui/undos';

/** The version at which an item says again what it said at an earlier one, since a change was undone. */
const returned = new Map<string, bigint>();

const keyOf = (itemId: string, version: bigint) => `${itemId} ${version}`;

/** The version that an item has where nothing but undone changes came after `version`. */
function versionSince(itemId: string, version: bigint): bigint {
  const back = returned.get(keyOf(itemId, version));
  return back === undefined ? version : versionSince(itemId, back);
}

type Change = {
  /** The item as the change left it. */
  left: Item;
  /** Makes the item what it was, if it is at this version. */
  back: (version: bigint) => Promise<{ item?: Item | undefined }>;
  done: string;
  readAgain: () => void;
};

/** Undoes a change of an item, unless it was changed again since. */
export function undoItem({ left, back, done, readAgain }: Change): TakeBack {
  const { id, version } = left;
  const takeBack = async () => {
    const { item } = await back(versionSince(id, version));
    // Each change makes the next version, so that the change before this one left the one before it.
    if (item) returned.set(keyOf(id, version - 1n), item.version);
  };
  const name = left.details?.name ?? 'The item';
  return takingBack(takeBack, done, readAgain, (error) =>
    error instanceof ApiError && error.reason === 'STALE'
      ? `${name} was changed again since. Look at it before you change it back.`
      : undefined,
  );
}

/** The action of a toast that tells of an edit; none for a new item, or where nothing was changed. */
export function undoEdit(
  businessId: string,
  before: Item | undefined,
  left: Item | undefined,
  readAgain: () => void,
): ToastAction | undefined {
  if (!before?.details || !left || left.version === before.version) return undefined;
  const { id: itemId, details } = before;
  const back = (version: bigint) =>
    intend(ItemService.method.updateItem, { businessId, itemId, version, details });
  return undos.push(undoItem({ left, back, done: `${details.name} is as before.`, readAgain }));
}
