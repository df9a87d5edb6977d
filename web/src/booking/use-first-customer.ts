import { useState } from 'react';
import type { Customer } from '../gen/frontdesk/tenancy/v1/customer_pb';

type FirstCustomer = [customer: Customer | null, set: (customer: Customer | null) => void, keep: () => void];

/**
 * The customer of a booking: at first the one whose page is open, also where that one is read only after the
 * dialog has opened. `keep` ends the waiting. What another dialog decided, `null` too, holds from the start.
 */
export function useFirstCustomer(known: Customer | undefined, decided?: Customer | null): FirstCustomer {
  const [picked, setPicked] = useState(decided);
  const customer = picked === undefined ? (known ?? null) : picked;
  return [customer, setPicked, () => setPicked(customer)];
}
