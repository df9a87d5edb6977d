import { useQueryClient } from '@tanstack/react-query';
import { Ellipsis, UserCheck, UserMinus, UserX } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action';
import { AccountAdminService } from '../gen/frontdesk/auth/v1/member_pb';
import { messageOf } from '../http/errors';
import { ConfirmDialog } from '../ui/dialog';
import { Menu, MenuItem } from '../ui/menu';
import { Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import type { MemberProps } from './member-props';
import { showMember } from './queries';
import { RemoveDialog } from './remove-dialog';

type Asking = 'remove' | 'disable' | null;

/** What else can be done with a member. An administrator may also shut the account out of everything. */
export function MemberMenu({ byAdmin, ...props }: MemberProps & { byAdmin: boolean }) {
  const { member, self } = props;
  const [asking, setAsking] = useState<Asking>(null);
  const enable = useEnable(props);
  return (
    <>
      <Menu label={`More about ${member.name}`} align="end" trigger={<Ellipsis size={20} aria-hidden />}>
        <MenuItem value="remove" onPick={() => setAsking('remove')}>
          <UserMinus size={18} aria-hidden />
          {self ? 'Leave this business' : 'Remove from this business'}
        </MenuItem>
        {byAdmin && !self && member.disabled && (
          <MenuItem value="enable" onPick={enable}>
            <UserCheck size={18} aria-hidden />
            Enable account
          </MenuItem>
        )}
        {byAdmin && !self && !member.disabled && (
          <MenuItem value="disable" onPick={() => setAsking('disable')}>
            <UserX size={18} aria-hidden />
            Disable account
          </MenuItem>
        )}
      </Menu>
      {asking === 'remove' && <RemoveDialog {...props} onClose={() => setAsking(null)} />}
      {asking === 'disable' && <DisableDialog {...props} onClose={() => setAsking(null)} />}
    </>
  );
}

type DialogProps = MemberProps & { onClose: () => void };

function DisableDialog({ businessId, member, onClose }: DialogProps) {
  const queries = useQueryClient();
  const { act, running, error } = useAction(AccountAdminService.method.disableAccount, {
    onDone: () => {
      showMember(queries, businessId, { ...member, disabled: true });
      toasts.show('good', `The account of ${member.name} is disabled.`);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Disable the account of ${member.name}?`}
      confirm="Disable account"
      keep="Keep it"
      refused={error && messageOf(error, 'The account could not be disabled.')}
      running={running}
      onConfirm={() => act({ userId: member.userId })}
      onClose={onClose}
    >
      <Text>
        Every session of {member.name} ends within a second, in all businesses. The account can’t sign in
        until it is enabled again.
      </Text>
    </ConfirmDialog>
  );
}

function useEnable({ businessId, member }: MemberProps): () => void {
  const queries = useQueryClient();
  const { act } = useAction(AccountAdminService.method.enableAccount, {
    onDone: () => {
      showMember(queries, businessId, { ...member, disabled: false });
      toasts.show('good', `${member.name} can sign in again.`);
    },
    onRefused: (error) => toasts.show('bad', messageOf(error, 'The account could not be enabled.')),
  });
  return () => act({ userId: member.userId });
}
