import { readOn } from '../api/read-on';
import { type ImportLine, type ImportLineState, ImportService } from '../gen/frontdesk/tenancy/v1/import_pb';
import { csvOf } from '../ui/csv';
import { saveTable } from '../ui/save-file';
import { columnText } from './import-text';

/** Said of each line beside its cells. The server knows these headings and leaves their columns out. */
const REMARKS = ['line_of_the_table', 'what_is_wrong'];
const PAGE = 200;

/** Nothing is left of a line about a person who was erased. */
export const isErased = ({ cells }: Pick<ImportLine, 'cells'>) => cells.every((cell) => cell === '');

/** Whether a line has the whole address of a published calendar, of which the server alone is left later. */
export const hasAddress = (columns: readonly string[], { cells }: Pick<ImportLine, 'cells'>) =>
  columns.some((column, at) => column === 'calendar' && /:\/\/.+(?<!\/…)$/.test(cells[at] ?? ''));

/** The lines as a table that can be corrected and imported again, each with its number and what is wrong with it. */
export function leftOutTable(
  columns: readonly string[],
  lines: readonly Pick<ImportLine, 'line' | 'cells' | 'field' | 'fault'>[],
): string {
  const rows = lines
    .filter((line) => !isErased(line))
    .map(({ line, field, fault, cells }) => [
      String(line),
      fault && `${columnText(field)} ${fault}`,
      ...columns.map((_, at) => cells[at] ?? ''),
      // Cells behind the last column are kept, so that the line is not taken for a good one.
      ...cells.slice(columns.length),
    ]);
  return csvOf([[...REMARKS, ...columns], ...rows]);
}

/** "clients.csv" as "clients-left-out.csv". */
export const leftOutName = (fileName: string) =>
  `${fileName.replace(/\.[^.]*$/, '').replaceAll(/[\\/]/g, '-') || 'lines'}-left-out.csv`;

type LeftOut = {
  businessId: string;
  importId: string;
  state: ImportLineState;
  columns: readonly string[];
  fileName: string;
};

/** Saves all lines of a state, however many are shown. */
export async function saveLeftOut({
  businessId,
  importId,
  state,
  columns,
  fileName,
}: LeftOut): Promise<void> {
  const lines: ImportLine[] = [];
  let pageToken = '';
  do {
    const page = await readOn(ImportService.method.listImportLines, {
      businessId,
      importId,
      state,
      pageSize: PAGE,
      pageToken,
    });
    lines.push(...page.lines);
    pageToken = page.nextPageToken;
  } while (pageToken);
  saveTable(leftOutName(fileName), leftOutTable(columns, lines));
}
