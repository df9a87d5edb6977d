import type { HealthParts } from './health';

/** What each part of a business's health is about. */
export const PART_NAMES: Readonly<Record<keyof HealthParts, string>> = {
  setups: 'How far businesses are set up',
  owners: 'Who owns businesses',
  bookings: 'Visits',
  calls: 'Calls',
  calendars: 'Calendars',
};
