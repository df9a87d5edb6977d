import { Flex, Stack } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useRef, useState } from 'react';
import { intend, useAction } from '../api/action';
import { call } from '../api/call';
import { takingBack } from '../business/taking-back';
import type { Item } from '../gen/frontdesk/tenancy/v1/item_pb';
import { type CountDifference, StockService } from '../gen/frontdesk/tenancy/v1/stock_pb';
import { ApiError, messageOf } from '../http/errors';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { TextControl } from '../ui/field';
import { Refusal } from '../ui/states';
import { Table } from '../ui/table';
import { Muted, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { undos } from '../ui/undos';
import { quantityText, signedText } from './item-text';
import { readItemsAgain } from './read-items-again';

/** As many as one stock-take records. */
const MOST = 200;

type StockTakeDialogProps = {
  businessId: string;
  items: Item[];
  /** Whether the list goes on beyond these items. */
  more: boolean;
  onClose: () => void;
};

/** Counts several items at once: what was counted, then the differences, then they are recorded. */
export function StockTakeDialog({ businessId, items, more, onClose }: StockTakeDialogProps) {
  const [counted, setCounted] = useState<Record<string, string>>({});
  const [wrong, setWrong] = useState<string>();
  const [wrongId, setWrongId] = useState<string>();
  const [looking, setLooking] = useState(false);
  const [differences, setDifferences] = useState<CountDifference[] | null>(null);
  const shown = items.slice(0, MOST);
  const fields = useRef<HTMLDivElement>(null);
  /** Enter goes on to the next item, as in a spreadsheet; after the last one it shows the differences. */
  const goOn = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter') return;
    const all = [...(fields.current?.querySelectorAll('input') ?? [])];
    const next = all[all.indexOf(event.currentTarget) + 1];
    if (!next) return;
    event.preventDefault();
    next.focus();
    next.select();
  };

  const preview = async () => {
    const typed = shown.filter(({ id }) => (counted[id] ?? '').trim() !== '');
    const bad = typed.find(({ id }) => !/^\d{1,7}$/.test((counted[id] ?? '').trim()));
    setWrongId(bad?.id);
    if (bad || typed.length === 0) {
      setWrong(
        bad
          ? `${bad.details?.name}: enter a whole number, or leave it empty.`
          : 'Enter what you counted of at least one item.',
      );
      return;
    }
    setWrong(undefined);
    setLooking(true);
    try {
      const counts = typed.map(({ id }) => ({ itemId: id, counted: Number(counted[id]) }));
      const answer = await call(StockService.method.previewStockTake, { businessId, counts });
      setDifferences(answer.differences);
    } catch (error) {
      setWrong(messageOf(error, 'The differences can’t be shown.'));
    } finally {
      setLooking(false);
    }
  };

  if (differences)
    return (
      <Differences
        businessId={businessId}
        differences={differences}
        onBack={() => setDifferences(null)}
        onClose={onClose}
      />
    );
  return (
    <FormDialog wide title="Count stock" busy={looking} onSubmit={() => void preview()} onClose={onClose}>
      <Text>Enter how many you counted. Items left empty stay as they are.</Text>
      {(more || items.length > MOST) && (
        <Muted>
          These are the first {shown.length} items of the list, not all. For others, search the list or choose
          a category first.
        </Muted>
      )}
      <Stack as="ul" ref={fields} listStyleType="none" gap="2" aria-label="Items to count">
        {shown.map((item) => (
          <Flex as="li" key={item.id} gap="4" align="center">
            <Stack gap="0" flex="1" minWidth="0">
              <Text fontWeight="600" overflowWrap="anywhere">
                {item.details?.name}
              </Text>
              <Muted fontSize="0.875rem">
                {[item.details?.sku, `${quantityText(item.onHand, item.details?.unit ?? '')} on hand`]
                  .filter(Boolean)
                  .join(' · ')}
              </Muted>
            </Stack>
            <TextControl
              aria-label={`Counted of ${item.details?.name}`}
              aria-invalid={item.id === wrongId || undefined}
              inputMode="numeric"
              enterKeyHint="next"
              autoComplete="off"
              width="7rem"
              flexShrink="0"
              textAlign="end"
              value={counted[item.id] ?? ''}
              onKeyDown={goOn}
              onChange={(event) => setCounted({ ...counted, [item.id]: event.currentTarget.value })}
            />
          </Flex>
        ))}
      </Stack>
      <Refusal>{wrong}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={looking} minHeight="12">
          Cancel
        </Button>
        <Button type="submit" variant="contained" loading={looking}>
          Show differences
        </Button>
      </DialogActions>
    </FormDialog>
  );
}

type DifferencesProps = {
  businessId: string;
  differences: CountDifference[];
  onBack: () => void;
  onClose: () => void;
};

function Differences({ businessId, differences, onBack, onClose }: DifferencesProps) {
  const queries = useQueryClient();
  const { act, running, error } = useAction(StockService.method.recordStockTake, {
    onDone: ({ stockTakeId }) => {
      const readAgain = () => readItemsAgain(queries);
      readAgain();
      const of = differences.length === 1 ? differences[0]?.itemName : `${differences.length} items`;
      const takeBack = (key: string) =>
        intend(StockService.method.undoStockTake, { businessId, stockTakeId }, key);
      toasts.show(
        'good',
        `Recorded the count of ${of}.`,
        undos.push(takingBack(takeBack, `The count of ${of} is undone.`, readAgain)),
      );
      onClose();
    },
    onRefused: () => readItemsAgain(queries),
  });
  const save = () =>
    act({
      businessId,
      counts: differences.map(({ itemId, counted, onHand }) => ({ itemId, counted, seenOnHand: onHand })),
    });
  const moved = error instanceof ApiError && error.reason === 'STALE';
  return (
    <FormDialog wide chosen title="What the count changes" busy={running} onSubmit={save} onClose={onClose}>
      <Table label="Differences">
        <thead>
          <tr>
            <th scope="col">Item</th>
            <th scope="col" data-figures>
              Known
            </th>
            <th scope="col" data-figures>
              Counted
            </th>
            <th scope="col" data-figures>
              Difference
            </th>
          </tr>
        </thead>
        <tbody>
          {differences.map(({ itemId, itemName, onHand, counted, difference }) => (
            <tr key={itemId}>
              <th scope="row">{itemName}</th>
              <td data-figures>{quantityText(onHand, '')}</td>
              <td data-figures>{counted}</td>
              <td data-figures>{signedText(difference)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      <Refusal>
        {moved
          ? 'Stock moved since these differences were shown. Go back and show them again.'
          : error && messageOf(error, 'The count could not be recorded.')}
      </Refusal>
      <DialogActions>
        <Button onClick={onBack} disabled={running} minHeight="12">
          Back
        </Button>
        <Button type="submit" variant="contained" loading={running}>
          Record the count
        </Button>
      </DialogActions>
    </FormDialog>
  );
}
