import { call } from '../api/call';
import { readCustomersAgain } from '../business/read-customers-again';
import { type CustomerMerge, CustomerMergeService } from '../gen/frontdesk/tenancy/v1/customer_merge_pb';
import { messageOf } from '../http/errors';
import type { Undone } from '../ui/undos';

/** Makes one customer two again, if neither was changed since. */
export function undoMerge(businessId: string, merge: CustomerMerge): () => Promise<Undone> {
  const { id: mergeId, customerId, mergedName } = merge;
  return async () => {
    try {
      await call(
        CustomerMergeService.method.undoCustomerMerge,
        { businessId, customerId, mergeId },
        { idempotencyKey: crypto.randomUUID() },
      );
      return { tone: 'good', text: `${mergedName} is a customer of their own again.` };
    } catch (error) {
      return { tone: 'bad', text: `Not undone. ${messageOf(error, 'The server refused it.')}` };
    } finally {
      void readCustomersAgain();
    }
  };
}
