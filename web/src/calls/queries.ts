import { rpcPages, rpcQuery } from '../api/query';
import { CallService } from '../gen/frontdesk/telemetry/v1/call_pb';
import { CallViewService } from '../gen/frontdesk/telemetry/v1/call_view_pb';
import { RecordingService } from '../gen/frontdesk/telemetry/v1/recording_pb';
import { FollowUpService, type FollowUpState } from '../gen/frontdesk/tenancy/v1/follow_up_pb';
import { type CallWish, filterOf, queryOf } from './filter';

/** Enough to have every call that goes on among them. */
export const RECENT_CALLS = 20;
const PAGE = 50;

export const recentCallsQuery = (businessId: string) =>
  rpcQuery(CallService.method.listCalls, { businessId, pageSize: RECENT_CALLS });

/** The calls that pass filters, newest first. */
export const callPages = (businessId: string, wish: CallWish) =>
  rpcPages(CallService.method.listCalls, {
    businessId,
    pageSize: PAGE,
    customerId: wish.customer,
    ...(queryOf({ ...wish, customer: '' }) && { filter: filterOf(wish) }),
  });

/** The filters that the person saved. */
export const callViewsQuery = (businessId: string) =>
  rpcQuery(CallViewService.method.listCallViews, { businessId });

/** The open follow-ups of a call, or those that are done. */
export const followUpsOfCall = (businessId: string, callId: string, state: FollowUpState) =>
  rpcQuery(FollowUpService.method.listFollowUps, { businessId, callId, state, pageSize: PAGE });

export const callQuery = (businessId: string, callId: string) =>
  rpcQuery(CallService.method.getCall, { businessId, callId });

/** Whether a live call can be taken over, and which number would ring. */
export const takeOverQuery = (businessId: string, callId: string) =>
  rpcQuery(CallService.method.getTakeOver, { businessId, callId });

export const recordingQuery = (businessId: string, callId: string) =>
  rpcQuery(RecordingService.method.getRecording, { businessId, callId });
