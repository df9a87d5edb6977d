import { rpcPages, rpcQuery } from '../api/query';
import { CallService } from '../gen/frontdesk/telemetry/v1/call_pb';

/** Enough to have every call that goes on among them. */
export const RECENT_CALLS = 20;
const PAGE = 50;

export const recentCallsQuery = (businessId: string) =>
  rpcQuery(CallService.method.listCalls, { businessId, pageSize: RECENT_CALLS });

export const callPages = (businessId: string) =>
  rpcPages(CallService.method.listCalls, { businessId, pageSize: PAGE });

export const callQuery = (businessId: string, callId: string) =>
  rpcQuery(CallService.method.getCall, { businessId, callId });
