import { intend } from '../api/action';
import { readCustomersAgain } from '../business/read-customers-again';
import { takingBack } from '../business/taking-back';
import { type CustomerMerge, CustomerMergeService } from '../gen/frontdesk/tenancy/v1/customer_merge_pb';
import type { TakeBack } from '../ui/undos';

/** Makes one customer two again, if neither was changed since. */
export function undoMerge(businessId: string, merge: CustomerMerge): TakeBack {
  const { id: mergeId, customerId, mergedName } = merge;
  return takingBack(
    (key) => intend(CustomerMergeService.method.undoCustomerMerge, { businessId, customerId, mergeId }, key),
    `${mergedName} is a customer of their own again.`,
    readCustomersAgain,
  );
}
