import { digits, hasDigits, saysAll } from '../finding/words';
import type { Customer } from '../gen/frontdesk/tenancy/v1/customer_pb';

/** Few enough to look through at a glance. */
export const MOST_FOUND = 8;

/** Whether the text looks like a telephone number rather than a name. */
export const isPhone = (text: string) => /^\+?[\d\s()/-]{3,}$/.test(text.trim());

/** Whether the text is long enough for a complete telephone number. */
export const isWholePhone = (text: string) => isPhone(text) && digits(text).length >= 7;

/**
 * Customers whose names have words beginning with what was typed, in any order; or whose numbers
 * contain it, with or without the country's code.
 */
export function findCustomers(customers: Customer[], text: string): Customer[] {
  const matches = ({ name, phone }: Customer) =>
    isPhone(text) ? hasDigits(phone, text) : saysAll(name, text);
  return customers.filter(matches).slice(0, MOST_FOUND);
}
