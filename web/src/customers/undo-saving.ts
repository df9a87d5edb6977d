import { call } from '../api/call';
import { readCustomersAgain } from '../business/read-customers-again';
import { type Customer, CustomerService } from '../gen/frontdesk/tenancy/v1/customer_pb';
import { messageOf } from '../http/errors';
import type { Undone } from '../ui/undos';
import { sameValues, valuesOf } from './customer-values';

const { getCustomer, updateCustomer } = CustomerService.method;

/** Gives a customer the former name, contact and tags, if they still are what was saved. */
export function undoSaving(businessId: string, saved: Customer, before: Customer): () => Promise<Undone> {
  const customerId = saved.id;
  return async () => {
    try {
      const { customer } = await call(getCustomer, { businessId, customerId });
      if (!customer || !sameValues(valuesOf(customer), valuesOf(saved)))
        return { tone: 'bad', text: `Not undone: ${saved.name} was changed again since.` };
      const { version } = customer;
      await call(
        updateCustomer,
        { businessId, customerId, version, ...valuesOf(before) },
        { idempotencyKey: crypto.randomUUID() },
      );
      return { tone: 'good', text: `${before.name} is as before.` };
    } catch (error) {
      return { tone: 'bad', text: `Not undone. ${messageOf(error, 'The server refused it.')}` };
    } finally {
      void readCustomersAgain();
    }
  };
}
