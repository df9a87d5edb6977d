import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { intend, useAction } from '../api/action';
import { methodKey } from '../api/query';
import { readTeamAgain } from '../business/read-team-again';
import { takingBack } from '../business/taking-back';
import type { Member } from '../gen/frontdesk/auth/v1/member_pb';
import { type Employee, EmployeeService } from '../gen/frontdesk/tenancy/v1/employee_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { allMembersQuery } from '../members/queries';
import { ConfirmDialog } from '../ui/dialog';
import { Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { undos } from '../ui/undos';
import { canBeLinked } from './link-member-dialog';

type UnlinkAccountDialogProps = {
  businessId: string;
  /** As last read. */
  employee: Employee;
  /** Their last day is over. */
  isFormer: boolean;
  onClose: () => void;
};

/** Takes a wrong account from an employee, and offers to link it again. */
export function UnlinkAccountDialog({ businessId, employee, isFormer, onClose }: UnlinkAccountDialogProps) {
  const { id: employeeId, name, version } = employee;
  // The account the dialog is about: the employee is read again while it is open.
  const [userId] = useState(employee.userId);
  const queries = useQueryClient();
  const members = useQuery(allMembersQuery(businessId)).data;
  const member = members?.find((one) => one.userId === userId);
  const obstacle = members && obstacleTo(member);
  const readAgain = () => {
    void queries.invalidateQueries({ queryKey: [methodKey(EmployeeService.method.listEmployees)] });
    readTeamAgain();
  };
  const linkAgain = ({ name, lastDay, version }: Employee) =>
    takingBack(
      (key) =>
        intend(
          EmployeeService.method.updateEmployee,
          { businessId, employeeId, name, lastDay, version, userId },
          key,
        ),
      `${name} has the account again.`,
      readAgain,
      (error) => (fieldErrorsOf(error).user_id ? 'This account can’t be linked any more.' : undefined),
    );
  const unlink = useAction(EmployeeService.method.unlinkEmployeeAccount, {
    onDone: ({ employee: now }) => {
      readAgain();
      const undo = now && !obstacle ? undos.push(linkAgain(now)) : undefined;
      toasts.show('good', `Unlinked the account of ${name}.`, undo);
      onClose();
    },
    // The employee may have changed: the next attempt is about what is there now.
    onRefused: readAgain,
  });
  const isOver = !unlink.running && employee.userId !== userId;
  const closeOver = useEffectEvent(() => {
    toasts.show(
      'info',
      employee.userId ? `${name} has another account now.` : `The account of ${name} is already unlinked.`,
    );
    onClose();
  });
  useEffect(() => {
    if (isOver) closeOver();
  }, [isOver]);
  return (
    <ConfirmDialog
      title={`Unlink the account of ${name}?`}
      confirm="Unlink account"
      keep="Keep it linked"
      running={unlink.running}
      refused={unlink.error && messageOf(unlink.error, 'The account could not be unlinked.')}
      onConfirm={() => unlink.act({ businessId, employeeId, version })}
      onClose={onClose}
    >
      <Text>
        {obstacle
          ? `${obstacle}, so it can’t be linked to ${name} again.`
          : `${member ? `${member.name} (${member.email})` : 'The person with this account'} no longer has ${name}’s day as their own. They stay a member with the same role.`}{' '}
        If calendar apps subscribe to {name}’s day, that link stops working
        {obstacle ? '.' : ', even if you undo this.'}
        {!isFormer && ` You can then invite ${name}, or link another member.`}
      </Text>
    </ConfirmDialog>
  );
}

/** Why the account could not be linked again. */
function obstacleTo(member: Member | undefined): string | undefined {
  if (!member) return 'The person with this account is no longer a member';
  if (member.disabled) return 'This account is disabled';
  return canBeLinked(member) ? undefined : 'This account belongs to a guest';
}
