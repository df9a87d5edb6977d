import { Box, chakra } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import { Check, ChevronDown } from 'lucide-react';
import { useRef, useState } from 'react';
import { intend, useAction } from '../api/action';
import type { RpcKey } from '../api/query';
import { membershipsQuery } from '../business/queries';
import { takingBack } from '../business/taking-back';
import { MemberService } from '../gen/frontdesk/auth/v1/member_pb';
import { ApiError, messageOf } from '../http/errors';
import { session } from '../session/current';
import { normaliseRole, passes, roleName } from '../session/roles';
import { ConfirmDialog } from '../ui/dialog';
import { Menu, MenuChoice, MenuChoices } from '../ui/menu';
import { Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { undos } from '../ui/undos';
import type { MemberProps } from './member-props';
import { memberPages, showMember } from './queries';
import { MEANINGS, MEMBER_ROLES } from './role-meanings';

/** The role of a member, and a menu to change it. */
export function RoleMenu(props: MemberProps) {
  const { member, self, business } = props;
  const [givingUp, setGivingUp] = useState('');
  const change = useRoleChange(props);
  const choose = (role: string) => {
    if (role === normaliseRole(member.role)) return;
    // Lowering one's own role asks first.
    if (self && !passes(role, member.role)) setGivingUp(role);
    else change.to(role);
  };
  return (
    <>
      <Menu
        label={`Role of ${member.name}: ${roleName(member.role)}`}
        align="end"
        triggerProps={{
          disabled: change.running,
          border: '1px solid',
          borderColor: 'line.strong',
          px: '3',
          minWidth: '8.25rem',
          justifyContent: 'space-between',
        }}
        trigger={
          <>
            <chakra.span fontSize="0.9375rem" fontWeight="550">
              {roleName(member.role)}
            </chakra.span>
            <ChevronDown size={16} aria-hidden />
          </>
        }
      >
        <MenuChoices value={normaliseRole(member.role)} onPick={choose}>
          {MEMBER_ROLES.map((role) => (
            <MenuChoice key={role} value={role}>
              <Box flex="1">
                <chakra.span display="block">{roleName(role)}</chakra.span>
                <chakra.span display="block" fontSize="0.8125rem" fontWeight="400" color="fg.muted">
                  {MEANINGS[role]}
                </chakra.span>
              </Box>
              {role === normaliseRole(member.role) && <Check size={18} aria-hidden />}
            </MenuChoice>
          ))}
        </MenuChoices>
      </Menu>
      {givingUp && (
        <ConfirmDialog
          title={`Become ${roleName(givingUp).toLowerCase()}?`}
          confirm={`Become ${roleName(givingUp).toLowerCase()}`}
          keep={`Stay ${roleName(member.role).toLowerCase()}`}
          running={false}
          onConfirm={() => {
            setGivingUp('');
            change.to(givingUp);
          }}
          onClose={() => setGivingUp('')}
        >
          <Text>
            You give up part of what you may do at {business}, this page included. Only another owner can give
            it back.
          </Text>
        </ConfirmDialog>
      )}
    </>
  );
}

/** Another person's change in between, in the server's words: they say which role it is now. */
const changedSince = (error: unknown) =>
  error instanceof ApiError && error.reason === 'STALE' ? error.message : undefined;

/** Shows the new role at once, reverts it when it is refused, and offers an undo. */
function useRoleChange({ businessId, member, self }: MemberProps) {
  const queries = useQueryClient();
  /** As the member was before the change that runs. */
  const before = useRef(member);
  const askAgain = (...keys: RpcKey[]) => {
    for (const queryKey of keys) void queries.invalidateQueries({ queryKey });
  };
  const failed = (error: unknown) => {
    toasts.show('bad', changedSince(error) ?? messageOf(error, 'The role could not be changed.'));
    askAgain(memberPages(businessId).queryKey);
  };
  const takeBack = (was: MemberProps['member'], given: string) =>
    takingBack(
      (key) =>
        intend(
          MemberService.method.setMemberRole,
          { businessId, userId: was.userId, role: was.role, expectedRole: given },
          key,
        ),
      `${was.name} is ${roleName(was.role).toLowerCase()} again.`,
      () => askAgain(memberPages(businessId).queryKey),
      changedSince,
    );
  const { act, running } = useAction(MemberService.method.setMemberRole, {
    onDone: (_, { role = '' }) => {
      const was = before.current;
      if (self) {
        session.renew().catch(() => undefined);
        return askAgain(membershipsQuery().queryKey, memberPages(businessId).queryKey);
      }
      toasts.show(
        'good',
        `${was.name} is now ${roleName(role).toLowerCase()}.`,
        undos.push(takeBack(was, role)),
      );
    },
    onRefused: (error) => {
      showMember(queries, businessId, before.current);
      failed(error);
    },
  });
  return {
    running,
    to: (role: string) => {
      before.current = member;
      showMember(queries, businessId, { ...member, role });
      act({ businessId, userId: member.userId, role, expectedRole: normaliseRole(member.role) });
    },
  };
}
