import { isPhone } from '../../customers/find';
import type { Column, PlacedCard } from '../../day/columns';
import { digits, plain } from '../../finding/words';

/** Few enough to go through with the arrows. */
export const MOST_FOUND = 12;

/**
 * Visits of the shown columns by words that the customer's name or a service's begins with, in any
 * order; or by the last figures of the customer's number. The earliest first.
 */
export function findVisits(columns: readonly Column[], text: string): PlacedCard[] {
  const wanted = plain(text).split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return [];
  const number = isPhone(text) ? digits(text) : '';
  const matches = ({ customer, services, appointment }: PlacedCard) => {
    if (number) return digits(appointment.customerPhone).endsWith(number);
    const words = plain(`${customer} ${services}`).split(/[^\p{L}\p{N}]+/u);
    return wanted.every((start) => words.some((word) => word.startsWith(start)));
  };
  return columns
    .flatMap(({ cards }) => cards)
    .filter(matches)
    .sort((one, other) => (one.day === other.day ? one.from - other.from : one.day < other.day ? -1 : 1))
    .slice(0, MOST_FOUND);
}
