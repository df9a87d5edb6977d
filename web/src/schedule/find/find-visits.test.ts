import { describe, expect, it } from 'vitest';
import type { Column, PlacedCard } from '../../day/columns';
import { findVisits } from './find-visits';

const card = (customer: string, services: string, day: string, from: number, customerPhone = '') =>
  ({ key: customer, customer, services, day, from, appointment: { customerPhone } }) as PlacedCard;

const columns = [
  {
    cards: [
      card('Zoë Müller', 'Full colour', '2026-11-24', 600, '+442079460123'),
      card('Ada Byron', "Men's cut", '2026-11-25', 540),
    ],
  },
  { cards: [card('Adam Müller-Ames', 'Cut & finish', '2026-11-24', 560, '+447700900123')] },
] as unknown as Column[];

const found = (text: string) => findVisits(columns, text).map(({ customer }) => customer);

describe('finding a visit', () => {
  it('goes by beginnings of names, in any order, whatever their accents and case', () => {
    expect(found('mull zoe')).toEqual(['Zoë Müller']);
    expect(found('AMES')).toEqual(['Adam Müller-Ames']);
    expect(found('uller')).toEqual([]);
  });

  it('goes by services as well, the earliest first', () => {
    expect(found('cut')).toEqual(['Adam Müller-Ames', 'Ada Byron']);
    expect(found('ada cut')).toEqual(['Adam Müller-Ames', 'Ada Byron']);
  });

  it('goes by the last figures of a number', () => {
    expect(found('0123')).toEqual(['Adam Müller-Ames', 'Zoë Müller']);
    expect(found('460 123')).toEqual(['Zoë Müller']);
    expect(found('4420')).toEqual([]);
  });

  it('finds nothing by nothing', () => {
    expect(found('  ')).toEqual([]);
  });
});
