import { digits, hasDigits, saysAll } from '../finding/words';
import type { Customer } from '../gen/frontdesk/tenancy/v1/customer_pb';

/** Few enough to look through at a glance. */
export const MOST_FOUND = 8;

/** Whether the text looks like a telephone number rather than a name. */
export const isPhone = (text: string) => /^\+?[\d\s()/-]{3,}$/.test(text.trim());

/** Whether the text is long enough for a complete telephone number. */
export const isWholePhone = (text: string) => isPhone(text) && digits(text).length >= 7;

/** A name, and an e-mail address whole and in parts: "ana prior", "ana.prior@example.com", "example". */
const wordsOf = ({ name, email }: Customer) => `${name} ${email} ${email.replace(/[.@_+]/g, ' ')}`;

/**
 * Customers whose names or e-mail addresses have words beginning with what was typed, in any order; or whose
 * numbers contain it, with or without the country's code.
 */
export function findCustomers(customers: Customer[], text: string): Customer[] {
  const matches = (customer: Customer) =>
    isPhone(text) ? hasDigits(customer.phone, text) : saysAll(wordsOf(customer), text);
  return customers.filter(matches).slice(0, MOST_FOUND);
}
