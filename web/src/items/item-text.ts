import { timestampDate } from '@bufbuild/protobuf/wkt';
import { actorName } from '../business/actor-name';
import type { Item } from '../gen/frontdesk/tenancy/v1/item_pb';
import { type StockMovement, StockMovementKind } from '../gen/frontdesk/tenancy/v1/stock_pb';
import { dateAndTime } from '../time/zoned';

/** "12", "250 ml", "−3". */
export function quantityText(quantity: bigint | number, unit: string): string {
  const count = String(quantity).replace('-', '−');
  return unit ? `${count} ${unit}` : count;
}

export const onHandText = ({ onHand, details }: Item) => quantityText(onHand, details?.unit ?? '');

/** What taking so many makes of a stock that does not have them; undefined where it does. */
export function belowZeroText(onHand: bigint, taken: number, unit: string): string | undefined {
  const left = onHand - BigInt(taken);
  if (left >= 0n) return undefined;
  const known = onHand > 0n ? `Only ${quantityText(onHand, unit)} on hand` : 'None on hand';
  return `${known}: the stock becomes ${quantityText(left, unit)}. If more are there, count the stock.`;
}

const KIND_TEXT: Readonly<Record<StockMovementKind, string>> = {
  [StockMovementKind.UNSPECIFIED]: 'Changed',
  [StockMovementKind.RECEIVED]: 'Received',
  [StockMovementKind.SOLD]: 'Sold',
  [StockMovementKind.USED]: 'Used in a service',
  [StockMovementKind.COUNTED]: 'Counted',
  [StockMovementKind.WASTED]: 'Thrown away',
};

/** "Sold, undone", "Undid: sold". */
function movementText({ kind, undoes, undone }: StockMovement): string {
  const text = KIND_TEXT[kind];
  if (undoes) return `Undone: ${text.toLowerCase()}`;
  return undone ? `${text} (undone)` : text;
}

/** "Sold −2", "Counted: 4, −1 against the list". */
export function movementLine(movement: StockMovement): string {
  const { kind, undoes, quantity, onHand } = movement;
  const text = movementText(movement);
  // What was counted is the stock from then on; a difference alone would read as the count.
  if (kind !== StockMovementKind.COUNTED || undoes) return `${text} ${signedText(quantity)}`;
  const against = quantity === 0n ? 'as expected' : `${signedText(quantity)} against the list`;
  return `${text}: ${onHand}, ${against}`;
}

/** "+5", "−2". */
export function signedText(quantity: bigint): string {
  if (quantity === 0n) return '0';
  return quantity > 0n ? `+${quantity}` : `−${-quantity}`;
}

/** Who recorded it, as the viewer knows them, and when. */
export function signatureOf(
  { authorName, createdBy, createdAt }: StockMovement,
  zone: string,
  viewerId: string,
): string {
  const who = authorName || actorName(createdBy, [], viewerId);
  return [who, createdAt && dateAndTime(timestampDate(createdAt), zone)].filter(Boolean).join(' · ');
}

/** "20 %", "17.5 %". */
export const taxText = (basisPoints: number) => `${basisPoints / 100} %`;
