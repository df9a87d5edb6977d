import { call } from '../api/call';
import { readCustomersAgain } from '../business/read-customers-again';
import { type Customer, CustomerService } from '../gen/frontdesk/tenancy/v1/customer_pb';
import { isPassing, messageOf } from '../http/errors';
import type { Undone } from '../ui/undos';
import { sameValues, valuesOf } from './customer-values';

const { getCustomer, updateCustomer } = CustomerService.method;

/** Gives a customer the former name, contact and tags, if they still are what was saved. */
export function undoSaving(businessId: string, saved: Customer, before: Customer): () => Promise<Undone> {
  const customerId = saved.id;
  const done: Undone = { tone: 'good', text: `${before.name} is as before.` };
  return async () => {
    try {
      const { customer } = await call(getCustomer, { businessId, customerId });
      // An attempt before this one may have done it without an answer.
      if (customer && sameValues(valuesOf(customer), valuesOf(before))) return done;
      if (!customer || !sameValues(valuesOf(customer), valuesOf(saved)))
        return { tone: 'bad', text: `Not undone: ${saved.name} was changed again since.` };
      const { version } = customer;
      await call(
        updateCustomer,
        { businessId, customerId, version, ...valuesOf(before) },
        { idempotencyKey: crypto.randomUUID() },
      );
      return done;
    } catch (error) {
      const why = messageOf(error, 'The server refused it.');
      return { tone: 'bad', text: `Not undone. ${why}`, undecided: isPassing(error) };
    } finally {
      void readCustomersAgain();
    }
  };
}
