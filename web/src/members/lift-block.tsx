import { useQueryClient } from '@tanstack/react-query';
import { useAction } from '../api/action';
import { type Member, MemberService } from '../gen/frontdesk/auth/v1/member_pb';
import { messageOf } from '../http/errors';
import { Button } from '../ui/button';
import { toasts } from '../ui/toasts';
import { showMember } from './queries';

/** Lifts a member's sign-in block after too many wrong passwords. */
export function LiftBlock({ businessId, member }: { businessId: string; member: Member }) {
  const queries = useQueryClient();
  const { act, running } = useAction(MemberService.method.liftBlock, {
    onDone: () => {
      const { blockedUntil, ...unblocked } = member;
      showMember(queries, businessId, unblocked);
      toasts.show('good', `${member.name} can sign in again.`);
    },
    onRefused: (error) => toasts.show('bad', messageOf(error, 'The block could not be lifted.')),
  });
  return (
    <Button
      loading={running}
      onClick={() => act({ businessId, userId: member.userId })}
      aria-label={`Lift block of ${member.name}`}
    >
      Lift block
    </Button>
  );
}
