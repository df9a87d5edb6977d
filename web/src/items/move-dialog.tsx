import { useQueryClient } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { intend, useAction } from '../api/action';
import { takingBack } from '../business/taking-back';
import type { Item } from '../gen/frontdesk/tenancy/v1/item_pb';
import { type StockMovement, StockMovementKind, StockService } from '../gen/frontdesk/tenancy/v1/stock_pb';
import { asSentence, fieldErrorsOf, messageOf } from '../http/errors';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { TextArea, TextField } from '../ui/field';
import { currencySymbol, minorOf } from '../ui/money';
import { Note, Refusal } from '../ui/states';
import { Muted } from '../ui/text';
import { toasts } from '../ui/toasts';
import { undos } from '../ui/undos';
import { belowZeroText, onHandText, quantityText } from './item-text';
import { readItemsAgain } from './read-items-again';

export type Move = 'receive' | 'sell' | 'use' | 'waste';

const TITLES: Readonly<Record<Move, string>> = {
  receive: 'Record a delivery',
  sell: 'Record a sale',
  use: 'Record use in a service',
  waste: 'Record what was thrown away',
};

const DONE: Readonly<Record<Move, string>> = {
  receive: 'Received',
  sell: 'Sold',
  use: 'Used',
  waste: 'Threw away',
};

const LONGEST_NOTE = 500;

type MoveDialogProps = { businessId: string; item: Item; move: Move; onClose: () => void };

/** Records that some of an item came in or went out. */
export function MoveDialog({ businessId, item, move, onClose }: MoveDialogProps) {
  const [quantity, setQuantity] = useState('1');
  const [cost, setCost] = useState('');
  const [note, setNote] = useState('');
  const [wrong, setWrong] = useState<{ quantity?: string; cost?: string }>({});
  const { act, running, error } = useMove(businessId, item, move, onClose);
  const refused = fieldErrorsOf(error);
  const { currency } = item;
  const count = /^\d{1,7}$/.test(quantity.trim()) ? Number(quantity) : 0;
  const short = move !== 'receive' && belowZeroText(item.onHand, count, item.details?.unit ?? '');
  const save = () => {
    const unitCostMinor = cost.trim() === '' ? undefined : minorOf(cost, currency);
    const badCost = cost.trim() !== '' && unitCostMinor === undefined;
    setWrong({
      ...(count < 1 && { quantity: 'Enter a whole number of at least 1.' }),
      ...(badCost && { cost: 'Enter an amount, such as 6.50.' }),
    });
    if (count >= 1 && !badCost) act(count, note, unitCostMinor);
  };
  return (
    <FormDialog title={TITLES[move]} busy={running} onSubmit={save} onClose={onClose}>
      <Muted>
        {item.details?.name}: {onHandText(item)} on hand
      </Muted>
      <TextField
        label={item.details?.unit ? `Quantity (${item.details.unit})` : 'Quantity'}
        inputMode="numeric"
        autoFocus
        autoComplete="off"
        value={quantity}
        error={wrong.quantity ?? refused.quantity}
        onChange={(event) => setQuantity(event.currentTarget.value)}
      />
      {short && (
        <Note tone="warn" icon={TriangleAlert} role="alert">
          {short}
        </Note>
      )}
      {move === 'receive' && currency && (
        <TextField
          label={`Cost of one (${currencySymbol(currency)}, optional)`}
          inputMode="decimal"
          autoComplete="off"
          value={cost}
          error={wrong.cost ?? refused.unit_cost_minor}
          onChange={(event) => setCost(event.currentTarget.value)}
        />
      )}
      <TextArea
        label="Note (optional)"
        maxLength={LONGEST_NOTE}
        value={note}
        error={refused.note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <Refusal>{error && refusalOf(error)}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={running} minHeight="12">
          Cancel
        </Button>
        <Button type="submit" variant="contained" loading={running}>
          Record
        </Button>
      </DialogActions>
    </FormDialog>
  );
}

/** Why it was refused, unless a field of the form says so. An item may have lost its price meanwhile. */
function refusalOf(error: Error): string | undefined {
  const { kind, ...ofForm } = fieldErrorsOf(error);
  if (kind) return asSentence(kind);
  return Object.keys(ofForm).length === 0 ? messageOf(error, 'The stock could not be changed.') : undefined;
}

function useMove(businessId: string, item: Item, move: Move, onClose: () => void) {
  const queries = useQueryClient();
  const again = () => readItemsAgain(queries);
  const onDone = (
    { movement }: { movement?: StockMovement | undefined },
    { quantity = 0 }: { quantity?: number },
  ) => {
    again();
    const what = `${quantityText(quantity, item.details?.unit ?? '')} of ${item.details?.name}`;
    const request = { businessId, itemId: item.id, movementId: movement?.id ?? '' };
    const undo = (key: string) => intend(StockService.method.undoStockMovement, request, key);
    toasts.show('good', `${DONE[move]} ${what}.`, undos.push(takingBack(undo, `Undone: ${what}.`, again)));
    onClose();
  };
  const taking = useAction(StockService.method.takeFromStock, { onDone });
  const receiving = useAction(StockService.method.receiveStock, { onDone });
  const wasting = useAction(StockService.method.wasteStock, { onDone });
  const action = { receive: receiving, sell: taking, use: taking, waste: wasting }[move];
  const act = (quantity: number, note: string, unitCostMinor: number | undefined) => {
    const request = { businessId, itemId: item.id, quantity, note: note.trim() };
    if (move === 'receive')
      receiving.act({ ...request, ...(unitCostMinor !== undefined && { unitCostMinor }) });
    else if (move === 'waste') wasting.act(request);
    else taking.act({ ...request, kind: move === 'sell' ? StockMovementKind.SOLD : StockMovementKind.USED });
  };
  return { act, running: action.running, error: action.error };
}
