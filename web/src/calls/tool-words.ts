import type { ToolCall } from '../gen/frontdesk/telemetry/v1/call_pb';
import { listedDayText } from '../time/day-text';
import { isDay } from '../time/local-day';
import { isRunning, toolName } from './timeline';
import { type Fields, fieldsOf, textOf } from './tool-fields';

/** A service that a caller wants, and who shall do it: each an id or a name, the employee possibly empty. */
export type AskedItem = { service: string; employee: string };

/** The services in a tool's arguments, in any of the forms in which agents send them. */
export function askedItems(fields: Fields): AskedItem[] {
  const anyone = textOf(fields.employee_id) || textOf(fields.employee);
  const all = [fields.service, ...(Array.isArray(fields.services) ? fields.services : [fields.services])];
  return all.flatMap((one) => {
    if (typeof one === 'string') return one.trim() ? [{ service: one.trim(), employee: anyone }] : [];
    const item = (typeof one === 'object' && one !== null ? one : {}) as Fields;
    const service = textOf(item.service_id) || textOf(item.service);
    return service
      ? [{ service, employee: textOf(item.employee_id) || textOf(item.employee) || anyone }]
      : [];
  });
}

const ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i;
const ANYONE = /^(any(one|body)?|no preference)$/i;
const LIST = new Intl.ListFormat('en-GB');

/** "on Fri 27 Nov", "on friday", "tomorrow": a date as everywhere else, words as they were said. */
function dayText(day: string): string {
  if (isDay(day)) return `on ${listedDayText(day, day)}`;
  return /^\d|day$/i.test(day) && !/^(to|yester)day$/i.test(day) ? `on ${day}` : day;
}

/** "Haircut with Ana, in the afternoon, on Friday": what of the wishes is in words. */
function wishText(fields: Fields): string {
  const items = askedItems(fields);
  const named = (text: string) => text !== '' && !ID.test(text);
  const services = LIST.format(items.map(({ service }) => service).filter(named));
  const employees = [...new Set(items.map(({ employee }) => employee))].filter(
    (employee) => named(employee) && !ANYONE.test(employee),
  );
  const [day, part] = [textOf(fields.day), textOf(fields.part_of_day)];
  return [
    services + (employees.length > 0 ? ` with ${LIST.format(employees)}` : ''),
    part && `in the ${part}`,
    day && dayText(day),
  ]
    .filter(Boolean)
    .join(', ');
}

/** What the agent's own tools do: while they run, and afterwards. */
const VERBS: Readonly<Record<string, readonly [now: string, then: string]>> = {
  find_customer: ['Looks up the caller', 'Looked up the caller'],
  create_customer: ['Adds a customer', 'Added a customer'],
  list_services: ['Looks up the services', 'Looked up the services'],
  search_availability: ['Looks for free times', 'Looked for free times'],
  hold_slot: ['Keeps a time free', 'Kept a time free'],
  book_appointment: ['Books the visit', 'Booked the visit'],
  find_appointments: ['Looks up the caller’s visits', 'Looked up the caller’s visits'],
  move_appointment: ['Moves a visit', 'Asked to move a visit'],
  cancel_appointment: ['Cancels a visit', 'Asked to cancel a visit'],
  join_waitlist: ['Puts the caller on the waitlist', 'Put the caller on the waitlist'],
  opening_hours: ['Looks up the opening hours', 'Looked up the opening hours'],
  take_message: ['Takes a message', 'Took a message'],
  transfer_call: ['Puts the caller through', 'Put the caller through'],
};

/** What the agent does or did, in words, with what the caller wants. */
export function doneText(tool: ToolCall): string {
  const fields = fieldsOf(tool.arguments);
  const what = tool.name === 'create_customer' ? textOf(fields.name) : wishText(fields);
  const [now, then] = VERBS[tool.name] ?? [toolName(tool.name), toolName(tool.name)];
  const verb = isRunning(tool) ? now : then;
  return what ? `${verb}: ${what}` : verb;
}

/** What the agent was answered, as it says it to the caller; empty while it waits, or where it is not in words. */
export function answerText(tool: ToolCall): string {
  if (isRunning(tool)) return 'No answer yet';
  const { say, reason } = fieldsOf(tool.result);
  return textOf(say) || (tool.ok ? '' : textOf(reason) || 'It did not work.');
}

/** Faults of ours; every other refusal is an answer that the caller was given. */
const FAULTS = ['UNAVAILABLE', 'BUSY', 'INTERNAL'];

/** Whether it failed by a fault of ours. */
export function hasFailed(tool: ToolCall): boolean {
  return !tool.ok && FAULTS.includes(textOf(fieldsOf(tool.result).reason));
}
