import { useQuery } from '@tanstack/react-query';
import { rpcQuery } from '../../api/query';
import { employeesQuery } from '../../business/queries';
import { AccountService } from '../../gen/frontdesk/auth/v1/account_pb';
import type { Block } from '../../gen/frontdesk/scheduling/v1/block_pb';
import { blockableBy, removableBy } from './own-time';

/** What the person who looks may do with employees' time. */
export function useOwnTime(businessId: string, role: string) {
  const me = useQuery(rpcQuery(AccountService.method.getMe, {})).data?.id ?? '';
  const employees = useQuery(employeesQuery(businessId)).data?.employees ?? [];
  return {
    blockable: blockableBy(me, role, employees),
    removes: (block: Block) => removableBy(me, role, employees, block),
  };
}
