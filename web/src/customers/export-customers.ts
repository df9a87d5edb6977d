import { intend } from '../api/action';
import { readOn } from '../api/read-on';
import { CustomerExportService } from '../gen/frontdesk/tenancy/v1/customer_export_pb';
import { saveTable } from '../ui/save-file';

/** How many records a part of a table has; cells may have lines of their own. */
export const rowsIn = (csv: string) => csv.replaceAll(/"[^"]*"/g, '').split('\n').length - 1;

/** Saves all customers as a table, and says how many were read so far. It is noted, and the owners are told. */
export async function saveAllCustomers(
  businessId: string,
  onRead: (count: number) => void = () => undefined,
): Promise<void> {
  const { exportId } = await intend(CustomerExportService.method.beginCustomerExport, { businessId });
  const parts: string[] = [];
  let count = 0;
  let pageToken = '';
  do {
    const part = await readOn(CustomerExportService.method.readCustomerExport, {
      businessId,
      exportId,
      pageToken,
    });
    parts.push(part.csv);
    count += rowsIn(part.csv);
    // The line of headings is no customer.
    onRead(Math.max(0, count - 1));
    pageToken = part.nextPageToken;
  } while (pageToken);
  saveTable('customers.csv', parts.join(''));
}
