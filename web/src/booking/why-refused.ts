import { queries } from '../api/query-client';
import type { Destination } from '../day/move-visit';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { ApiError, messageOf } from '../http/errors';
import type { Item } from './draft';
import { startQuery } from './queries';

const NOT_MOVED = 'The visit could not be moved.';

/** Refusals of a time or its employees, which an explanation tells more about. */
const EXPLAINED = new Set([
  'SLOT_TAKEN',
  'NOT_WORKING',
  'NOT_SKILLED',
  'TOO_SOON',
  'TOO_FAR',
  'NO_RESOURCE',
  'NOT_TOGETHER',
  'EARLIER_VISIT',
]);

/** Why a visit can't be moved to a place that was never offered, as the salon's schedule explains it. */
export async function whyNotMoved(
  businessId: string,
  visit: Appointment,
  to: Destination,
  error: unknown,
): Promise<string> {
  const refused = messageOf(error, NOT_MOVED);
  if (!(error instanceof ApiError && EXPLAINED.has(error.reason ?? ''))) return refused;
  const question = startQuery(businessId, itemsAt(visit, to), to.startsAt, visit.customerId, visit.id);
  // What is in the way now, not what was when it was asked before.
  const answer = await queries.fetchQuery({ ...question, staleTime: 0 }).catch(() => undefined);
  return answer && !answer.offer && answer.sentence ? answer.sentence : refused;
}

/** Why an offered time can't be had: it was free when it was offered. */
export function offerRefused(error: unknown, fallback: string): string {
  const isTaken = error instanceof ApiError && error.reason === 'SLOT_TAKEN';
  return isTaken ? 'That time was just taken.' : messageOf(error, fallback);
}

function itemsAt({ items }: Appointment, { employeeIds, extraMinutes }: Destination): Item[] {
  return items.map((item, index) => ({
    serviceId: item.serviceId,
    employeeId: employeeIds[index] ?? '',
    preferredEmployeeId: '',
    employeeOnly: false,
    guest: item.guest,
    extraMinutes: extraMinutes[index] ?? item.extraMinutes,
  }));
}
