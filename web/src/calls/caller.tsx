import { Fragment } from 'react';
import { callerOf } from '../business/call-outcome';
import type { Call } from '../gen/frontdesk/telemetry/v1/call_pb';
import { TextLink } from '../layout/links';
import { paths } from '../paths';
import type { Matched } from './use-caller';

type CallerProps = { businessId: string; call: Call; matched: readonly Matched[] };

/** Who calls, linked. Several customers may share a number: the agent asks which one is calling. */
export function Caller({ businessId, call, matched }: CallerProps) {
  if (matched.length === 0) return callerOf(call);
  const parts = new Intl.ListFormat('en-GB', { type: 'disjunction' }).formatToParts(
    matched.map((_, index) => String(index)),
  );
  return (
    <>
      {parts.map(({ type, value }, place) => {
        const customer = type === 'element' ? matched[Number(value)] : undefined;
        return customer ? (
          <TextLink key={customer.id} to={paths.customer(businessId, customer.id)}>
            {customer.name || callerOf(call)}
          </TextLink>
        ) : (
          <Fragment key={`joint ${place}`}>{value}</Fragment>
        );
      })}
    </>
  );
}
