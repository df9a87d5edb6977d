import { useQuery, useQueryClient } from '@tanstack/react-query';
import { intend, useAction } from '../api/action';
import { methodKey } from '../api/query';
import { readTeamAgain } from '../business/read-team-again';
import { takingBack } from '../business/taking-back';
import { type Employee, EmployeeService } from '../gen/frontdesk/tenancy/v1/employee_pb';
import { messageOf } from '../http/errors';
import { allMembersQuery } from '../members/queries';
import { ConfirmDialog } from '../ui/dialog';
import { Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { undos } from '../ui/undos';

type UnlinkAccountDialogProps = { businessId: string; employee: Employee; onClose: () => void };

/** Takes a wrong account from an employee, and offers to link it again. */
export function UnlinkAccountDialog({ businessId, employee, onClose }: UnlinkAccountDialogProps) {
  const { id: employeeId, name, userId, version } = employee;
  const queries = useQueryClient();
  const members = useQuery(allMembersQuery(businessId)).data;
  const member = members?.find((one) => one.userId === userId);
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
    );
  const unlink = useAction(EmployeeService.method.unlinkEmployeeAccount, {
    onDone: ({ employee: now }) => {
      readAgain();
      const undo = now && undos.push(linkAgain(now));
      toasts.show('good', `Unlinked the account of ${name}.`, undo);
      onClose();
    },
    // The employee may have changed: the next attempt is about what is there now.
    onRefused: readAgain,
  });
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
        {member ? `${member.name} (${member.email})` : 'Whoever signs in with it'} no longer sees the day of{' '}
        {name}, but stays a member with the same role. An address under which calendars read that day is
        revoked. You can then invite {name}, or link another member.
      </Text>
    </ConfirmDialog>
  );
}
