import type { Person } from '../day/columns';
import { SelectField } from '../ui/select-field';

type WhoseDayProps = {
  /** Undefined while it is not known who works here. */
  employees: readonly Person[] | undefined;
  employeeId: string;
  /** Where there is little room. */
  short?: boolean;
  onEmployee: (employeeId: string) => void;
};

/** The day of everyone, or one employee's week. */
export function WhoseDay({ employees, employeeId, short = false, onEmployee }: WhoseDayProps) {
  return (
    <SelectField
      label="Show"
      silent
      look="tool"
      maxWidth="15rem"
      value={employeeId}
      onChange={(event) => onEmployee(event.currentTarget.value)}
    >
      <option value="">{short ? 'Everyone' : 'Everyone, one day'}</option>
      {employees?.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}, the week
        </option>
      ))}
    </SelectField>
  );
}
