import { type CallWish, queryOf } from '../calls/filter';
import type { Dates } from '../intelligence/wish';
import { paths } from '../paths';

/** The address of the calls behind a number of some dates. */
export function recordsOf(businessId: string, { first, last }: Dates, wish: Partial<CallWish> = {}): string {
  return paths.calls(businessId, queryOf({ first, last, ...wish }));
}
