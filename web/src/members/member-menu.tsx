import { useQueryClient } from '@tanstack/react-query';
import { Ellipsis, UserCheck, UserMinus, UserX } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useAction } from '../api/action';
import { membershipsQuery } from '../business/queries';
import { AccountAdminService, MemberService } from '../gen/frontdesk/auth/v1/member_pb';
import { messageOf } from '../http/errors';
import { paths } from '../paths';
import { session } from '../session/current';
import { ConfirmDialog } from '../ui/dialog';
import { Menu, MenuItem } from '../ui/menu';
import { Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import type { MemberProps } from './member-props';
import { memberPages, showMember } from './queries';

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

function RemoveDialog({ businessId, business, member, self, onClose }: DialogProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { act, running, error } = useAction(MemberService.method.removeMember, {
    onDone: () => {
      onClose();
      if (self) {
        session.renew().catch(() => undefined);
        void queries.invalidateQueries({ queryKey: membershipsQuery().queryKey });
        navigate(paths.myBusinesses);
      } else {
        void queries.invalidateQueries({ queryKey: memberPages(businessId).queryKey });
      }
      toasts.show('good', self ? `You have left ${business}.` : `${member.name} is no longer a member.`);
    },
  });
  return (
    <ConfirmDialog
      title={self ? `Leave ${business}?` : `Remove ${member.name}?`}
      confirm={self ? 'Leave' : 'Remove'}
      keep={self ? 'Stay' : 'Keep'}
      refused={error && messageOf(error, 'The member could not be removed.')}
      running={running}
      onConfirm={() => act({ businessId, userId: member.userId })}
      onClose={onClose}
    >
      <Text>
        {self
          ? 'You lose your access at once. To come back you need an invitation.'
          : `${member.name} loses access to ${business} within a second. The account itself stays. To let them back in, invite them again.`}
      </Text>
      {!self && (
        <Text mt="3">
          Calendars of theirs stay connected, and still get their appointments with customers’ names. If{' '}
          {member.name} no longer works here, disconnect these as well.
        </Text>
      )}
    </ConfirmDialog>
  );
}

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
