import { useQuery } from '@tanstack/react-query';
import { rpcQuery } from '../api/query';
import { ContactPolicyService } from '../gen/frontdesk/scheduling/v1/contact_policy_pb';
import { useBusinessRole } from './queries';

/** Why a telephone number or an e-mail address is not shown. */
export const CONTACT_HIDDEN = 'Shown to employees with a visit of theirs within 30 days';

/** The same, where there is room for two words. */
export const NUMBER_HIDDEN = 'Number hidden';

export const contactPolicyQuery = (businessId: string) =>
  rpcQuery(ContactPolicyService.method.getContactPolicy, { businessId });

/** Whether the person sees the numbers and addresses of their own customers only. */
export function useSeesOwnContactsOnly(businessId: string): boolean {
  const here = useBusinessRole(businessId);
  const isEmployee = here.kind === 'member' && here.role === 'EMPLOYEE';
  const query = useQuery({ ...contactPolicyQuery(businessId), enabled: isEmployee });
  return isEmployee && query.data?.policy?.employeesSeeAll === false;
}
