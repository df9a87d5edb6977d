import { hasDigits, saysAll } from '../finding/words';
import type { Business } from '../gen/frontdesk/tenancy/v1/business_pb';

/** Businesses by what was typed of their name and address, or of their number. */
export function findBusinesses(businesses: Business[], typed: string): Business[] {
  return businesses.filter(
    ({ name, address, phone }) => saysAll(`${name} ${address}`, typed) || hasDigits(phone, typed),
  );
}
