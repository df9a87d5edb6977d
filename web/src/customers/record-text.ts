import { LANGUAGE } from '../time/language';

const DAY = new Intl.DateTimeFormat(LANGUAGE, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** "2 Jun 2026" for "2026-06-02". */
export const dayText = (day: string) => DAY.format(new Date(`${day}T00:00Z`));
