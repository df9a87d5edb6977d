import { ANY_LOOKUP } from '../calls/filter';
import { TextLink } from '../layout/links';
import type { Parts } from './parts';
import { recordsOf } from './records';

type LookupsLinkProps = Pick<Parts, 'businessId' | 'dates'> & { lookupMs: number; children: string };

/** A figure about look-ups that opens the calls with one of that length or longer. */
export function LookupsLink({ businessId, dates, lookupMs, children }: LookupsLinkProps) {
  const calls = lookupMs === ANY_LOOKUP ? 'calls with a look-up' : 'calls with a look-up that long or longer';
  return (
    <TextLink to={recordsOf(businessId, dates, { lookupMs })} aria-label={`${children}: ${calls}`}>
      {children}
    </TextLink>
  );
}
