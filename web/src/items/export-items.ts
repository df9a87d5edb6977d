import { readOn } from '../api/read-on';
import { ItemService } from '../gen/frontdesk/tenancy/v1/item_pb';
import { saveTable } from '../ui/save-file';

/** Saves all items as a table. */
export async function saveItems(businessId: string): Promise<void> {
  const parts: string[] = [];
  let pageToken = '';
  do {
    const part = await readOn(ItemService.method.exportItems, { businessId, pageToken });
    parts.push(part.csv);
    pageToken = part.nextPageToken;
  } while (pageToken);
  saveTable('items.csv', parts.join(''));
}
