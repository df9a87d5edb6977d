import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../api/action';
import { employeesQuery, formerEmployeesQuery } from '../business/queries';
import { readTeamAgain } from '../business/read-team-again';
import type { Member } from '../gen/frontdesk/auth/v1/member_pb';
import { type Employee, EmployeeService } from '../gen/frontdesk/tenancy/v1/employee_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { allMembersQuery } from '../members/queries';
import { rankOf, roleName } from '../session/roles';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { SelectField } from '../ui/select-field';
import { Refusal } from '../ui/states';
import { Text } from '../ui/text';
import { toasts } from '../ui/toasts';

/** Whose account can be an employee's: the server links no guest's and no disabled one. */
export function canBeLinked({ role, disabled }: Pick<Member, 'role' | 'disabled'>): boolean {
  return !disabled && rankOf(role) >= rankOf('EMPLOYEE');
}

/** Members who may serve customers and are no employee yet; undefined until it is known who that is. */
export function useFreeMembers(businessId: string, enabled: boolean) {
  const members = useQuery({ ...allMembersQuery(businessId), enabled }).data;
  const here = useQuery(employeesQuery(businessId)).data?.employees;
  const former = useQuery(formerEmployeesQuery(businessId)).data?.employees;
  if (!members || !here || !former) return undefined;
  const taken = new Set([...here, ...former].map(({ userId }) => userId));
  return members.filter((member) => canBeLinked(member) && !taken.has(member.userId));
}

type LinkMemberDialogProps = { businessId: string; employee: Employee; onClose: () => void };

/** Says which member an employee is, so that they see their own day with the account they have. */
export function LinkMemberDialog({ businessId, employee, onClose }: LinkMemberDialogProps) {
  const queries = useQueryClient();
  const members = useFreeMembers(businessId, true) ?? [];
  const [chosen, setChosen] = useState('');
  const { id: employeeId, name, lastDay, version } = employee;
  const member = members.find(({ userId }) => userId === chosen);
  const readAgain = () => {
    void queries.invalidateQueries({ queryKey: employeesQuery(businessId).queryKey });
    void queries.invalidateQueries({ queryKey: allMembersQuery(businessId).queryKey });
    readTeamAgain();
  };
  const link = useAction(EmployeeService.method.updateEmployee, {
    onDone: () => {
      readAgain();
      toasts.show('good', `${name} signs in as ${member?.email} and sees their own day.`);
      onClose();
    },
    // The employee may have changed: the next attempt is about what is there now.
    onRefused: readAgain,
  });
  const save = () => link.act({ businessId, employeeId, name, lastDay, version, userId: chosen });
  return (
    <FormDialog title={`Who is ${name}?`} busy={link.running} onSubmit={save} onClose={onClose}>
      <Text>
        They keep the account and the role they have. With it they see their own day and ask for time off.
      </Text>
      <SelectField label="Member" required value={chosen} onChange={({ target }) => setChosen(target.value)}>
        <option value="">Choose a member</option>
        {members.map(({ userId, name, email, role }) => (
          <option key={userId} value={userId}>
            {name}, {email} ({roleName(role)})
          </option>
        ))}
      </SelectField>
      <Refusal>{link.error && reasonOf(link.error)}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={link.running} minHeight="12">
          Cancel
        </Button>
        <Button type="submit" variant="contained" loading={link.running} disabled={!member}>
          Link the account
        </Button>
      </DialogActions>
    </FormDialog>
  );
}

/** A member may be removed, disabled or made a guest while the dialog is open. */
function reasonOf(error: Error): string {
  if (fieldErrorsOf(error).user_id) return 'This account can’t be linked any more. Choose another one.';
  return messageOf(error, 'The account could not be linked.');
}
