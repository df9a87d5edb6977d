/** As many visits as an answer lists of those that a change of working time leaves without an employee. */
const MOST_LISTED = 200;

/** "1 customer", "5 customers"; "At least 200 customers" where the list ends and there may be more. */
export function listedText(count: number, one: string, many: string): string {
  if (count === 1) return `1 ${one}`;
  return `${count >= MOST_LISTED ? 'At least ' : ''}${count} ${many}`;
}

export const listedCustomers = (count: number): string => listedText(count, 'customer', 'customers');
