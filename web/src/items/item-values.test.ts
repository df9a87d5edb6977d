import { describe, expect, it } from 'vitest';
import { detailsOf, type ItemValues, valuesOf } from './item-values';

const empty = valuesOf(undefined);
const filled = (values: Partial<ItemValues>): ItemValues => ({ ...empty, name: 'Soap', ...values });

describe('an item', () => {
  it('is what its form says', () => {
    const { details, problems } = detailsOf(
      filled({ price: '12,50', cost: '6', tax: '17.5 %', lowStockAt: '3' }),
      'GBP',
    );
    expect(problems).toEqual([]);
    expect(details).toMatchObject({ priceMinor: 1250, costMinor: 600, taxBasisPoints: 1750, lowStockAt: 3 });
  });

  it('has no price where none is given', () => {
    const { details, problems } = detailsOf(filled({}), '');
    expect(problems).toEqual([]);
    expect(details).not.toHaveProperty('priceMinor');
  });

  it.each([
    ['name', { name: ' ' }],
    ['price', { price: 'free' }],
    ['cost', { cost: '-1' }],
    ['tax', { tax: '120' }],
    ['lowStockAt', { lowStockAt: 'few' }],
  ] as const)('is not saved with a wrong %s', (field, values) => {
    const { problems } = detailsOf(filled(values), 'GBP');
    expect(problems.map((problem) => problem.field)).toEqual([field]);
  });
});
