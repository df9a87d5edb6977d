import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Item, ItemDetailsSchema } from '../gen/frontdesk/tenancy/v1/item_pb';
import { majorText, minorOf } from '../ui/money';

/** An item as its form holds it. */
export type ItemValues = {
  name: string;
  category: string;
  sku: string;
  barcode: string;
  price: string;
  cost: string;
  tax: string;
  supplierId: string;
  lowStockAt: string;
  unit: string;
};

export function valuesOf(item: Item | undefined): ItemValues {
  const details = item?.details;
  const amount = (minor: number | undefined) =>
    minor === undefined || !item?.currency ? '' : majorText(minor, item.currency);
  return {
    name: details?.name ?? '',
    category: details?.category ?? '',
    sku: details?.sku ?? '',
    barcode: details?.barcode ?? '',
    price: amount(details?.priceMinor),
    cost: amount(details?.costMinor),
    tax: details ? String(details.taxBasisPoints / 100) : '',
    supplierId: details?.supplierId ?? '',
    lowStockAt: details?.lowStockAt === undefined ? '' : String(details.lowStockAt),
    unit: details?.unit ?? '',
  };
}

type Problem = { field: keyof ItemValues; message: string };

/** What the form amounts to, or what is wrong with it before the request. */
export function detailsOf(
  values: ItemValues,
  currency: string,
): { details: MessageInitShape<typeof ItemDetailsSchema>; problems: Problem[] } {
  const problems: Problem[] = [];
  const amount = (field: 'price' | 'cost') => {
    if (values[field].trim() === '') return undefined;
    const minor = currency ? minorOf(values[field], currency) : undefined;
    if (minor === undefined) problems.push({ field, message: 'Enter an amount, such as 12.50.' });
    return minor;
  };
  const tax = basisPointsOf(values.tax);
  if (tax === undefined) problems.push({ field: 'tax', message: 'Enter a percentage from 0 to 100.' });
  const low = values.lowStockAt.trim();
  if (low && !/^\d{1,7}$/.test(low))
    problems.push({ field: 'lowStockAt', message: 'Enter a whole number, or leave it empty.' });
  const priceMinor = amount('price');
  const costMinor = amount('cost');
  if (values.name.trim() === '') problems.unshift({ field: 'name', message: 'Enter a name.' });
  const details = {
    name: values.name.trim(),
    category: values.category.trim(),
    sku: values.sku.trim(),
    barcode: values.barcode.trim(),
    ...(priceMinor !== undefined && { priceMinor }),
    ...(costMinor !== undefined && { costMinor }),
    taxBasisPoints: tax ?? 0,
    supplierId: values.supplierId,
    ...(low && { lowStockAt: Number(low) }),
    unit: values.unit.trim(),
  };
  return { details, problems };
}

/** Hundredths of a percent: 17.5 is 1750; nothing is 0. */
function basisPointsOf(text: string): number | undefined {
  const plain = text.trim().replace('%', '').replace(',', '.').trim();
  if (plain === '') return 0;
  if (!/^\d{1,3}(\.\d{1,2})?$/.test(plain)) return undefined;
  const points = Math.round(Number(plain) * 100);
  return points <= 10_000 ? points : undefined;
}

const FIELDS: Readonly<Record<string, keyof ItemValues>> = {
  'details.name': 'name',
  'details.category': 'category',
  'details.sku': 'sku',
  'details.barcode': 'barcode',
  'details.price_minor': 'price',
  'details.cost_minor': 'cost',
  'details.tax_basis_points': 'tax',
  'details.supplier_id': 'supplierId',
  'details.low_stock_at': 'lowStockAt',
  'details.unit': 'unit',
};

/** The field of the form that a refused one is. */
export const fieldOf = (violated: string): keyof ItemValues | undefined => FIELDS[violated];
