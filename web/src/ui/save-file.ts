/** Tells Excel that what follows is UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/** Gives the browser a file that was made here. */
export function saveFile(name: string, text: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads it after this task.
  setTimeout(() => URL.revokeObjectURL(address), 0);
}

/** The same of a table as CSV, with its umlauts in every spreadsheet. */
export function saveTable(name: string, csv: string): void {
  saveFile(name, BYTE_ORDER_MARK + csv, 'text/csv');
}
