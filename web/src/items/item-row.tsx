import { Flex, Grid, Stack } from '@chakra-ui/react';
import type { Item } from '../gen/frontdesk/tenancy/v1/item_pb';
import { RowLink } from '../layout/links';
import { paths } from '../paths';
import { Badge } from '../ui/badge';
import { moneyText } from '../ui/money';
import { Figures, Muted } from '../ui/text';
import { onHandText } from './item-text';

/** One item in a list: name, codes, price, stock. */
export function ItemRow({ businessId, item }: { businessId: string; item: Item }) {
  const { id, details, currency, low } = item;
  const about = [details?.category, details?.sku].filter(Boolean).join(' · ');
  const price = details?.priceMinor === undefined ? '' : moneyText(details.priceMinor, currency);
  return (
    <Grid
      position="relative"
      gridTemplateColumns={{
        base: 'minmax(0, 1fr) auto',
        md: 'minmax(0, 5fr) minmax(0, 2fr) minmax(0, 3fr)',
      }}
      columnGap="4"
      rowGap="1"
      alignItems="center"
      px={{ base: '4', sm: '6' }}
      py="3"
      borderTop="1px solid"
      borderColor="line"
      transition="colors"
      _hover={{ bg: 'bg.hover' }}
    >
      <Stack gap="0" minWidth="0">
        <RowLink to={paths.item(businessId, id)}>{details?.name}</RowLink>
        <Muted fontSize="0.875rem">{about}</Muted>
      </Stack>
      <Muted hideBelow="md">
        <Figures>{price || 'Not for sale'}</Figures>
      </Muted>
      <Flex justify="flex-end" align="center" gap="2" wrap="wrap">
        {low && <Badge tone="warn">Low</Badge>}
        <Figures>{onHandText(item)}</Figures>
        <Muted as="span">on hand</Muted>
      </Flex>
    </Grid>
  );
}
