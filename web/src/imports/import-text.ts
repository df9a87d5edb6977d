import { type Import, ImportState } from '../gen/frontdesk/tenancy/v1/import_pb';
import type { ImportWords } from './import-words';

const SERVICES: Readonly<Record<string, string>> = {
  auth: 'the service that invites',
  'calendar-sync': 'the service that connects calendars',
  scheduling: 'the service that books',
};

/** As the server calls it. */
const NEXT_TRY = 'next-try';

/** "3 items", or "3 lines" where a record may take several. */
export function countedText(count: number, { one, many, severalLines }: ImportWords): string {
  const [single, several] = severalLines ? ['line', 'lines'] : [one, many];
  return `${count.toLocaleString()} ${count === 1 ? single : several}`;
}

/** Where an import stands, as a sentence. */
export function standing(shown: Import, words: ImportWords): string {
  const { state, lineCount, checkedCount, badCount, importedCount, failedCount } = shown;
  const good = lineCount - badCount;
  switch (state) {
    case ImportState.CHECKING:
      return `Checking the lines: ${checkedCount.toLocaleString()} of ${lineCount.toLocaleString()}`;
    case ImportState.CHECKED:
      return badCount === 0
        ? `${countedText(good, words)} can be imported.`
        : `${countedText(good, words)} can be imported, ${badCount.toLocaleString()} of ${lineCount.toLocaleString()} lines can’t.`;
    case ImportState.IMPORTING:
      return `Importing: ${importedCount.toLocaleString()} of ${good.toLocaleString()}`;
    case ImportState.DONE:
      return [
        failedCount === 0
          ? `Imported ${countedText(importedCount, words)}.`
          : `Imported ${countedText(importedCount, words)}; ${failedCount.toLocaleString()} could not be.`,
        badCount > 0 && `${leftOutText(badCount, lineCount)} left out.`,
      ]
        .filter(Boolean)
        .join(' ');
    case ImportState.CANCELLED:
      return importedCount > 0
        ? `Cancelled after ${countedText(importedCount, words)}, which stay.`
        : 'Cancelled. Nothing was imported.';
    case ImportState.EXPIRED:
      return 'Not started within a day, so its lines were deleted. Choose the table again to check it again.';
    default:
      return 'The table was not sent to its end.';
  }
}

/** "5 of 7 lines were", "1 of 7 lines was". */
const leftOutText = (bad: number, lines: number) =>
  `${bad.toLocaleString()} of ${lines.toLocaleString()} lines ${bad === 1 ? 'was' : 'were'}`;

/** What an import waits for, as a sentence. */
export function waitingText({ waitingFor }: Import): string | undefined {
  if (!waitingFor) return undefined;
  if (waitingFor === NEXT_TRY)
    return 'The last try failed, and nothing of it was kept. It is tried again by itself within half a minute.';
  return `Waiting for ${SERVICES[waitingFor] ?? waitingFor}, which does not answer. It goes on by itself.`;
}

/** How far it is: 0 to 1. */
export function shareOf({
  state,
  lineCount,
  checkedCount,
  badCount,
  importedCount,
  failedCount,
}: Import): number {
  if (state === ImportState.CHECKING) return lineCount === 0 ? 0 : checkedCount / lineCount;
  const good = lineCount - badCount;
  return good === 0 ? 0 : (importedCount + failedCount) / good;
}

/** With whose account an employee is linked, or will be; empty for no one’s. */
export const linkText = (member: string, done: boolean) =>
  member && `${done ? 'Linked' : 'Will be linked'} to ${member}’s account`;

/** "low_stock" as people write it. */
export const columnText = (column: string) => column.replaceAll('_', ' ');

/** Columns that people write otherwise. */
const WRITTEN: Readonly<Record<string, string>> = { sku: 'SKU', email: 'E-mail' };

/** "Low stock" or "SKU", as a heading or at the beginning of a sentence. */
export function fieldText(column: string): string {
  const text = columnText(column);
  return WRITTEN[text] ?? text.charAt(0).toUpperCase() + text.slice(1);
}

/** What a column of a table is called, by its place where nothing stands above it. */
export const headingText = (heading: string, at: number) => heading.trim() || `Column ${at + 1}`;
