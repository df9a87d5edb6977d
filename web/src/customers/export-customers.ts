import { call } from '../api/call';
import { CustomerExportService } from '../gen/frontdesk/tenancy/v1/customer_export_pb';
import { saveTable } from '../ui/save-file';

/** Saves all customers as a table. It is noted, and the owners are told. */
export async function saveAllCustomers(businessId: string): Promise<void> {
  const { exportId } = await call(
    CustomerExportService.method.beginCustomerExport,
    { businessId },
    { idempotencyKey: crypto.randomUUID() },
  );
  const parts: string[] = [];
  let pageToken = '';
  do {
    const part = await call(CustomerExportService.method.readCustomerExport, {
      businessId,
      exportId,
      pageToken,
    });
    parts.push(part.csv);
    pageToken = part.nextPageToken;
  } while (pageToken);
  saveTable('customers.csv', parts.join(''));
}
