import { useQuery } from '@tanstack/react-query';
import { employeesQuery } from '../business/queries';
import type { WeeklySchedule } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { messageOf } from '../http/errors';
import { staffSchedulesQuery } from '../schedule/queries';
import { sinceText } from '../time/day-text';
import { dayAfter } from '../time/local';
import { SelectField } from '../ui/select-field';
import { inOrder } from './hours';
import type { Scheduled } from './use-employee-hours';

/** Weeks that count from later on are not there to copy. */
const YEAR = 365;

type CopyFromProps = {
  businessId: string;
  today: string;
  own: Scheduled;
  onCopy: (week: WeeklySchedule) => void;
};

/** Another week to begin with: of this employee from another date, or of a colleague. */
export function CopyFrom({ businessId, today, own, onCopy }: CopyFromProps) {
  const staff = useQuery(staffSchedulesQuery(businessId, today, dayAfter(today, YEAR)));
  const employees = useQuery(employeesQuery(businessId)).data?.employees ?? [];
  const others = employees
    .filter(({ id }) => id !== own.id)
    .map(({ id, name }) => ({
      id,
      name,
      weeks: staff.data?.find(({ employeeId }) => employeeId === id)?.schedules ?? [],
    }));
  const groups: Scheduled[] = [own, ...others].filter(({ weeks }) => weeks.length > 0);
  const pick = (value: string) => {
    const [id, since = ''] = value.split('/');
    const group = groups.find((one) => one.id === id);
    const week = group?.weeks.find(({ effectiveFrom }) => effectiveFrom === since);
    if (week) onCopy(week);
  };
  return (
    <SelectField
      label="Copy hours of"
      value=""
      error={staff.error ? `Others’ weeks can’t be read. ${messageOf(staff.error)}` : undefined}
      onChange={({ currentTarget: { value } }) => pick(value)}
    >
      <option value="">{staff.data || staff.error ? 'Choose a week…' : 'Loading…'}</option>
      {groups.map(({ id, name, weeks }) => (
        <optgroup key={id} label={name}>
          {inOrder(weeks).map(({ effectiveFrom }) => (
            <option key={effectiveFrom} value={`${id}/${effectiveFrom}`}>
              {name}, {sinceText(effectiveFrom)}
            </option>
          ))}
        </optgroup>
      ))}
    </SelectField>
  );
}
