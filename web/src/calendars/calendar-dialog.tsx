import { useQueryClient } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { SelectField } from '../ui/select-field';
import { Refusal } from '../ui/states';
import { Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { calendarsQuery } from './queries';

type CalendarDialogProps = {
  title: string;
  about: ReactNode;
  /** What the button says; without it there is nothing to submit. */
  action: string | undefined;
  busy: boolean;
  refusal: string | undefined;
  onSubmit: () => Promise<void>;
  onClose: () => void;
  children: ReactNode;
};

/** A form that connects a calendar, or changes how it is reached. */
export function CalendarDialog({
  title,
  about,
  action,
  busy,
  refusal,
  onSubmit,
  onClose,
  children,
}: CalendarDialogProps) {
  return (
    <FormDialog title={title} busy={busy} onSubmit={() => void onSubmit()} onClose={onClose}>
      <Text>{about}</Text>
      {children}
      <Refusal>{refusal}</Refusal>
      <DialogActions>
        <Button onClick={onClose} disabled={busy} minHeight="12">
          Cancel
        </Button>
        {action && (
          <Button type="submit" variant="contained" loading={busy}>
            {action}
          </Button>
        )}
      </DialogActions>
    </FormDialog>
  );
}

/** Whose calendar can be connected. */
export type Person = { id: string; name: string };

type EmployeeFieldProps = Omit<ComponentProps<typeof SelectField>, 'label' | 'children'> & {
  people: readonly Person[];
};

/** Whose calendar it is. */
export const EmployeeField = ({ people, ...props }: EmployeeFieldProps) => (
  <SelectField label="Employee" {...props}>
    {people.map(({ id, name }) => (
      <option key={id} value={id}>
        {name}
      </option>
    ))}
  </SelectField>
);

/** Ends a dialog whose calendar is being read now: says so, and has the list read again. */
export function useCalendarRead(businessId: string, onClose: () => void) {
  const queries = useQueryClient();
  return (outcome: string) => {
    void queries.invalidateQueries({ queryKey: calendarsQuery(businessId).queryKey });
    toasts.show('good', `${outcome} It is being read now.`);
    onClose();
  };
}
