import { zodResolver } from '@hookform/resolvers/zod';
import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { useSending } from '../api/action';
import { MemberService } from '../gen/frontdesk/auth/v1/member_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { roleName } from '../session/roles';
import { useKeptForm } from '../session/use-draft';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { TextField } from '../ui/field';
import { SelectField } from '../ui/select-field';
import { Refusal } from '../ui/states';
import { Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { invitationPages } from './queries';
import { EMPLOYEE_ROLES, MEANINGS, MEMBER_ROLES } from './role-meanings';

const fields = z.object({
  email: z.string().check(z.trim(), z.regex(/^\S+@\S+$/, 'Enter an e-mail address.')),
  role: z.enum(MEMBER_ROLES),
});

type InviteDialogProps = {
  businessId: string;
  business: string;
  /** The employee who is to sign in with the account that accepts it. */
  employee?: { id: string; name: string };
  /** Where the person may be a member already: lets them be chosen instead. */
  onMember?: (() => void) | undefined;
  onClose: () => void;
};

/** Invites a member by e-mail. */
export function InviteDialog({ businessId, business, employee, onMember, onClose }: InviteDialogProps) {
  const queries = useQueryClient();
  const send = useSending(MemberService.method.invite);
  const form = useForm({
    resolver: zodResolver(fields),
    defaultValues: { email: '', role: 'EMPLOYEE' as (typeof MEMBER_ROLES)[number] },
  });
  useKeptForm(employee ? `invitation of ${employee.id}` : 'invitation', form);
  const { errors, isSubmitting } = form.formState;
  const roles = employee ? EMPLOYEE_ROLES : MEMBER_ROLES;

  const invite = form.handleSubmit(async (input) => {
    try {
      await send({ businessId, ...input, employeeId: employee?.id ?? '' });
      void queries.invalidateQueries({ queryKey: invitationPages(businessId).queryKey });
      toasts.show('good', `Invitation sent to ${input.email}.`);
      onClose();
    } catch (error) {
      const { email, role } = fieldErrorsOf(error);
      if (email) form.setError('email', { message: email }, { shouldFocus: true });
      else if (role) form.setError('role', { message: role }, { shouldFocus: true });
      else form.setError('root', { message: messageOf(error, 'The invitation could not be sent.') });
    }
  });

  return (
    <FormDialog
      title={employee ? `Invite ${employee.name}` : 'Invite member'}
      busy={isSubmitting}
      onSubmit={() => void invite()}
      onClose={onClose}
    >
      <Text>
        We mail them a link to join {business}. It works for seven days.
        {employee && ` ${employee.name} then signs in with the account that accepts it.`}
      </Text>
      <TextField
        label="E-mail"
        type="email"
        autoComplete="off"
        inputMode="email"
        autoCapitalize="none"
        spellCheck={false}
        error={errors.email?.message}
        {...form.register('email')}
      />
      <SelectField
        label="Role"
        hint={MEANINGS[form.watch('role')]}
        error={errors.role?.message}
        {...form.register('role')}
      >
        {roles.map((role) => (
          <option key={role} value={role}>
            {roleName(role)}
          </option>
        ))}
      </SelectField>
      <Refusal>{errors.root?.message}</Refusal>
      {onMember && (
        <Button variant="quiet" alignSelf="flex-start" onClick={onMember} disabled={isSubmitting}>
          Choose a member instead
        </Button>
      )}
      <DialogActions>
        <Button onClick={onClose} disabled={isSubmitting} minHeight="12">
          Cancel
        </Button>
        <Button type="submit" variant="contained" loading={isSubmitting}>
          Send invitation
        </Button>
      </DialogActions>
    </FormDialog>
  );
}
