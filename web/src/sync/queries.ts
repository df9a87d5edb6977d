import { rpcPages, rpcQuery } from '../api/query';
import { AppointmentSyncService } from '../gen/frontdesk/calendarsync/v1/appointment_sync_pb';
import { ConsistencyService } from '../gen/frontdesk/calendarsync/v1/consistency_pb';

/** The live socket does not report writes: they are polled while the page is open. */
const READ_AGAIN_MS = 5_000;

export const appointmentSyncPages = (businessId: string, needsLook: boolean) => ({
  ...rpcPages(AppointmentSyncService.method.listAppointmentSync, { businessId, needsLook, pageSize: 50 }),
  refetchInterval: READ_AGAIN_MS,
});

export const syncHistoryQuery = (businessId: string, appointmentId: string) =>
  rpcQuery(AppointmentSyncService.method.listSyncHistory, { businessId, appointmentId });

export const consistencyQuery = (businessId: string) =>
  rpcQuery(ConsistencyService.method.getConsistency, { businessId });
