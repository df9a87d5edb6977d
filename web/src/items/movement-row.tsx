import { Flex, Stack } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { useAction } from '../api/action';
import { meQuery } from '../business/queries';
import { type StockMovement, StockService } from '../gen/frontdesk/tenancy/v1/stock_pb';
import { messageOf } from '../http/errors';
import { Button } from '../ui/button';
import { moneyText } from '../ui/money';
import { Figures, Muted, ScreenReaderOnly, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { movementLine, quantityText, signatureOf } from './item-text';
import { readItemsAgain } from './read-items-again';

type MovementRowProps = { businessId: string; movement: StockMovement; currency: string; zone: string };

/** A movement: what, how many, who and when, the stock after it, and a button to undo it. */
export function MovementRow({ businessId, movement, currency, zone }: MovementRowProps) {
  const queries = useQueryClient();
  const text = movementLine(movement);
  const viewerId = useQuery(meQuery()).data?.id ?? '';
  const { act, running } = useAction(StockService.method.undoStockMovement, {
    onDone: () => {
      readItemsAgain(queries);
      toasts.show('good', `Undone: ${text.toLowerCase()}.`);
    },
    onRefused: (error) => {
      readItemsAgain(queries);
      toasts.show('bad', messageOf(error, 'The movement could not be undone.'));
    },
  });
  const cost =
    movement.unitCostMinor === undefined ? '' : `${moneyText(movement.unitCostMinor, currency)} each`;
  return (
    <Flex
      columnGap="4"
      align="center"
      wrap={{ base: 'wrap', sm: 'nowrap' }}
      px={{ base: '4', sm: '6' }}
      py="3"
      borderTop="1px solid"
      borderColor="line"
    >
      <Stack gap="0.5" flex={{ base: '1 1 100%', sm: '1' }} minWidth="0">
        <Text fontWeight="600">
          <Figures>{text}</Figures>
        </Text>
        <Muted fontSize="0.875rem">
          {[signatureOf(movement, zone, viewerId), cost].filter(Boolean).join(' · ')}
        </Muted>
        {movement.note && <Muted fontSize="0.875rem">{movement.note}</Muted>}
      </Stack>
      <Muted flex={{ base: '1', sm: 'none' }}>
        <Figures>{quantityText(movement.onHand, '')}</Figures> on hand
      </Muted>
      {movement.mayUndo && (
        <Button
          variant="quiet"
          loading={running}
          onClick={() => act({ businessId, itemId: movement.itemId, movementId: movement.id })}
        >
          <Undo2 size={18} aria-hidden />
          Undo
          <ScreenReaderOnly> {text}</ScreenReaderOnly>
        </Button>
      )}
    </Flex>
  );
}
