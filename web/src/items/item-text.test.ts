import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import { StockMovementKind as Kind, StockMovementSchema } from '../gen/frontdesk/tenancy/v1/stock_pb';
import { belowZeroText, movementLine, quantityText } from './item-text';

const line = (movement: MessageInitShape<typeof StockMovementSchema>) =>
  movementLine(create(StockMovementSchema, movement));

it('tells a movement by what it did to the stock', () => {
  expect(line({ kind: Kind.SOLD, quantity: -2n, onHand: 4n })).toBe('Sold −2');
  expect(line({ kind: Kind.SOLD, quantity: -2n, undone: true })).toBe('Sold (undone) −2');
  expect(line({ kind: Kind.RECEIVED, quantity: 14n })).toBe('Received +14');
});

it('tells a count by what was counted, and not by the difference alone', () => {
  expect(line({ kind: Kind.COUNTED, quantity: 0n, onHand: 10n })).toBe('Counted: 10, as expected');
  expect(line({ kind: Kind.COUNTED, quantity: -1n, onHand: 4n })).toBe('Counted: 4, −1 against the list');
  expect(line({ kind: Kind.COUNTED, quantity: 1n, onHand: 5n, undoes: 'x' })).toBe('Undone: counted +1');
});

it('says what more than there is makes of the stock', () => {
  expect(belowZeroText(5n, 5, '')).toBeUndefined();
  expect(belowZeroText(5n, 100, '')).toBe(
    'Only 5 on hand: the stock becomes −95. If more are there, count the stock.',
  );
  expect(belowZeroText(0n, 20, 'ml')).toBe(
    'None on hand: the stock becomes −20 ml. If more are there, count the stock.',
  );
  expect(quantityText(-95n, '')).toBe('−95');
});
