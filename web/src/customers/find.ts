import type { Customer } from '../gen/frontdesk/tenancy/v1/customer_pb';

/** Few enough to look through at a glance. */
export const MOST_FOUND = 8;

/** Accents and case are for writing, not for finding. */
export const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

export const digits = (text: string) => text.replace(/\D/g, '');

/** Whether somebody types a telephone number rather than a name. */
export const isPhone = (text: string) => /^\+?[\d\s()/-]{3,}$/.test(text.trim());

/** Whether a number is long enough to be one that somebody could have. */
export const isWholePhone = (text: string) => isPhone(text) && digits(text).length >= 7;

/**
 * Customers whose names have words beginning with what was typed, in any order; or whose numbers
 * contain it, with or without the country's code.
 */
export function findCustomers(customers: Customer[], text: string): Customer[] {
  if (isPhone(text)) {
    const wanted = digits(text).replace(/^0+/, '');
    return customers
      .filter(({ phone }) => wanted !== '' && digits(phone).includes(wanted))
      .slice(0, MOST_FOUND);
  }
  const wanted = plain(text).split(/\s+/).filter(Boolean);
  const matches = ({ name }: Customer) => {
    const words = plain(name).split(/[\s-]+/);
    return wanted.every((start) => words.some((word) => word.startsWith(start)));
  };
  return customers.filter(matches).slice(0, MOST_FOUND);
}
