/** "customer_note" and "UpdateItem" in words: "Customer note", "Update item". */
export function plain(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What fields are called where their names are not the word that the screens have. */
const WORDS: Readonly<Record<string, string>> = {
  account_id: 'Member',
  action: 'Action',
  appointment_id: 'Visit',
  brand_color: 'Colour',
  buffer_after_minutes: 'Time kept free afterwards',
  buffer_before_minutes: 'Time kept free before',
  call_id: 'Phone call',
  cancellation_minutes: 'Cancelling is late from',
  collection: 'Address of the calendar',
  connection_id: 'Booking system',
  done_at: 'Done',
  due_at: 'Due',
  effective_from: 'Applies from',
  employees_see_all_contacts: 'Employees see all contacts',
  ending_since: 'Disconnecting since',
  ends_at: 'Ends',
  external_id: 'Id there',
  first_date: 'First day',
  first_id: 'First',
  from_minute: 'From',
  from_minutes: 'From',
  gone: 'Gone there',
  horizon_days: 'Bookable ahead',
  increment_minutes: 'Visits start every',
  is_active: 'Active',
  last_date: 'Last day',
  last_day: 'Last day',
  late_cancellation: 'Cancelled late',
  lead_minutes: 'Least notice',
  least_gap_minutes: 'Least time between',
  least_hours: 'At least before',
  line_count: 'Lines',
  logo_digest: 'Logo',
  low_stock_at: 'Low at',
  mapped_id: 'Mapped to',
  marketing_consent: 'Agrees to advertising',
  merged_id: 'Merged record',
  merged_into: 'Part of',
  most_days: 'At most before',
  most_gap_minutes: 'Most time between',
  moved_ids: 'Moved with it',
  only_wished: 'Only with that stylist',
  password_changed_at: 'Password changed',
  platform_agent: 'Agent at the platform',
  segment_minutes: 'Own lengths of steps',
  service_employee: 'Who does it',
  service_segment: 'Steps',
  sku: 'SKU',
  starts_at: 'Starts',
  suggested_id: 'Suggested with it',
  survivor_id: 'Kept record',
  tax_basis_points: 'Tax',
  then_id: 'Then',
  time_zone: 'Time zone',
  to_minute: 'To',
  to_minutes: 'To',
  token_changed_at: 'Token changed',
  unblocked_at: 'Freed',
  undone_at: 'Undone',
  user_id: 'Account',
  valid_until: 'Valid until',
  visit_id: 'Visit',
  weekly_schedule: 'Hours of the week',
  wished_id: 'Wished stylist',
};

/** Endings that say how a value is written, not what it is. */
const ENDINGS = /_(minor|minutes|basis_points|ids?|at)$/;

/** What a field is called on screens: "employee_ids" is "Employee". */
export const fieldText = (field: string) => WORDS[field] ?? plain(field.replace(ENDINGS, ''));
