import { rpcQuery } from '../api/query';
import { TimeOffService, TimeOffState } from '../gen/frontdesk/scheduling/v1/time_off_pb';

const MOST = 200;
/** Nothing tells of time off as it is asked for: what is shown is read again this often. */
const READ_AGAIN_MS = 60_000;

export const requestedTimeOffQuery = (businessId: string) => ({
  ...rpcQuery(TimeOffService.method.listTimeOff, {
    businessId,
    state: TimeOffState.REQUESTED,
    pageSize: MOST,
  }),
  refetchInterval: READ_AGAIN_MS,
});
