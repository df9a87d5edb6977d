import { useUnderWay } from '../api/action';
import { FollowUpService } from '../gen/frontdesk/tenancy/v1/follow_up_pb';

/**
 * Which follow-ups are being completed: a list that is read meanwhile still has them, and shows them no more than
 * before.
 */
export function useCompleting(): (followUp: { id: string }) => boolean {
  const underWay = useUnderWay(FollowUpService.method.completeFollowUp);
  const ids = new Set(underWay.map(({ followUpId }) => followUpId));
  return ({ id }) => ids.has(id);
}
