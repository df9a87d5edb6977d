import { rpcQuery } from '../api/query';
import { TimeOffService, TimeOffState } from '../gen/frontdesk/scheduling/v1/time_off_pb';

const MOST = 200;

export const requestedTimeOffQuery = (businessId: string) =>
  rpcQuery(TimeOffService.method.listTimeOff, {
    businessId,
    state: TimeOffState.REQUESTED,
    pageSize: MOST,
  });
