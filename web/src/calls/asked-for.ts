import { type Draft, newDraft, wish } from '../booking/draft';
import { plain } from '../finding/words';
import { PartOfDay } from '../gen/frontdesk/scheduling/v1/availability_pb';
import type { Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import type { ToolCall } from '../gen/frontdesk/telemetry/v1/call_pb';
import type { Employee } from '../gen/frontdesk/tenancy/v1/employee_pb';
import { isDay } from '../time/local-day';
import { fieldsOf, textOf } from './tool-fields';
import { askedItems } from './tool-words';

/** Tools that are told what the caller wants. */
const ASKING = new Set(['search_availability', 'hold_slot', 'book_appointment']);

const PARTS: Readonly<Record<string, PartOfDay>> = {
  morning: PartOfDay.MORNING,
  afternoon: PartOfDay.AFTERNOON,
  evening: PartOfDay.EVENING,
};

type Known = { services: readonly Service[]; employees: readonly Pick<Employee, 'id' | 'name'>[] };

/** The caller’s last request as the draft of a booking; leaves out what the salon does not offer. */
export function askedFor(tools: readonly ToolCall[], today: string, { services, employees }: Known): Draft {
  const asked = tools.findLast(
    ({ name, arguments: sent }) => ASKING.has(name) && askedItems(fieldsOf(sent)).length > 0,
  );
  const fields = fieldsOf(asked?.arguments ?? '');
  const wishes = askedItems(fields).flatMap((item) => {
    const service = serviceOf(item.service, services);
    if (!service) return [];
    const employee = employeeOf(item.employee, employees);
    return [wish(service.id, employee && service.employeeIds.includes(employee.id) ? employee.id : '')];
  });
  const draft = newDraft(dayOf(fields, asked, today), null, '');
  return {
    ...draft,
    part: PARTS[textOf(fields.part_of_day).toLowerCase()] ?? PartOfDay.UNSPECIFIED,
    guests: wishes.length > 0 ? [wishes] : draft.guests,
  };
}

const same = (one: string, other: string) => plain(one) === plain(other);

function serviceOf(asked: string, services: readonly Service[]): Service | undefined {
  return (
    services.find(({ id }) => id === asked) ??
    services.find(({ name, aliases }) => same(name, asked) || aliases.some((alias) => same(alias, asked)))
  );
}

/** By id, by the whole name, or by the first name if it is one employee's alone. */
function employeeOf(asked: string, employees: Known['employees']) {
  if (!asked) return undefined;
  const exact = employees.find(({ id, name }) => id === asked || same(name, asked));
  const first = employees.filter(({ name }) => same(name.split(' ', 1)[0] ?? '', asked));
  return exact ?? (first.length === 1 ? first[0] : undefined);
}

/** The day that was named as a date, else that of the first time that was offered or chosen; not one that is over. */
function dayOf(fields: ReturnType<typeof fieldsOf>, asked: ToolCall | undefined, today: string): string {
  const { offers } = fieldsOf(asked?.result ?? '');
  const [first] = Array.isArray(offers) ? (offers as { starts_at?: unknown }[]) : [];
  const dates = [textOf(fields.day), textOf(fields.starts_at), textOf(first?.starts_at)].map((text) =>
    text.slice(0, 10),
  );
  return dates.find((date) => isDay(date) && date >= today) ?? today;
}
