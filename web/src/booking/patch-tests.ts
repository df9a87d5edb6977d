import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { queryOptions } from '@tanstack/react-query';
import { rpcQuery } from '../api/query';
import type { Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { PatchTestService } from '../gen/frontdesk/scheduling/v1/patch_test_pb';

/** What is to be done to whom, and when. */
export type Treatment = {
  businessId: string;
  customerId: string;
  serviceIds: readonly string[];
  services: readonly Service[];
  /** Unknown means now. */
  start: Date | undefined;
};

/** The patch tests that a customer lacks; asked only where a service needs one. */
export function lackingTestsQuery({ businessId, customerId, serviceIds, services, start }: Treatment) {
  const needing = services.filter(({ id, patchTest }) => patchTest !== '' && serviceIds.includes(id));
  return queryOptions({
    ...rpcQuery(PatchTestService.method.checkPatchTests, {
      businessId,
      customerId,
      serviceIds: needing.map(({ id }) => id),
      ...(start ? { startsAt: timestampFromDate(start) } : {}),
    }),
    // Tests are recorded on another page, and not told of.
    staleTime: 0,
    enabled: needing.length > 0,
  });
}
